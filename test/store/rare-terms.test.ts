/** How much of the index PostgreSQL reads for a search, whatever is asked for: it thinks that rare terms are frequent. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import {
  type EntryQuery,
  eachEntry,
  findByTerms,
  findEntries,
} from '../../src/store/postgres/search/search-entries.js';
import type { Reader } from '../../src/store/postgres/submissions/submission-rows.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { without } from '../support/services.js';

const SAMPLES = 120_000;
/** Of a page and the look ahead. */
const PAGE = 21;

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: Node[];
}

describe.skipIf(without('postgres'))('a search on PostgreSQL', () => {
  let client: pg.Client;
  let looked = 0;
  const rowsOf = (node: Node): number =>
    (node['Relation Name'] === undefined
      ? 0
      : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']) +
    (node.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), 0);
  /** Runs each statement, and counts the rows that it looked at. */
  const reader: Reader = {
    rows: async <Row>(text: string, values: unknown[] = []) => {
      if (!text.startsWith('explain')) {
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
        looked += rowsOf(rows[0]['QUERY PLAN'][0].Plan);
      }
      return (await client.query(text, values)).rows as Row[];
    },
    one: async <Row>(text: string, values: unknown[] = []) => (await reader.rows<Row>(text, values))[0],
  };

  beforeAll(async () => {
    const url = freshSchemaUrl();
    await (await openPostgresStore(url, { prefix: 'SAMR' })).close();
    const address = new URL(url);
    const schema = address.searchParams.get('schema') as string;
    for (const own of ['schema', 'pool']) address.searchParams.delete(own);
    client = new pg.Client({
      connectionString: address.href,
      options: `-c search_path=${schema}`,
      types: {
        getTypeParser: ((oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid))) as never,
      },
    });
    await client.connect();
    await client.query(
      `insert into entry select n, 1 + n % 2, 0, 0, false, true, array_to_tsvector(array[
         'all', 'name' || n, 'tissue' || n % 7, 'donor' || n / 4, case when n <= 30 then 'oldest' else 'newer' end,
         case when n <= 6000 then 'batch' else 'none' end])
       from generate_series(1, ${SAMPLES}) n`,
    );
    await client.query('analyze entry');
  });
  afterAll(async () => {
    await client.end();
    await dropSchemas();
  });

  const asked = (groups: string[][], more: Partial<EntryQuery> = {}): EntryQuery => ({
    wanted: { query: { terms: groups, now: 1, size: 20 }, accounts: undefined, visible: 'open' },
    except: [],
    ...more,
  });
  const search = async (query: EntryQuery, limit = PAGE): Promise<number[]> => {
    looked = 0;
    return findEntries(reader, query, limit);
  };
  const upTo = (last: number, count: number) => Array.from({ length: count }, (_, n) => last - n);

  it.each<[string, string[][], number[]]>([
    ['a name', [['name77']], [77]],
    ['several names', [['name77', 'name50000', 'name119999', 'name3']], [119_999, 50_000, 77, 3]],
    ['a name and what all have', [['all'], ['name77']], [77]],
    ['a name of none', [['nobody']], []],
    ['some of the oldest', [['oldest']], upTo(30, PAGE)],
    ['a donor of few', [['donor9']], [39, 38, 37, 36]],
    ['what all have', [['all']], upTo(SAMPLES, PAGE)],
  ])('by %s finds the newest of them and looks at few others', async (_name, groups, ids) => {
    expect(await search(asked(groups))).toEqual(ids);
    expect(looked).toBeLessThan(SAMPLES / 5);
  });

  it('goes on behind what was read, to the last', async () => {
    expect(await search(asked([['oldest']], { before: 10 }))).toEqual(upTo(9, 9));
    expect(await search(asked([['all'], ['name8']], { before: 8 }))).toEqual([]);
    const all: number[] = [];
    await eachEntry(reader, asked([['oldest', 'name50000']]), (ids) => all.push(...ids));
    expect(all).toEqual([50_000, ...upTo(30, 30)]);
  });

  it('keeps to the other conditions, whichever way it goes', async () => {
    const query = asked([['oldest']], { except: [28] });
    query.wanted.accounts = [1];
    expect(await search(query)).toEqual([30, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2]);
    expect(looked).toBeLessThan(SAMPLES / 5);
  });

  it('of an account by two hundred names at once looks at those alone', async () => {
    looked = 0;
    const names = Array.from({ length: 200 }, (_, n) => `name${n * 600 + 2}`);
    const query = asked([names]);
    query.wanted.accounts = [1];
    expect(await findByTerms(reader, query, 1000, names)).toHaveLength(200);
    expect(looked).toBeLessThan(1_000);
  });
});
