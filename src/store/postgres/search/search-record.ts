/** Samples as the search index reads them: what bounds the reading first, the content only when it is wanted. */
import type { CurationLink } from '../../../registry/curations/curation.js';
import { contentOf } from '../../../registry/samples/decide.js';
import type { SampleContent } from '../../../registry/samples/sample.js';
import type { SampleHead } from '../../../registry/search/indexed-sample.js';
import type { SampleRow } from '../../rows/sample-row.js';
import { requireIntact } from '../../sample-checksum.js';
import { preparedOnce } from '../prepared-statements.js';
import { readLinks } from '../samples/annotations.js';
import type { Names } from '../samples/names.js';
import { samplesOf } from '../samples/present-samples.js';
import { layoutIn } from '../samples/sample-rows.js';
import type { Reader } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';

const HEADS = preparedOnce(
  `select x.id, name, account, release, updated, admin_status is not null as hidden, octet_length(doc) +
     (select coalesce(sum(octet_length(c.lists)), 0) from curation_link l join curation c on c.hash = l.curation
      where l.sample = x.id)::bigint as bytes
   from ${samplesOf('$1')} x`,
);
const ROWS = preparedOnce(`select * from ${samplesOf('$1')} x`);

export interface HeadRow extends SampleHead {
  /** By number. */
  account: number;
  release: number;
  updated: number;
  /** True when an administrator's status hides it. */
  hidden: boolean;
}

export async function readHeads(reader: Reader, ids: readonly number[]): Promise<Map<number, HeadRow>> {
  // To plan it takes longer than all else that an indexer asks for while there is nothing to do.
  if (ids.length === 0) return new Map();
  const rows = await reader.rows<HeadRow>(HEADS, [numberArray(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads one sample's content out of what was fetched for all of `ids`; throws where a stored one cannot be read. */
export async function contentReader(
  reader: Reader,
  names: Names,
  ids: readonly number[],
): Promise<(id: number) => { content: SampleContent; curationLinks: CurationLink[] }> {
  const asked = numberArray(ids);
  const rows = await reader.rows<SampleRow>(ROWS, [asked]);
  const layouts = await names.layoutsOf(
    reader,
    rows.map(({ layout }) => layout),
  );
  const links = await readLinks(reader, asked);
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id) => {
    const row = found.get(id);
    if (row === undefined) throw new Error(`sample number ${id} was not asked for`);
    requireIntact(row, names);
    const content = contentOf({ layout: layoutIn(layouts, row.layout), doc: row.doc });
    return { content, curationLinks: links.get(id) ?? [] };
  };
}
