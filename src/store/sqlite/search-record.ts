/** One sample as the search index reads it: what bounds the reading first, the content only when it is wanted. */
import type { CurationLink } from '../../registry/curation.js';
import type { SampleHead } from '../../registry/indexed-sample.js';
import type { SampleContent } from '../../registry/sample.js';
import type { ContentRecord } from '../../registry/search-store.js';
import type { SampleRow } from '../sample-row.js';
import { sqliteAnnotations } from './annotations.js';
import { CurrentSamples } from './current-samples.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { readSampleRow } from './sample-rows.js';

export interface HeadRow extends SampleHead {
  /** By number. */
  account: number;
  release: number;
  updated: number;
  /** 1 when an administrator's status hides it. */
  hidden: number;
}

export interface SearchRecords {
  head(id: number): HeadRow | undefined;
  /** Content and curations with all of the sample's row; undefined when there is none. */
  record(id: number): ContentRecord | undefined;
  content(id: number): { content: SampleContent; curationLinks: CurationLink[] };
}

const CURATION_BYTES = `select coalesce(sum(octet_length(c.lists)), 0) as bytes
  from curation_link l join curation c on c.hash = l.curation where l.sample = ?`;

/** Inside a read of the store. */
export function sqliteSearchRecords(store: SqliteDatabase, names: Names): SearchRecords {
  const annotations = sqliteAnnotations(store, names);
  const samples = new CurrentSamples(store, names);
  /** The content is mostly asked for right after the head. */
  let last: { row: SampleRow | undefined; snapshot: number } | undefined;
  const record = (id: number): ContentRecord | undefined => {
    const isRead = last?.snapshot === store.snapshot && last.row?.id === id;
    const row = isRead ? last?.row : samples.row(id);
    last = undefined;
    return row && { sample: readSampleRow(row, names), curationLinks: annotations.readLinks(id) };
  };
  return {
    record,
    head: (id) => {
      const row = samples.row(id);
      last = { row, snapshot: store.snapshot };
      if (row === undefined) return undefined;
      const { name, account, release, updated, admin_status: status, doc } = row;
      const curations = store.sql<{ bytes: number }>(CURATION_BYTES).get(id)?.bytes ?? 0;
      const bytes = Buffer.byteLength(doc) + curations;
      return { id, name, account, release, updated, hidden: status === null ? 0 : 1, bytes };
    },
    content: (id) => {
      const found = record(id);
      if (found === undefined) throw new Error(`the store has lost sample number ${id}`);
      return { content: found.sample.content, curationLinks: found.curationLinks };
    },
  };
}
