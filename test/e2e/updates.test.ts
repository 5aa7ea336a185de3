/** Updating by editing what came back; upload(result(upload(f))) changes nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fixture, fixturesIn, withoutFixtures } from '../support/fixtures.js';
import { generateSheet } from '../support/generated-sheet.js';
import { resultRows } from '../support/invariants.js';
import { plainSheet } from '../support/plain-sheet.js';
import { Random } from '../support/random.js';
import { newSeed } from '../support/seeds.js';
import { SharedServer } from '../support/shared-server.js';

/** A case takes 0.15 s of processor, on the engines of many machines five times as much for the same reader and writer. */
const CASES = process.env.PROOF === '1' ? 5_000 : process.env.TEST_ENGINES === 'many' ? 10 : 20;
const RECEIPT = '********RECEIPT START********';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('updates');
});

const sampleOf = async (accession: string) =>
  (await server.get(`/samples/${accession}`)).json<{
    name: string;
    characteristics: Record<string, { text: string }[]>;
    submissionAccountId: string;
  }>();

describe('after a small upload', () => {
  it.each(['left in', 'cut off'])('the edited result file updates the samples, its receipt %s', async (receipt) => {
    const { answer } = await server.uploadAndSettle(plainSheet({ tag: `small ${receipt}`, rows: 20 }));
    expect(answer.status).toBe(201);
    const { accessions } = resultRows(answer.text);
    const kept = receipt === 'cut off' ? (answer.text.split(RECEIPT)[0] as string) : answer.text;
    const { status } = await server.uploadAndSettle(kept.replace('first 7', 'edited by hand'));
    expect(status.counts).toEqual({ rows: 20, created: 0, updated: 1, unchanged: 19, rejected: 0 });
    const edited = await sampleOf(accessions[7] as string);
    expect(edited.characteristics.note).toEqual([{ text: 'edited by hand' }]);
    expect((await sampleOf(accessions[6] as string)).characteristics.note).toEqual([{ text: 'first 6' }]);
  });
});

describe('a result that was sorted', () => {
  const registered = async (tag: string): Promise<string[]> => {
    const { answer } = await server.uploadAndSettle(plainSheet({ tag, rows: 5 }));
    return answer.text.split('\n').filter(Boolean);
  };
  const column = (line: string, at: number): string => line.split('\t')[at] as string;

  it('with its receipt registers none of its rows', async () => {
    const [header, ...rows] = (await registered('sorted whole')) as [string, ...string[]];
    const sheet = [header, ...rows.sort().reverse()].join('\n');
    const { status } = await server.uploadAndSettle(sheet, { options: { releaseDate: '2024-01-01' } });
    expect(status.counts).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
    expect(new Set(status.issues.map(({ code }) => code))).toEqual(new Set(['row.of-receipt']));
  });

  it('in one column is said to give its samples other names', { tags: 'slow' }, async () => {
    const [header, ...rest] = (await registered('sorted alone')) as [string, ...string[]];
    const rows = rest.slice(0, 5);
    const at = header.split('\t').indexOf('Sample Name');
    const names = rows.map((row) => column(row, at)).reverse();
    const moved = rows.map((row, n) =>
      row
        .split('\t')
        .with(at, names[n] as string)
        .join('\t'),
    );
    const { status } = await server.uploadAndSettle([header, ...moved, ''].join('\n'));
    expect(status.counts).toMatchObject({ created: 0, updated: 4, unchanged: 1 });
    expect(status.issues).toMatchObject([{ code: 'name.changed', count: 4, severity: 'warning' }]);
  });
});

describe('after a large upload', () => {
  it('the original with the identifiers of the mapping updates the samples', async () => {
    const rows = 1_500;
    const first = await server.uploadAndSettle(plainSheet({ tag: 'large', rows }));
    expect(first.answer.status).toBe(202);
    expect(first.answer.text.split('\n').filter(Boolean)).toEqual(['Submission ID', first.id]);
    const accessions = (await server.mapping(first.id)).sampleNameAccessionPairs.map((pair) => pair.sampleAccession);
    expect(accessions).toHaveLength(rows);
    const again = await server.uploadAndSettle(plainSheet({ tag: 'large', rows, accessions, note: 'second' }));
    expect(again.status.counts).toEqual({ rows, created: 0, updated: rows, unchanged: 0, rejected: 0 });
    expect((await sampleOf(accessions[777] as string)).characteristics.note).toEqual([{ text: 'second 777' }]);
  });
});

describe('mixed files', () => {
  it('new rows are registered and rows with an identifier updated; unknown and foreign accessions are row errors', async () => {
    const mine = await server.token('mixed-lab');
    const theirs = await server.uploadAndSettle(plainSheet({ tag: 'theirs', rows: 1 }));
    const [foreign] = resultRows(theirs.answer.text).accessions as [string];
    const first = await server.uploadAndSettle(plainSheet({ tag: 'mine', rows: 3 }), { token: mine });
    const { accessions } = resultRows(first.answer.text);
    const sheet = plainSheet({
      tag: 'mine',
      rows: 6,
      accessions: [...accessions, '', foreign, 'SAMR999999999'],
      note: 'second',
    });
    const { status, answer } = await server.uploadAndSettle(sheet, { token: mine });
    expect(status.counts).toEqual({ rows: 6, created: 1, updated: 3, unchanged: 0, rejected: 2 });
    expect(answer.text).toContain('identifier.not-yours');
    expect(answer.text).toContain('identifier.unknown');
    const result = resultRows(answer.text).accessions;
    expect(result.slice(0, 3)).toEqual(accessions);
    // What the user wrote stays: blank, these rows would register new samples when they are sent again.
    expect(result.slice(4)).toEqual([foreign, 'SAMR999999999']);
    expect((await sampleOf(foreign)).characteristics.note).toEqual([{ text: 'first 0' }]);
  });
});

describe('a result uploaded again as it is changes nothing', () => {
  type First = Awaited<ReturnType<SharedServer['uploadAndSettle']>>;

  async function resultAgain(first: First, options: Record<string, string>, what: string): Promise<void> {
    const { rows, rejected } = first.status.counts;
    if (rows === rejected) return;
    const result = first.answer.status === 201 ? first.answer.text : await server.result(first.id);
    const second = await server.uploadAndSettle(result, { options });
    expect(second.status.counts, what).toEqual({ rows, created: 0, updated: 0, unchanged: rows - rejected, rejected });
    const dataOf = (text: string) => text.split(RECEIPT)[0];
    expect(dataOf(await server.result(second.id)), what).toBe(dataOf(result));
  }

  it(`for ${CASES} generated files`, { tags: 'slow' }, async () => {
    const seed = newSeed();
    for (let at = 0; at < CASES; at++) {
      const random = new Random(seed + at);
      const { text, rows, bad } = generateSheet(random, 2 + random.below(11));
      const first = await server.uploadAndSettle(text);
      const what = `seed ${seed + at}: ${JSON.stringify(text)}`;
      expect(first.status.counts, what).toEqual({ rows, created: rows - bad, updated: 0, unchanged: 0, rejected: bad });
      await resultAgain(first, {}, what);
    }
  });

  it.skipIf(withoutFixtures('results of fixtures uploaded again'))(
    'for every fixture that is accepted',
    { tags: 'slow' },
    async () => {
      for (const folder of ['dialect', 'isa']) {
        const files = fixturesIn(folder).filter((file) => !file.startsWith('D02'));
        expect(files.length).toBeGreaterThan(0);
        for (const file of files) {
          // No real ISA-Tab table has a Release Date column.
          const options: Record<string, string> = folder === 'isa' ? { releaseDate: '2024-01-01' } : {};
          const first = await server.uploadAndSettle(fixture(`${folder}/${file}`), { options });
          await resultAgain(first, options, file);
        }
      }
    },
  );
});
