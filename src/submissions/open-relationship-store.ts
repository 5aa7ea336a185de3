/**
 * PORT: relationships that wait for a sample of a name (decision 127). They are opened, completed and opened again by the
 * batches of submissions (submission-store.ts), in their transactions. test/contract/open-relationships.ts checks each promise
 * on every adapter.
 */

/** Of one account at once, in front of a file's first row. */
export const MOST_OPEN_RELATIONSHIPS = 10_000;

export interface OpenRelationship {
  /** Number of the sample that waits. */
  sample: number;
  type: string;
  /** What its target is called. */
  name: string;
  /** Position among the relationships of its row. */
  place: number;
  /** The submission that opened it, and the line. */
  submissionId: string;
  line: number;
}

export interface OpenRelationshipStore {
  /** Those of an account, by name, or those that one submission opened, by sample; behind `after`. */
  openRelationships(
    of: { account: string } | { submissionId: string },
    after: OpenRelationship | undefined,
    limit: number,
  ): Promise<OpenRelationship[]>;

  /** How many the account has that other submissions opened. */
  countOpenRelationships(submission: { id: string; account: string }): Promise<number>;

  /** Of these names, those with which relationships of the account were completed, and by which sample, where it is one. */
  completedNames(account: string, names: readonly string[]): Promise<Map<string, number>>;

  /** Samples of the account numbered `first` to `first + count - 1` that have one of these names and are not held back, in order. */
  namedAmong(
    account: string,
    run: { first: number; count: number },
    names: readonly string[],
  ): Promise<{ id: number; name: string }[]>;
}
