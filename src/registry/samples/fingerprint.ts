/** Entity tags: strong fingerprints of a representation without its links. */
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.js';

/** 27 characters of base64url are 162 bits. */
const LENGTH = 27;

/** The tag with its double quotes. Equal documents have equal tags, on every machine and after every restart. */
export function fingerprint(document: unknown): string {
  return `"${createHash('sha256').update(canonicalJson(document)).digest('base64url').slice(0, LENGTH)}"`;
}

/**
 * Whether a condition header (`If-Match`, `If-None-Match`: one tag, a list, weak tags, `*`) names one of these tags.
 * `strong` is for If-Match, where a weak tag never matches.
 */
export function matchesTag(header: string, tags: readonly string[], compare: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  for (const [, weak, tag] of header.matchAll(/(W\/)?("[^"]*")/g)) {
    if (weak && compare === 'strong') continue;
    if (tags.includes(tag as string)) return true;
  }
  return false;
}
