/** Text in UTF-16 that does not say so: programs of laboratories save it without the mark. Every other byte of ASCII in it is zero. */

const LOOKED_AT = 2048;

/** Which of the two it looks like; undefined: neither. */
export function unmarkedUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = head.subarray(0, LOOKED_AT);
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even++;
    if (sample[at + 1] === 0) odd++;
  }
  const half = sample.length / 2;
  if (half < 8) return undefined;
  if (odd > half * 0.7 && even < half * 0.1) return 'utf-16le';
  return even > half * 0.7 && odd < half * 0.1 ? 'utf-16be' : undefined;
}
