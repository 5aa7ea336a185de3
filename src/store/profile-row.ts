/** Rows of `import_profile` and the rule by which one is kept, as both stores have them. */
import {
  type ImportProfile,
  KEPT_NAMES,
  type Kept,
  type KeptProfile,
  type NewProfile,
} from '../profiles/profile-store.js';

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
  /** Names that the account has. */
  names: number;
  /** Another account shares one of this name. */
  sharedElsewhere: boolean;
}

export type KeepDecision =
  | Exclude<Kept, { kind: 'kept' }>
  /** `insert`: a new version; else only who may use it changes. */
  | { kind: 'keep'; insert: boolean; isNew: boolean; row: ProfileRow };

export function decideKeep(
  { account, name, document, shared, now }: NewProfile,
  { newest, names, sharedElsewhere }: Present,
): KeepDecision {
  const present = newest && newest.removed === null ? newest : undefined;
  const willShare = shared ?? Boolean(present?.shared);
  if (willShare && sharedElsewhere) return { kind: 'shared-elsewhere' };
  if (!present && names >= KEPT_NAMES) return { kind: 'too-many' };
  const text = JSON.stringify(document);
  if (present && present.document === text)
    return { kind: 'keep', insert: false, isNew: false, row: { ...present, account, shared: willShare } };
  const version = (newest?.version ?? 0) + 1;
  const row = { account, name, version, shared: willShare, document: text, created: now, removed: null };
  return { kind: 'keep', insert: true, isNew: !present, row };
}
