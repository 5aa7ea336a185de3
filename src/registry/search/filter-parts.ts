/** How a filter of samples is spelt: `attr:organism:Homo sapiens`, `range:age:from=10below=20`. For service and page. Pure. */

/** As names and values are compared: without case, surrounding blanks and other spellings of one character. */
export const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

export interface FilterParts {
  kind: string;
  /** Everything after the kind. */
  value: string;
  /** Up to the next colon, and what follows it. */
  name: string;
  detail: string;
}

/** A colon that is part of a name is written `\:`. */
export function filterParts(filter: string): FilterParts {
  const [kind = '', ...rest] = filter.split(/(?<!\\):/);
  const plain = (part: string): string => part.replaceAll('\\:', ':').trim();
  return { kind, value: plain(rest.join(':')), name: plain(rest[0] ?? ''), detail: plain(rest.slice(1).join(':')) };
}

/** The filter of a characteristic, or of a value of it. */
export const attributeFilter = (name: string, value?: string): string =>
  `attr:${escaped(name)}${value === undefined ? '' : `:${value.replaceAll(':', '\\:')}`}`;

/** Ends of a range as they are written; `until` is part of the range, `below` is not. */
export interface WrittenRange {
  from?: string;
  until?: string;
  below?: string;
}

const FROM = 'from=';
const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** Where the second end begins, or all ends, with the dots in front. */
const SECOND = { until: /(?<!\.)\.*(?:(until)=|$)/, below: /(?<!\.)\.*(?:(until|below)=|$)/ };

/** What stands behind the name in a filter of a range; no ends where it is unreadable. `last`: `below` where it may be said, too. */
export function writtenRange(detail: string, last: keyof typeof SECOND = 'below'): WrittenRange {
  const isFrom = detail.startsWith(FROM);
  const rest = isFrom ? detail.slice(FROM.length) : detail;
  const second = LINE_BREAK.test(detail) ? null : SECOND[last].exec(rest);
  if (second === null || (!isFrom && second.index > 0)) return {};
  const from = isFrom ? rest.slice(0, second.index).trim() : '';
  const to = rest.slice(second.index + second[0].length).trim();
  return { ...(from ? { from } : {}), ...(to ? { [second[1] as 'until' | 'below']: to } : {}) };
}

/** The filter of a range of a characteristic's numbers or dates. */
export function rangeFilter(name: string, { from, until, below }: WrittenRange): string {
  const end = (kind: string, text: string | undefined): string => (text === undefined ? '' : `${kind}=${text}`);
  return `range:${escaped(name)}:${end('from', from)}${end('until', until)}${end('below', below)}`;
}

/** A colon behind a backslash would be part of the name. */
const escaped = (name: string): string => name.replaceAll(':', '\\:') + (name.endsWith('\\') ? ' ' : '');
