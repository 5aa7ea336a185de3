/** Which of the curations that a store looked at make a page: the rule of both stores. Pure. */

export interface LookedAt {
  hash: string;
  /** Length of its lists as JSON. */
  bytes: number;
  visible: boolean;
}

/** Curations looked at for one page. */
export const CURATIONS_LOOKED_AT = 200;
/** Links of each that are looked at for one whose sample may be read: in a list, and when it is asked for by its hash. */
export const LINKS_LOOKED_AT = { list: 100, one: 1000 } as const;
const PAGE_BYTES = 1024 * 1024;

/** `rows`: in the order of their hashes, CURATIONS_LOOKED_AT of them unless there are no more. */
export function choosePage(rows: readonly LookedAt[], size: number): { hashes: string[]; next?: string } {
  const hashes: string[] = [];
  let bytes = 0;
  for (const [at, row] of rows.entries()) {
    if (!row.visible) continue;
    bytes += row.bytes;
    if (hashes.length === size || (hashes.length > 0 && bytes > PAGE_BYTES)) {
      return { hashes, next: rows[at - 1]?.hash as string };
    }
    hashes.push(row.hash);
  }
  const last = rows.at(-1)?.hash;
  return { hashes, ...(rows.length === CURATIONS_LOOKED_AT && last !== undefined ? { next: last } : {}) };
}
