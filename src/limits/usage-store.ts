/** PORT: how much an account has sent and has waiting. */
export interface Usage {
  /** Submissions since the time asked for, and the bytes that are kept of them: the files, and the texts of workbooks. */
  submissions: number;
  bytes: number;
  /** Submissions that have not ended. */
  waiting: number;
}

export interface UsageStore {
  usage(account: string, since: number): Promise<Usage>;
}
