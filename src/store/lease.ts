/**
 * SQL: true of a submission that no worker's lease covers at the time `now`, which stands in it once. A lease that was
 * written more than its own length in the future is of a clock that has been set back since, and is not believed: the
 * former worker's writes are refused by the claim's number, so nothing is lost by taking over early.
 */
export const leaseOver = (table: string, now: string): string =>
  `(${table}lease_until is null
    or ${now} not between 2 * ${table}updated - ${table}lease_until and ${table}lease_until - 1)`;

/** The same of a row. */
export const isLeaseOver = (row: { lease_until: number | null; updated: number }, now: number): boolean =>
  row.lease_until === null || now >= row.lease_until || now < 2 * row.updated - row.lease_until;
