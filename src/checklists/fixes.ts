/** Other ways to write a value that was refused, likeliest first; the checklist decides which of them it accepts. */
import { parseTimestamp } from '../registry/timestamp.js';

/** Longer values are not rewritten. */
const MAX_LENGTH = 200;

export function rewritings(value: string): string[] {
  if (value.length > MAX_LENGTH) return [];
  const plain = value.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const date = parseTimestamp(plain);
  const candidates = [
    plain,
    typeof date === 'number' ? undefined : date.suggestion,
    plain
      .replace(/[‘’]/g, "'")
      .replace(/[“”]/g, '"')
      .replace(/[‐-―−]/g, '-'),
    /^[+-]?\d+,\d+$/.test(plain) ? plain.replace(',', '.') : undefined,
    /^\d{1,3}(,\d{3})+$/.test(plain) ? plain.replaceAll(',', '') : undefined,
    /^[+-]?\d+(\.\d+)?\s*[^\d\s.,/:-]+$/.test(plain) ? plain.replace(/\s*[^\d\s.]+$/, '') : undefined,
    plain.toLowerCase(),
    plain.toUpperCase(),
    plain.slice(0, 1).toUpperCase() + plain.slice(1).toLowerCase(),
    plain.replaceAll(' ', ''),
    plain.replaceAll(' ', '_'),
    plain.replaceAll('_', ' '),
    plain.replaceAll('_', ':'),
  ];
  return [...new Set(candidates.filter((candidate): candidate is string => !!candidate && candidate !== value))];
}
