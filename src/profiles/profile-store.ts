/** PORT: import profiles that accounts keep. test/contract/profile-store.ts checks each promise on every adapter. */
import type { Conditions } from '../registry/samples/conditions.js';
import type { ImportProfile } from '../tsv/header/profile.js';

export type { ImportProfile } from '../tsv/header/profile.js';

export interface KeptProfile {
  account: string;
  name: string;
  /** From 1; each change makes a new one. */
  version: number;
  /** Everybody may read sheets by it. */
  shared: boolean;
  /** When this version was made, milliseconds since 1970. */
  created: number;
  document: ImportProfile;
}

export interface NewProfile {
  account: string;
  name: string;
  document: ImportProfile;
  /** Absent: as it was, or for its account alone. */
  shared?: boolean;
  /** By an administrator: others do not change one that is shared. */
  admin: boolean;
  /** Of what the account keeps under the name; its entity tag is `profileTag`. */
  conditions?: Conditions;
  now: number;
}

/** Of a version, among those of its account and name. */
export const profileTag = (version: number): string => `"${version}"`;

/** `too-many`: of names of this account. `too-long`: all of its profiles together. `shared-elsewhere`: another account shares one of this name. `shared`: an administrator's to change. */
export type Kept =
  | { kind: 'kept'; profile: KeptProfile; isNew: boolean }
  | { kind: 'too-many' | 'too-long' | 'shared-elsewhere' | 'shared' };

export type ProfileToRemove = Pick<NewProfile, 'account' | 'name' | 'admin' | 'conditions'>;

/** `none`: there was none. `shared`: an administrator's to remove. */
export type Removed = 'removed' | 'none' | 'shared';

/** Names that an account has at a time, versions of each that are kept, and names of removed ones that are remembered. */
export const KEPT_NAMES = 50;
/** Of the newest versions of an account together, as JSON: all of them are read for each of its uploads. */
export const KEPT_CHARACTERS = 1_600_000;
export const KEPT_VERSIONS = 20;
export const REMEMBERED_NAMES = 200;

export interface ProfileStore {
  /** The newest version of each profile of the account and of each that others share, by name, its own first. */
  listProfiles(account: string): Promise<KeptProfile[]>;
  /** Of the account, else shared; the newest, or this version of it, which may have been replaced since. */
  findProfile(account: string, name: string, version?: number): Promise<KeptProfile | undefined>;
  /**
   * The same document makes no new version. Makes the account when it is new.
   * @throws RegistryError precondition.failed
   */
  keepProfile(profile: NewProfile): Promise<Kept>;
  /**
   * A later one of the same name goes on counting its versions.
   * @throws RegistryError precondition.failed
   */
  removeProfile(which: ProfileToRemove, now: number): Promise<Removed>;
}
