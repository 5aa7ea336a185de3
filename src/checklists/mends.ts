/** Other ways to write a value that was refused, likeliest first; the checklist decides which of them it accepts. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Longer values are not rewritten. */
const MAX_LENGTH = 200;

export function rewritings(value: string): string[] {
  if (value.length > MAX_LENGTH) return [];
  const plain = value.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const date = isoDateOf(plain);
  const candidates = [
    plain,
    date,
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

/** `2024-11-21` for a date in another form that can be read in one way only; undefined for `3/4/2024`. */
export function isoDateOf(text: string): string | undefined {
  const plain = text.trim();
  let parts = /^(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})$/.exec(plain);
  if (parts) return iso(parts[1], Number(parts[2]), Number(parts[3]));
  parts = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/.exec(plain);
  if (parts) {
    const [a, b] = [Number(parts[1]), Number(parts[2])];
    if (a > 12 || a === b) return iso(parts[3], b, a);
    return b > 12 ? iso(parts[3], a, b) : undefined;
  }
  parts = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]([A-Za-z]{3,9})\.?,?[-/. ](\d{4})$/.exec(plain);
  if (parts) return iso(parts[3], monthOf(parts[2]), Number(parts[1]));
  parts = /^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(plain);
  if (parts) return iso(parts[3], monthOf(parts[1]), Number(parts[2]));
  return undefined;
}

const monthOf = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function iso(year = '', month: number, day: number): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? undefined : text;
}
