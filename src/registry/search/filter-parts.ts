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

/** What stands behind the name in a filter of a range; no ends where it is unreadable. */
export function writtenRange(detail: string): WrittenRange {
  const match = /^(?:from=(.*?))?\.*(?:(until|below)=(.*))?$/.exec(detail);
  const from = match?.[1]?.trim();
  const to = match?.[3]?.trim();
  return { ...(from ? { from } : {}), ...(to ? { [match?.[2] as 'until' | 'below']: to } : {}) };
}

/** The filter of a range of a characteristic's numbers or dates. */
export function rangeFilter(name: string, { from, until, below }: WrittenRange): string {
  const end = (kind: string, text: string | undefined): string => (text === undefined ? '' : `${kind}=${text}`);
  return `range:${escaped(name)}:${end('from', from)}${end('until', until)}${end('below', below)}`;
}

/** A colon behind a backslash would be part of the name. */
const escaped = (name: string): string => name.replaceAll(':', '\\:') + (name.endsWith('\\') ? ' ' : '');
