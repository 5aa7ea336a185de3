/** `Retry-After` of an answer (RFC 9110): seconds or an HTTP date, as milliseconds from now; undefined for anything else. */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
