/**
 * What `JSON.parse` lets through and a registry must not: members given twice (the last would win in silence), nesting
 * deep enough to exhaust a later walk, more parts than can be checked while others wait, and text that no store can
 * keep (lone surrogates, NUL). Without regular expressions over the whole text: those recurse on long strings.
 */
const MAX_DEPTH = 64;
/** Members, elements, lists and objects: each is walked by the rules (about 6 µs each). */
export const MAX_PARTS = 40_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Members seen in each open object; undefined for an array. */
type Open = (Set<string> | undefined)[];

/** The first fault in a JSON text, in words, or undefined. The text need not be valid JSON: the parser finds that out. */
export function findJsonFault(text: string): string | undefined {
  const parts = countParts(text);
  return parts > MAX_PARTS ? tooMany(parts) : findFault(text);
}

function findFault(text: string): string | undefined {
  const open: Open = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const fault = stringFault(text, at, end, open.at(-1));
      if (fault) return fault;
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      if (open.push(code === 0x7b ? new Set() : undefined) > MAX_DEPTH)
        return `It is nested more than ${MAX_DEPTH} levels deep.`;
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
    }
  }
  return undefined;
}

/** Commas, of which one stands before each further member or element, and brackets that open. */
export function countParts(text: string): number {
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x2c || code === 0x7b || code === 0x5b) parts += 1;
  }
  return parts;
}

const tooMany = (parts: number): string =>
  `It has ${parts} members, elements, lists and objects in all, more than the ${MAX_PARTS} that a body may have; leave out what says nothing, or divide it.`;

/** Position of the closing quote of the string that begins at `start`, or of the text's end. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function stringFault(text: string, start: number, end: number, members: Set<string> | undefined): string | undefined {
  const raw = text.slice(start + 1, end);
  const value = raw.includes('\\') ? unescaped(`"${raw}"`) : raw;
  if (value === undefined) return undefined;
  if (/[\0\p{Surrogate}]/u.test(value)) {
    return `The text ${JSON.stringify(value.slice(0, 60))} holds a NUL or half a surrogate pair, which cannot be stored.`;
  }
  if (!members || !colonFollows(text, end + 1)) return undefined;
  if (members.has(value)) return `The member ${JSON.stringify(value.slice(0, 60))} is given twice in one object.`;
  members.add(value);
  return undefined;
}

function colonFollows(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === COLON;
}

function unescaped(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}
