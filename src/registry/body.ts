/** Parts that the JSON bodies of samples, curations and structured data share. */

import { z } from 'zod';
import { type ErrorCode, type MemberProblem, RegistryError } from './errors.js';
import { isObject } from './json-form.js';
import { pointerTo } from './json-pointer.js';
import type { KnownNames } from './near-names.js';

/** NUL cannot be stored everywhere and half a surrogate pair is no text. */
const UNSTORABLE = /[\0\uD800-\uDFFF]/u;
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);
export const UNSTORABLE_MESSAGE = 'holds a NUL or half of a surrogate pair; take it out';

/** Trimmed text that every store can keep. */
export const text = z.string().trim().refine(isStorable, { error: UNSTORABLE_MESSAGE });
/** Text, or a number, taken as its text: programs write `5` where a sheet says `5`. */
export const textOrNumber = z.union(
  [
    text,
    z
      .number()
      .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
      .transform(String),
  ],
  {
    // The union's words stand for those of its numbers, too.
    error: ({ input }) => {
      if (input === undefined || input === null) return 'is required';
      return typeof input === 'number'
        ? 'must be a text in quotes: a number of this size loses digits'
        : 'must be a text in quotes';
    },
  },
);
export const filledText = text.refine((value) => value !== '', { error: 'is required and must not be empty' });

// Made once: zod compiles a schema when it is first used, which costs more than reading a body with it.
export const maybeText = text.nullish();
export const anyObject = z.looseObject({});
export const anyList = z.array(z.unknown());

/**
 * Why an entry of which nothing is kept would be lost: it says something in members that are not known here, and in no other.
 * Members that are not known beside others are ignored, as everywhere.
 */
export function wouldBeLost(entry: unknown, known: readonly string[]): string | undefined {
  if (!isObject(entry) || known.some((name) => Object.hasOwn(entry, name))) return undefined;
  const said = Object.keys(entry).find((name) => saysSomething(entry[name]));
  if (said === undefined) return undefined;
  return `has "${said.slice(0, 40)}", which is not known here and would not be kept; its members are ${known.join(', ')}`;
}

/** Members that are not known and are looked at: a name that somebody wrote stands among a few, and a body may have a million. */
const MOST_UNKNOWN = 100;

/**
 * Members that are not known and would not be kept, though they are known ones but for case or a letter: where those are not there,
 * what they say would be lost.
 */
export function addMisspelt(members: Record<string, unknown>, known: KnownNames, problems: Problems): void {
  let unknown = 0;
  for (const name in members) {
    if (known.has(name)) continue;
    if (++unknown > MOST_UNKNOWN) return;
    const meant = known.meantBy(name);
    if (meant !== undefined && saysSomething(members[name]) && !saysSomething(memberOf(members, meant)))
      problems.add([name], `is not known here and would not be kept; write ${meant}`);
  }
}

const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !isEmpty(value);

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  for (const _ in value) return false;
  return true;
}

/** Places with problems that one answer lists. */
export const MAX_PLACES = 1_000;

const MORE_PROBLEMS = `has more problems than the ${MAX_PLACES} places listed here; correct these first`;

/** All problems of one body, by JSON pointer; of very many the first ones. */
export class Problems {
  private readonly byPath = new Map<string, string[]>();

  add(path: readonly PropertyKey[], message: string): void {
    const pointer = pointerTo(path);
    const messages = this.byPath.get(pointer);
    if (messages === undefined && this.byPath.size >= MAX_PLACES) this.byPath.set('', [MORE_PROBLEMS]);
    else if (messages === undefined) this.byPath.set(pointer, [message]);
    else if (!messages.includes(message)) messages.push(message);
  }

  addAny(path: readonly PropertyKey[], message: string | undefined): void {
    if (message !== undefined) this.add(path, message);
  }

  /** The value as the schema reads it, or undefined with what is wrong added. */
  read<T>(schema: z.ZodType<T>, value: unknown, path: readonly PropertyKey[]): T | undefined {
    const read = schema.safeParse(value, { error: phrase });
    if (read.success) return read.data;
    for (const issue of read.error.issues) this.add([...path, ...issue.path], issue.message);
    return undefined;
  }

  /** As many as one answer lists: what follows need not be looked at. */
  get full(): boolean {
    return this.byPath.size > MAX_PLACES;
  }

  get found(): MemberProblem[] {
    return [...this.byPath].map(([dataPath, errors]) => ({ dataPath, errors }));
  }

  /** @throws RegistryError with all of them, unless there are none */
  throwAs(code: ErrorCode): void {
    if (this.byPath.size > 0) throw invalid(code, this.found);
  }
}

/** The first list, and those of the second at places where the first says nothing. */
export function joinProblems(first: readonly MemberProblem[], second: readonly MemberProblem[]): MemberProblem[] {
  const said = new Set(first.map(({ dataPath }) => dataPath));
  const around = new Set(first.flatMap(({ dataPath }) => pathsTo(dataPath)));
  const isTold = ({ dataPath }: MemberProblem): boolean =>
    around.has(dataPath) || pathsTo(dataPath).some((path) => said.has(path));
  return [...first, ...second.filter((problem) => !isTold(problem))];
}

/** A JSON pointer and those of all that it lies in, the whole among them. */
function pathsTo(pointer: string): string[] {
  const paths = [pointer];
  for (let at = pointer.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : pointer.lastIndexOf('/', at - 1)) {
    paths.push(pointer.slice(0, at));
  }
  return paths;
}

export function invalid(code: ErrorCode, errors: MemberProblem[]): RegistryError {
  const reported = errors
    .slice(0, 3)
    .map(({ dataPath, errors: [message = ''] }) => `${dataPath || 'the body'} ${message.replace(/\.+$/, '')}`);
  const more = errors.length > 3 ? `; and ${errors.length - 3} more` : '';
  const said = `${reported.join('; ')}${more}`;
  return new RegistryError(code, said.endsWith('?') ? said : `${said}.`, { errors });
}

/** Words for what a schema has none of its own for. */
export function phrase(issue: {
  code?: string | undefined;
  expected?: unknown;
  input?: unknown;
  maximum?: unknown;
  minimum?: unknown;
  keys?: unknown;
  values?: unknown;
}): string | undefined {
  const { code, expected, input, maximum, minimum, keys, values } = issue;
  const size = typeof input === 'string' ? ' characters' : Array.isArray(input) ? ' elements' : '';
  switch (code) {
    case 'invalid_type':
      if (input === undefined || input === null) return 'is required';
      return `must be ${NOUNS[String(expected)] ?? String(expected)}`;
    case 'invalid_value':
      return `must be ${(values as unknown[]).map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_big':
      return size === '' ? `must be ${maximum} or less` : `must have at most ${maximum}${size}`;
    case 'too_small':
      return size === '' ? `must be ${minimum} or more` : `must have at least ${minimum}${size}`;
    case 'unrecognized_keys':
      return `has ${(keys as string[]).map((key) => JSON.stringify(key.slice(0, 100))).join(', ')}, which is not known here; correct it or leave it out`;
    case 'invalid_union':
      return 'has none of the forms that it may have; /docs shows them';
    default:
      return undefined;
  }
}

const NOUNS: Record<string, string> = {
  string: 'a text in quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** @throws RegistryError request.invalid when the body is no JSON object */
export function requireObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new RegistryError('request.invalid', 'The body must be one JSON object in { }.');
}

/** Own members only: `__proto__` and `constructor` are names like any other. */
export const memberOf = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
