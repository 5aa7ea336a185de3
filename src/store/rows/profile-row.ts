/** Rows of `import_profile` and the rule by which one is kept, as both stores have them. */
import {
  type ImportProfile,
  KEPT_CHARACTERS,
  KEPT_NAMES,
  type Kept,
  type KeptProfile,
  type NewProfile,
  type ProfileToRemove,
  profileTag,
  type Removed,
} from '../../profiles/profile-store.js';
import { type Conditions, requireConditions } from '../../registry/samples/conditions.js';

export interface ProfileRow {
  account: string;
  name: string;
  version: number;
  shared: number | boolean;
  document: string;
  created: number;
  removed: number | null;
}

export const profileOf = ({ account, name, version, shared, document, created }: ProfileRow): KeptProfile => ({
  account,
  name,
  version,
  shared: Boolean(shared),
  created,
  document: JSON.parse(document) as ImportProfile,
});

/** What the store knows when one is to be kept. */
export interface Present {
  /** The newest version of this name, removed or not. */
  newest: ProfileRow | undefined;
  /** Names that the account has beside this one, and characters of their newest versions. */
  beside: { names: number; characters: number };
  /** Another account shares one of this name. */
  sharedElsewhere: boolean;
}

/** A new version is to be written, or only who may use it. */
export interface KeptRow {
  row: ProfileRow;
  insert: boolean;
}

export interface KeepDecision {
  answer: Kept;
  /** Nothing is written without it. */
  writes?: KeptRow;
}

/** @throws RegistryError precondition.failed */
export function decideKeep(
  { account, name, document, shared, admin, now, conditions = {} }: NewProfile,
  { newest, beside, sharedElsewhere }: Present,
): KeepDecision {
  const present = presentOf(newest);
  if (present?.shared && !admin) return { answer: { kind: 'shared' } };
  requireProfile(conditions, name, present);
  const willShare = shared ?? Boolean(present?.shared);
  if (willShare && sharedElsewhere) return { answer: { kind: 'shared-elsewhere' } };
  if (!present && beside.names >= KEPT_NAMES) return { answer: { kind: 'too-many' } };
  const text = JSON.stringify(document);
  const insert = present?.document !== text;
  if (beside.characters + text.length > KEPT_CHARACTERS) return { answer: { kind: 'too-long' } };
  const version = (newest?.version ?? 0) + 1;
  const row = insert
    ? { account, name, version, shared: willShare, document: text, created: now, removed: null }
    : { ...present, account, shared: willShare };
  return { answer: { kind: 'kept', profile: profileOf(row), isNew: !present }, writes: { row, insert } };
}

/** What becomes of one that is to be removed. @throws RegistryError precondition.failed */
export function decideRemove(
  { name, admin, conditions = {} }: ProfileToRemove,
  newest: ProfileRow | undefined,
): Removed {
  const present = presentOf(newest);
  if (!present) return 'none';
  if (present.shared && !admin) return 'shared';
  requireProfile(conditions, name, present);
  return 'removed';
}

const presentOf = (newest: ProfileRow | undefined): ProfileRow | undefined =>
  newest && newest.removed === null ? newest : undefined;

function requireProfile(conditions: Conditions, name: string, present: ProfileRow | undefined): void {
  requireConditions(conditions, `The import profile ${name}`, () => (present ? [profileTag(present.version)] : []));
}
