/** Rows of `curation_link` and `structured_data` as both stores have them. */
import type { CurationLink } from '../../registry/curations/curation.js';
import type { CurationUsage } from '../../registry/curations/curation-limits.js';
import { RegistryError } from '../../registry/errors.js';
import type { StructuredDataRow, StructuredDataTable } from '../../registry/structured-data/structured-data.js';

export interface LinkRow {
  hash: string;
  curation: string;
  lists: string;
  domain: string | null;
  created: number;
  declined: number | null;
}

export const linkOf = (row: LinkRow, account: string): CurationLink => ({
  curation: curationOf(row.curation, row.lists),
  domain: row.domain,
  account,
  created: row.created,
  ...(row.declined === null ? {} : { declined: row.declined }),
  hash: row.hash,
});

export const curationOf = (hash: string, lists: string): CurationLink['curation'] => ({
  ...(JSON.parse(lists) as Omit<CurationLink['curation'], 'hash'>),
  hash,
});

/** A new curation as it is stored, and what it adds to what is attached to a sample, in bytes. */
export function newCuration({ curation, domain }: CurationLink): { hash: string; lists: string; bytes: number } {
  const { hash, ...others } = curation;
  const lists = JSON.stringify(others);
  return { hash, lists, bytes: Buffer.byteLength(lists) + Buffer.byteLength(domain ?? '') };
}

/** SQL: a curation of which a link was taken away goes, unless another sample has it too. */
export const UNUSED_CURATION = (hash: string): string =>
  `delete from curation where hash = ${hash} and not exists (select 1 from curation_link where curation = ${hash})`;

export interface UsageRow {
  links: number;
  bytes: number;
  own_links: number;
  own_bytes: number;
}

export const usageOf = ({ links, bytes, own_links, own_bytes }: UsageRow): CurationUsage => ({
  links,
  bytes,
  ofAccount: { links: own_links, bytes: own_bytes },
});

export interface TableRow {
  domain: string | null;
  type: string;
  schema: string | null;
  content: string;
  created: number;
  updated: number;
}

/** Fields have no prototype: their names are whatever somebody wrote. */
export const tableOf = (row: TableRow, account: string): StructuredDataTable => ({
  domain: row.domain,
  account,
  type: row.type,
  schema: row.schema,
  content: (JSON.parse(row.content) as StructuredDataRow[]).map((fields) =>
    Object.assign(Object.create(null) as StructuredDataRow, fields),
  ),
  created: row.created,
  updated: row.updated,
});

/** Columns of a table, in the order of their values. */
export const NEW_TABLE = 'sample, account, domain, type, schema, content, created, updated';
export const newTableValues = (
  sample: number,
  account: number,
  { domain, type, schema, content }: StructuredDataTable,
  created: number | undefined,
  now: number,
): unknown[] => [sample, account, domain, type, schema, JSON.stringify(content), created ?? now, now];

/** Whether an account's rows, in their order, say what these tables say. Members in another order say something else: they are shown in it. */
export const sayTables = (rows: readonly TableRow[], tables: readonly StructuredDataTable[]): boolean =>
  rows.length === tables.length &&
  tables.every(({ domain, type, schema, content }, at) => {
    const row = rows[at] as TableRow;
    const same = row.type === type && row.domain === domain && row.schema === schema;
    return same && row.content === JSON.stringify(content);
  });

/** When the first of an account's tables was attached; undefined where it has none. */
export const firstAttached = (rows: readonly TableRow[]): number | undefined =>
  rows.length === 0 ? undefined : Math.min(...rows.map(({ created }) => created));

export const noSample = (id: number): RegistryError =>
  new RegistryError('sample.not-found', `There is no sample number ${id}.`);
