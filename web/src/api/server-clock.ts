/** The time by the service's clock: a reader's own may be off by days, and what was a moment ago would be of another day. */

/** An answer takes a while to arrive and names whole seconds: less than this is no difference. */
const SAME_MS = 30_000;

let aheadMs = 0;

/** Of each answer of the service, which says when it was sent. */
export function noteAnswerTime(headers: Headers): void {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) aheadMs = Math.abs(difference) < SAME_MS ? 0 : difference;
}

/** Milliseconds since 1970. */
export const serverNow = (): number => Date.now() + aheadMs;
