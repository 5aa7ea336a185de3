/** PORT: whole results that are made while nobody waits and kept for a while. test/contract/kept-export-store.ts checks each promise on every adapter. */

export const KEPT_EXPORT_STATES = ['ACTIVE', 'COMPLETED', 'FAILED'] as const;
export type KeptExportState = (typeof KEPT_EXPORT_STATES)[number];

/** What was asked for, as it was asked for. */
export interface KeptRequest {
  text?: string | undefined;
  filters: readonly string[];
  format: string;
  curated: boolean;
  /** Address of the registry, for links. */
  registry: string;
}

export interface KeptExport {
  /** Random. */
  id: string;
  account: string;
  /** Asked for with an administrator's token: what is private to others may be in it. */
  admin: boolean;
  request: KeptRequest;
  state: KeptExportState;
  /** How often its making was begun; the claim's fencing number, and part of the name of its file. */
  attempts: number;
  /** Attempts that ended in order and had to wait. */
  handedBack: number;
  /** Somebody makes it, up to then at least; milliseconds since 1970, like all times. */
  leaseUntil?: number;
  created: number;
  /** From when on it may be removed, whatever its state. */
  expires: number;
  /** Of one that is COMPLETED. */
  file?: KeptFile;
  /** Why it FAILED. */
  problem?: { code: string; message: string };
}

export interface KeptFile {
  samples: number;
  bytes: number;
  /** Hex. */
  sha256: string;
}

export type NewKeptExport = Pick<KeptExport, 'id' | 'account' | 'admin' | 'request' | 'created' | 'expires'>;

/** One attempt to make one of them. */
export type KeptClaim = Pick<KeptExport, 'id' | 'attempts'>;

/** Bytes that are kept at the most. */
export interface KeptRoom {
  ofOne: number;
  inAll: number;
}

export interface KeptExportStore {
  /** Adds one that waits, unless there are as many as there may be. Makes the account when it is new. */
  orderExport(order: NewKeptExport, most: { ofOne: number; inAll: number }): Promise<'ordered' | 'of one' | 'in all'>;
  /** Neither removed nor expired. */
  findExport(id: string, now: number): Promise<KeptExport | undefined>;
  /** Of the account or, without one, of all; newest first, at most `limit`. */
  listExports(account: string | undefined, now: number, limit: number): Promise<KeptExport[]>;
  /** Which wait to be made: of each account that has none in the making the oldest, the oldest first, at most `limit`. */
  waitingExports(now: number, limit: number): Promise<KeptExport[]>;
  /** Begins an attempt, whose claim holds until `now + leaseMs`; undefined when it does not wait any more. */
  claimExport(id: string, now: number, leaseMs: number): Promise<KeptExport | undefined>;
  /** False when the claim is lost: it was removed, or another has begun. The same of the methods below. */
  extendExport(claim: KeptClaim, now: number, leaseMs: number): Promise<boolean>;
  /** It waits again, to be begun at `notBefore`. */
  returnExport(claim: KeptClaim, now: number, notBefore: number): Promise<boolean>;
  /** The file is stored; `no room` when more would be kept than may be. */
  completeExport(
    claim: KeptClaim,
    file: KeptFile,
    room: KeptRoom,
    times: { now: number; expires: number },
  ): Promise<'completed' | 'lost' | 'no room'>;
  failExport(
    claim: KeptClaim,
    problem: NonNullable<KeptExport['problem']>,
    times: { now: number; expires: number },
  ): Promise<boolean>;
  /** It is gone for everybody; its files are still to be removed. False when it was not there. */
  removeExport(id: string, now: number): Promise<boolean>;
  /** Removed and expired ones that nobody makes, at most `limit`: their files go first, then they are forgotten. */
  endedExports(now: number, limit: number): Promise<KeptClaim[]>;
  forgetExport(id: string): Promise<void>;
  /** Bytes that are kept, those of ended ones too. */
  keptBytes(account: string): Promise<{ ofAccount: number; inAll: number }>;
}
