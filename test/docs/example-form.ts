/** How the body of an answer is shortened for docs/api-examples.md, and whether another one has the form of a shortened one. */
import { LEFT_OUT } from './example-exchange.js';

/** Lines of a text and characters of a line. */
const LINES = 8;
const WIDTH = 160;
/** Members of an object where it has more than MANY. */
const MANY = 20;
const FIRST = 3;
/** Texts of a list. */
const ENTRIES = 8;
/** From this depth of objects on, what has more characters is left out. */
const DEEP = 3;
const LONG = 400;

export function printed(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(shortened(body, 0), null, 2);
  const lines = body.replace(/\n+$/, '').split('\n');
  const first = lines.slice(0, LINES).map((line) => (line.length > WIDTH ? line.slice(0, WIDTH) + LEFT_OUT : line));
  return [...first, ...(lines.length > LINES ? [LEFT_OUT] : [])].join('\n');
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > LONG ? value.slice(0, WIDTH) + LEFT_OUT : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return shortenedList(value, depth);
  const members = Object.entries(value).map(([name, member]) => {
    const short = shortened(member, depth + 1);
    return [name, depth + 1 >= DEEP && JSON.stringify(short).length > LONG ? LEFT_OUT : short] as const;
  });
  return Object.fromEntries(members.length > MANY ? [...members.slice(0, FIRST), [LEFT_OUT, LEFT_OUT]] : members);
}

/** Of objects or lists the first; of texts and numbers the first ones. */
function shortenedList(list: readonly unknown[], depth: number): unknown[] {
  if (typeof list[0] === 'object') return list.slice(0, 1).map((entry) => shortened(entry, depth));
  return list.length > ENTRIES ? [...list.slice(0, FIRST), LEFT_OUT] : list.map((entry) => shortened(entry, depth));
}

/** Numbers, accessions and checksums differ from run to run. */
const masked = (text: string): string => text.replace(/\b[0-9a-f]{32,}\b/g, '0').replace(/\d+/g, '0');

const alike = (shown: string, found: string): boolean =>
  shown.endsWith(LEFT_OUT) ? masked(found).startsWith(masked(shown.slice(0, -1))) : masked(shown) === masked(found);

export interface Shown {
  /** Status line and headers. */
  head: string[];
  /** As it is printed. */
  body: string;
}

/** Where an answer is not as it is shown: status, headers, members, types, and texts up to numbers. Empty: nowhere. */
export function strays(shown: Shown, found: { head: string[]; body: unknown }): string[] {
  const heads = shown.head[0] === found.head[0] && alike(shown.head.join('\n'), found.head.join('\n'));
  return [...(heads ? [] : found.head), ...straysOfBody(shown.body, found.body)];
}

function straysOfBody(shown: string, found: unknown): string[] {
  if (typeof found !== 'string') return straysOf(shown === '' ? '' : JSON.parse(shown), found, '');
  const [then, now] = [shown.split('\n'), printed(found).split('\n')];
  return then.length === now.length && then.every((line, at) => alike(line, now[at] as string)) ? [] : now;
}

function straysOf(shown: unknown, found: unknown, place: string): string[] {
  if (shown === LEFT_OUT) return [];
  if (typeof shown === 'string' && typeof found === 'string') return alike(shown, found) ? [] : [`${place}: ${found}`];
  if (Array.isArray(shown) && Array.isArray(found)) {
    const short = shortenedList(found, 0).length;
    if (shown.length !== short) return [`${place}: ${found.length} entries`];
    return shown.flatMap((entry, at) => straysOf(entry, found[at], `${place}[${at}]`));
  }
  if (!isObject(shown) || !isObject(found))
    return typeof shown === typeof found &&
      (shown === null) === (found === null) &&
      (typeof shown !== 'boolean' || shown === found)
      ? []
      : [`${place}: ${JSON.stringify(found)?.slice(0, WIDTH)}`];
  const more = LEFT_OUT in shown ? [] : Object.keys(found).filter((name) => !Object.hasOwn(shown, name));
  return [
    ...more.map((name) => `${place}.${name} is not shown`),
    ...Object.entries(shown)
      .filter(([name]) => name !== LEFT_OUT)
      .flatMap(([name, member]) =>
        Object.hasOwn(found, name)
          ? straysOf(member, found[name], `${place}.${name}`)
          : [`${place}.${name} is not there`],
      ),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
