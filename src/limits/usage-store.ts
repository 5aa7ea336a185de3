/** PORT: how much an account has sent and has waiting. */
export interface Sent {
  submissions: number;
  /** That are kept of them: the files, and the texts of workbooks. */
  bytes: number;
}

export interface UsageStore {
  /** Looks at each submission of the account since then. */
  sentSince(account: string, since: number): Promise<Sent>;
  /** Submissions of the account that have not ended. */
  countWaiting(account: string): Promise<number>;
}
