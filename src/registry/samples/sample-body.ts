/** Reads a sample from the JSON body of a request: trimmed, empty members folded away, every problem at once. */

import { z } from 'zod';
import {
  addMisspelt,
  anyList,
  anyObject,
  isStorable,
  maybeText,
  memberOf,
  Problems,
  requireObject,
  UNSTORABLE_MESSAGE,
  wouldBeLost,
} from '../body.js';
import { parseDateTime } from '../date-time.js';
import type { MemberProblem } from '../errors.js';
import { isObject } from '../json-form.js';
import { addTo } from '../lists.js';
import { KnownNames } from '../near-names.js';
import {
  type Characteristic,
  type Characteristics,
  emptyContent,
  type SampleContent,
  type TextRecord,
} from './sample.js';
import {
  characteristicSchema,
  externalReferenceSchema,
  relationshipSchema,
  sampleBodySchema,
} from './sample-schema.js';

export interface SampleBody {
  name: string;
  /** Milliseconds since 1970; absent only where it is not required. */
  release?: number;
  content: SampleContent;
  accession?: string;
  /** As sent, and under which name; means something for administrators only. */
  account?: { name: string; field: string };
  status?: string;
  /** As sent: structured data has its own address. */
  data?: unknown;
  /** Everything wrong with it; where there is something, the other members hold what could be read. */
  problems: MemberProblem[];
}

const HEAD = sampleBodySchema.pick({ name: true, accession: true, domain: true, taxId: true });
const MEMBERS = [...Object.keys(sampleBodySchema.shape), 'status', 'data'];
const ENTRIES = z.array(characteristicSchema);
const RELATIONSHIPS = z.array(relationshipSchema);
const REFERENCES = z.array(externalReferenceSchema);
const RECORD_LISTS = ['contact', 'organization', 'publications'] as const;

/** @throws RegistryError request.invalid when the body is no object */
export function parseSampleBody(
  body: unknown,
  need: { release: boolean; accession: boolean },
  accountFields: readonly string[],
): SampleBody {
  const members = requireObject(body);
  const problems = new Problems();
  addMisspelt(members, new KnownNames([...MEMBERS, ...accountFields]), problems);
  const head = problems.read(HEAD, ownMembers(members, Object.keys(HEAD.shape)), []);
  const release = readRelease(members, need.release, problems);
  const content = readContent(members, problems);
  const accession = head?.accession || undefined;
  if (need.accession && head && accession === undefined) problems.add(['accession'], 'is required');
  const status = problems.read(maybeText, memberOf(members, 'status'), ['status']);
  if (head?.domain) content.domain = head.domain;
  if (head?.taxId !== undefined && head.taxId !== null) content.taxId = Number(head.taxId);
  const account = accountIn(members, accountFields);
  const data = memberOf(members, 'data');
  return {
    name: head?.name ?? '',
    ...(release === undefined ? {} : { release }),
    content,
    ...(accession === undefined ? {} : { accession }),
    ...(account === undefined ? {} : { account }),
    ...(status ? { status } : {}),
    ...(data === undefined || data === null || (Array.isArray(data) && data.length === 0) ? {} : { data }),
    problems: problems.found,
  };
}

function accountIn(members: Record<string, unknown>, fields: readonly string[]): SampleBody['account'] {
  const field = fields.find((one) => typeof memberOf(members, one) === 'string');
  const name = field === undefined ? '' : String(members[field]).trim();
  return field === undefined || name === '' ? undefined : { name, field };
}

const ownMembers = (members: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, memberOf(members, name)]));

function readRelease(members: Record<string, unknown>, required: boolean, problems: Problems): number | undefined {
  const value = memberOf(members, 'release') ?? undefined;
  if (value === undefined && !required) return undefined;
  const release = problems.read(sampleBodySchema.shape.release, value, ['release']);
  const read = release === undefined ? undefined : parseDateTime(release);
  return typeof read === 'number' ? read : undefined;
}

function readContent(members: Record<string, unknown>, problems: Problems): SampleContent {
  const content = emptyContent();
  content.characteristics = readCharacteristics(memberOf(members, 'characteristics'), problems);
  const relationships = readList(RELATIONSHIPS, members, 'relationships', problems);
  content.relationships = relationships.map(({ source, type, target }) => ({
    ...(source ? { source } : {}),
    type,
    target,
  }));
  const references = readList(REFERENCES, members, 'externalReferences', problems);
  content.externalReferences = references.map(({ url, duo }) => ({ url, ...filled('duo', duo) }));
  for (const list of RECORD_LISTS) content[list] = readRecords(members, list, problems);
  return content;
}

function readList<T>(schema: z.ZodType<T[]>, members: Record<string, unknown>, name: string, problems: Problems): T[] {
  return problems.read(schema, memberOf(members, name) ?? [], [name]) ?? [];
}

const ENTRY_MEMBERS = Object.keys(characteristicSchema.shape);

function readCharacteristics(value: unknown, problems: Problems): Characteristics {
  const byName = new Map<string, Characteristic[]>();
  const members = problems.read(anyObject, value ?? {}, ['characteristics']);
  if (members === undefined) return Object.create(null) as Characteristics;
  // Names from the value itself: the copy that zod made lacks `__proto__`.
  const source = (value ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(source)) {
    if (problems.full) break;
    const path = ['characteristics', name];
    const trimmed = name.trim();
    if (trimmed === '') problems.add(path, 'has an empty name');
    if (!isStorable(name)) problems.add(path, UNSTORABLE_MESSAGE);
    const entries = problems.read(ENTRIES, source[name] ?? [], path) ?? [];
    for (const [at, sent] of entries.entries()) {
      const entry = readEntry(sent);
      if (Object.keys(entry).length > 0) addTo(byName, trimmed, entry);
      else problems.addAny([...path, at], wouldBeLost((source[name] as unknown[])[at], ENTRY_MEMBERS));
    }
  }
  const read = Object.create(null) as Characteristics;
  for (const [name, entries] of byName) read[name] = entries;
  return read;
}

export const readEntry = (entry: z.infer<typeof characteristicSchema>): Characteristic => ({
  ...(entry.text ? { text: entry.text } : {}),
  ...filled('ontologyTerms', entry.ontologyTerms),
  ...(entry.unit ? { unit: entry.unit } : {}),
  ...filled('unitOntologyTerms', entry.unitOntologyTerms),
});

function filled<K extends string>(member: K, list: readonly string[] | null | undefined): { [P in K]?: string[] } {
  const kept = list?.filter((item) => item !== '') ?? [];
  return (kept.length > 0 ? { [member]: kept } : {}) as { [P in K]?: string[] };
}

function readRecords(
  members: Record<string, unknown>,
  list: (typeof RECORD_LISTS)[number],
  problems: Problems,
): TextRecord[] {
  const records: TextRecord[] = [];
  const values = problems.read(anyList, memberOf(members, list) ?? [], [list]) ?? [];
  for (const [at, value] of values.entries()) {
    if (problems.full) break;
    if (problems.read(anyObject, value, [list, at]) === undefined) continue;
    const source = value as Record<string, unknown>;
    const record = Object.create(null) as TextRecord;
    for (const name of Object.keys(source)) {
      if (!isStorable(name)) problems.add([list, at, name], UNSTORABLE_MESSAGE);
      const member = problems.read(maybeText, source[name], [list, at, name]);
      if (member) record[name] = member;
    }
    if (Object.keys(record).length > 0) records.push(record);
  }
  return records;
}

/** The sample that a body means; undefined where it means a new one. */
export function accessionIn(body: unknown): string | undefined {
  const accession = isObject(body) ? body.accession : undefined;
  return typeof accession === 'string' && accession.trim() !== '' ? accession.trim() : undefined;
}

/** Nothing, null and a blank text name no accession, as everywhere in a body. */
export const isNoAccession = (member: unknown): boolean =>
  member === undefined || member === null || (typeof member === 'string' && member.trim() === '');
