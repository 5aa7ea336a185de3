import { filterParts, writtenRange } from '../../../src/registry/search/filter-parts.js';
import { dayAndTime } from '../show/words.js';

/** `attr:sex:female` → `sex is female`. */
export function filterWords(filter: string): string {
  const { kind, value, name, detail } = filterParts(filter);
  if (kind === 'attr') return detail === '' ? `has ${name}` : `${name} is ${detail}`;
  if (kind === 'range') return `${name} ${rangeWords(writtenRange(detail))}`;
  if (kind === 'name') return `name is ${value}`;
  if (kind === 'status') return value === 'withdrawn' ? 'withdrawn only' : 'withdrawn too';
  if (kind === 'account') return `account is ${value}`;
  if (kind === 'rel') return `related: ${name} ${detail}`.trim();
  if (kind === 'descendantOf') return `came of ${value}`;
  if (kind === 'ancestorOf') return `ancestors of ${value}`;
  const { from, until } = writtenRange(detail);
  if (kind === 'dt' && (from ?? until) !== undefined) {
    const ends = { from: endWords(from), until: endWords(until) };
    return `${name === 'release' ? 'released' : 'changed'} ${rangeWords(ends)}`;
  }
  return filter;
}

/** A day as it is, a moment as the reader's clock has it. */
const endWords = (end: string | undefined): string | undefined => (end?.includes('T') ? dayAndTime(end) : end);

interface Ends {
  from?: string | number | undefined;
  until?: string | number | undefined;
  below?: string | number | undefined;
}

/** `from 10 to below 20`, `below 2024-01-01`; an absent end is open. */
export function rangeWords({ from, until, below }: Ends): string {
  const first = from === undefined ? '' : `from ${from}`;
  const last = below === undefined ? (until === undefined ? '' : `until ${until}`) : `below ${below}`;
  return [first, last].filter(Boolean).join(below === undefined ? ' ' : ' to ');
}
