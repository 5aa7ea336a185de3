/** Reads and writes the document of a sample's structured data. */
import { z } from 'zod';
import {
  anyList,
  anyObject,
  isStorable,
  maybeText,
  memberOf,
  Problems,
  requireObject,
  UNSTORABLE_MESSAGE,
} from '../body.js';
import { formatDateTime } from '../date-time.js';
import { canonicalJson, sameJson } from '../samples/canonical.js';
import { type RepresentationSettings, type StructuredDataDocument, tableDocument } from '../samples/representation.js';
import type { StructuredDataRow, StructuredDataTable } from './structured-data.js';
import { structuredDataCellSchema, structuredDataTableSchema } from './structured-data-schema.js';

/** A table as a request says it; `account` null: the caller's. */
export type SentTable = Omit<StructuredDataTable, 'account' | 'created' | 'updated'> & { account: string | null };

export interface StructuredDataBody {
  accession?: string;
  tables: SentTable[];
}

export interface StructuredDataSetDocument {
  accession: string;
  create: string;
  update: string;
  data: StructuredDataDocument[];
}

/** Whether a sample's `data` says what is attached to it: absent, null and empty members are the same. */
export function sameTables(
  data: unknown,
  present: readonly StructuredDataTable[],
  accountFields: readonly string[],
): boolean {
  if (!Array.isArray(data)) return false;
  const problems = new Problems();
  const sent = data.map((value, at) => readTable(value, ['data', at], accountFields, problems));
  return problems.found.length === 0 && sameJson(sent, present.map(asSent));
}

/** The first of these that is not there, of the account that it names. */
export function notThere(sent: readonly SentTable[], present: readonly StructuredDataTable[]): SentTable | undefined {
  const accounts = new Set(sent.map(({ account }) => account));
  const theirs = present.filter(({ account }) => accounts.has(account));
  const stored = new Set(theirs.map((table) => canonicalJson(asSent(table))));
  return sent.find((table) => !stored.has(canonicalJson(table)));
}

const asSent = ({ domain, account, type, schema, content }: StructuredDataTable): SentTable => ({
  domain: domain || null,
  account,
  type,
  schema: schema || null,
  content,
});

/** Of one account on one sample: each is a row of the store. */
const MAX_TABLES = 1_000;

const CELLS = z.array(structuredDataCellSchema);
const TABLE_HEAD = structuredDataTableSchema.omit({ content: true });

/** @throws RegistryError request.invalid, data.invalid; an empty list of tables is refused */
export function parseStructuredData(body: unknown, accountFields: readonly string[]): StructuredDataBody {
  const members = requireObject(body);
  const problems = new Problems();
  const accession = problems.read(maybeText, memberOf(members, 'accession'), ['accession']);
  const values = problems.read(anyList, memberOf(members, 'data'), ['data']);
  if (values?.length === 0) problems.add(['data'], 'must hold at least one table');
  if (values && values.length > MAX_TABLES) {
    problems.add(['data'], `must hold at most ${MAX_TABLES} tables, not ${values.length}`);
    problems.throwAs('data.invalid');
  }
  const tables: SentTable[] = [];
  for (const [at, value] of (values ?? []).entries()) {
    if (problems.full) break;
    const table = readTable(value, ['data', at], accountFields, problems);
    if (table) tables.push(table);
  }
  problems.throwAs('data.invalid');
  return { ...(accession ? { accession } : {}), tables };
}

function readTable(
  value: unknown,
  path: readonly PropertyKey[],
  accountFields: readonly string[],
  problems: Problems,
): SentTable | undefined {
  if (problems.read(anyObject, value, path) === undefined) return undefined;
  const members = value as Record<string, unknown>;
  const account = accountFields.map((field) => memberOf(members, field)).find((one) => typeof one === 'string');
  const head = problems.read(
    TABLE_HEAD,
    { ...picked(members, ['domain', 'type', 'schema']), submissionAccountId: account },
    path,
  );
  const rows = problems.read(anyList, memberOf(members, 'content'), [...path, 'content']) ?? [];
  const content: StructuredDataRow[] = [];
  for (const [at, row] of rows.entries()) {
    if (problems.full) break;
    content.push(readRow(row, [...path, 'content', at], problems));
  }
  if (head === undefined) return undefined;
  return {
    domain: head.domain || null,
    account: head.submissionAccountId || null,
    type: head.type,
    schema: head.schema || null,
    content,
  };
}

const picked = (members: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, memberOf(members, name)]));

function readRow(value: unknown, path: readonly PropertyKey[], problems: Problems): StructuredDataRow {
  const row = Object.create(null) as StructuredDataRow;
  if (problems.read(anyObject, value, path) === undefined) return row;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members);
  // All at once is several times faster than one by one, which is for telling where something is wrong.
  const cells = CELLS.safeParse(names.map((name) => members[name]));
  if (cells.success && names.every(isStorable)) {
    for (const [at, { value: text, iri }] of cells.data.entries())
      row[names[at] as string] = { value: text, iri: iri ?? null };
    return row;
  }
  for (const name of names) {
    if (problems.full) break;
    if (!isStorable(name)) problems.add([...path, name], UNSTORABLE_MESSAGE);
    const cell = problems.read(structuredDataCellSchema, members[name], [...path, name]);
    if (cell) row[name] = { value: cell.value, iri: cell.iri ?? null };
  }
  return row;
}

/** Of all tables, the earliest creation and the latest update. */
export function structuredDataDocument(
  accession: string,
  tables: readonly StructuredDataTable[],
  settings: Pick<RepresentationSettings, 'accountFieldAlias'>,
): StructuredDataSetDocument {
  return {
    accession,
    create: formatDateTime(Math.min(...tables.map(({ created }) => created))),
    update: formatDateTime(Math.max(...tables.map(({ updated }) => updated))),
    data: tables.map((table) => tableDocument(table, settings)),
  };
}
