/** Plain sheets keep what they say, and nobody's samples become public by accident: over HTTP, on the real server. */
import { beforeAll, describe, expect, it } from 'vitest';
import { resultRows } from '../support/invariants.js';
import { SharedServer } from '../support/shared-server.js';
import { toTsv, toXlsx } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('nothing-lost');
});

const RECEIPT = '********RECEIPT START********';
const table = (...rows: string[][]): string => toTsv(rows);
const LATER = '2090-01-01';

interface Sample {
  name: string;
  release: string;
  characteristics: Record<string, { text: string; unit?: string }[]>;
}
const sampleOf = async (accession: string): Promise<Sample> =>
  (await server.get(`/samples/${accession}`)).json<Sample & Record<string, unknown>>();

const receiptRow = (text: string, label: string): string[] | undefined =>
  (text.split(RECEIPT)[1] as string)
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([first]) => first === label);

describe('a sheet with plain headers', () => {
  const HEADER = [
    'Sample Name',
    'Release Date',
    'organism',
    'age',
    'Unit',
    'collection date',
    'Source Name',
    'Material[x]',
  ];
  const ROW = ['p1', '2024-05-01', 'Mus musculus', '5', 'week', '2023-01-02', 'src', 'x'];

  it('has its columns kept as characteristics, and says so in receipt and status', async () => {
    const { answer, status } = await server.uploadAndSettle(table(HEADER, ROW));
    const [accession] = resultRows(answer.text).accessions as [string];
    expect((await sampleOf(accession)).characteristics).toEqual({
      organism: [{ text: 'Mus musculus' }],
      age: [{ text: '5', unit: 'week' }],
      'collection date': [{ text: '2023-01-02' }],
    });
    expect(receiptRow(answer.text, 'Columns kept as characteristics because of a plain header')?.slice(1)).toEqual([
      'organism',
      'age',
      'collection date',
    ]);
    expect(status).toMatchObject({
      columns: {
        fromPlainHeaders: { count: 3, headers: ['organism', 'age', 'collection date'] },
        notStored: { count: 2, headers: ['Source Name', 'Material[x]'] },
        nothingStored: false,
      },
      options: { unknownColumns: 'characteristics' },
    });
    expect(status.issues).toEqual([]);
  });

  it('has them left out when asked to, and is then warned that nothing is stored', async () => {
    const text = table([...HEADER.slice(0, 3), 'tissue'], ['q1', '2024-05-01', 'Mus musculus', 'liver']);
    const { answer, status } = await server.uploadAndSettle(text, { options: { unknownColumns: 'ignore' } });
    expect(status).toMatchObject({ columns: { nothingStored: true, fromPlainHeaders: { count: 0 } } });
    expect(status.issues).toMatchObject([{ code: 'sheet.nothing-stored', severity: 'warning', count: 1, lines: [1] }]);
    expect(status.issues[0]?.message).toMatch(/organism, tissue.*unknownColumns=characteristics/);
    expect(receiptRow(answer.text, 'line 1')?.[2]).toBe('sheet.nothing-stored');
  });
});

describe('a sheet of nothing but names and dates', () => {
  const names = (tag: string, rows: number) =>
    table(
      ['Sample Name', 'Release Date', 'Characteristics[organism]'],
      ...Array.from({ length: rows }, (_, at) => [`${tag} ${at}`, '2024-05-01', '']),
    );

  it.each([
    ['small', 3, {}],
    ['of several batches', 2_500, {}],
    ['only checked', 3, { dryRun: 'true' }],
    ['all or nothing', 3, { mode: 'atomic' }],
  ])('is warned of in every outcome (%s)', async (tag, rows, options) => {
    const { status, id } = await server.uploadAndSettle(names(tag, rows), { options });
    expect(status.counts).toMatchObject({ rows, created: rows });
    expect(status.issues).toMatchObject([{ code: 'sheet.nothing-stored', severity: 'warning', count: 1 }]);
    expect(receiptRow(await server.result(id), 'line 1')?.[2]).toBe('sheet.nothing-stored');
  });

  it('is not warned of once one row says more, however late', async () => {
    const last = 'late\t2024-05-01\tHomo sapiens\n';
    const { status } = await server.uploadAndSettle(names('late', 2_500) + last);
    expect(status.issues).toEqual([]);
  });

  it('is warned of in a workbook, by the name of the sheet that was read', async () => {
    const bytes = await toXlsx(
      [
        ['Sample Name', 'Release Date'],
        ['w1', '2024-05-01'],
      ],
      'Names',
    );
    const { status } = await server.uploadAndSettle(bytes, { name: 'w.xlsx' });
    expect(status.issues).toMatchObject([{ code: 'sheet.nothing-stored' }]);
    expect(status.issues[0]?.message).toContain('the sheet "Names"');
  });
});

describe('samples under embargo', () => {
  const HEADER = ['Sample Name', 'Characteristics[organism]'];
  const register = async (tag: string) => {
    const rows = Array.from({ length: 6 }, (_, at) => [`${tag} ${at}`, 'Homo sapiens']);
    const first = await server.uploadAndSettle(table(HEADER, ...rows), { options: { releaseDate: LATER } });
    const { accessions } = resultRows(first.answer.text);
    const releases = () => Promise.all(accessions.map(async (one) => (await sampleOf(one)).release.slice(0, 10)));
    return { ...first, accessions, releases };
  };
  const sixTimes = (release: string) => Array(6).fill(release);
  const withoutDates = (result: string): string =>
    (result.split(RECEIPT)[0] as string)
      .split('\n')
      .map((line) =>
        line
          .split('\t')
          .filter((_, at) => at !== 2)
          .join('\t'),
      )
      .join('\n');

  it('the result carries the date that came from the option, and sent again it changes nothing', async () => {
    const { answer, status } = await register('carry');
    const [header, row] = answer.text.split('\n').map((line) => line.split('\t'));
    expect(header).toEqual([...HEADER, 'Release Date', 'Sample Identifier']);
    expect(row?.[2]).toBe(LATER);
    expect(status).toMatchObject({ becomePublic: 0, createdPublic: 0 });
    const again = await server.uploadAndSettle(answer.text);
    expect(again.status.counts).toMatchObject({ unchanged: 6, updated: 0, created: 0 });
  });

  it.each(['replace', 'merge'])('an edited result without dates keeps each release (update=%s)', async (update) => {
    const { answer, releases } = await register(`edit ${update}`);
    const edited = withoutDates(answer.text).replace('Homo sapiens', 'Mus musculus');
    const { status } = await server.uploadAndSettle(edited, { options: { update } });
    expect(status).toMatchObject({ counts: { updated: 1, unchanged: 5, rejected: 0 }, becomePublic: 0 });
    expect(await releases()).toEqual(sixTimes(LATER));
  });

  it('the option moves none of them, but with releaseExisting=true, which is counted before and after', async () => {
    const { answer, accessions, releases } = await register('option');
    const text = withoutDates(answer.text);
    const today = { releaseDate: '2024-01-01' };
    const kept = await server.uploadAndSettle(text, { options: today });
    expect(kept.status).toMatchObject({ counts: { unchanged: 6 }, becomePublic: 0 });
    expect(await releases()).toEqual(sixTimes(LATER));
    const options = { ...today, releaseExisting: 'true' };
    const dry = await server.uploadAndSettle(text, { options: { ...options, dryRun: 'true' } });
    expect(dry.status).toMatchObject({ counts: { updated: 6 }, becomePublic: 6, createdPublic: 0 });
    expect(receiptRow(dry.answer.text, 'Would become public')?.[1]).toBe('6');
    const changes = (await server.get(`/submissions/${dry.id}/changes`)).json<{ changes: { column: string }[] }>();
    expect(changes.changes.map(({ column }) => column)).toEqual(sixTimes('Release Date'));
    expect(await releases()).toEqual(sixTimes(LATER));
    const moved = await server.uploadAndSettle(text, { options });
    expect(moved.status).toMatchObject({ counts: { updated: 6 }, becomePublic: 6 });
    expect(receiptRow(moved.answer.text, 'Became public')?.[1]).toBe('6');
    expect(await releases()).toEqual(sixTimes('2024-01-01'));
    expect((await server.get(`/samples/${accessions[0]}`, { token: null })).status).toBe(200);
  });

  it('a date of a row moves its sample, and new rows take the option', async () => {
    const { accessions, releases } = await register('mixed');
    const text = table(
      [...HEADER, 'Sample Identifier', 'Release Date'],
      ['mixed 0', 'Homo sapiens', accessions[0] as string, '2024-02-02'],
      ['mixed 1', 'Homo sapiens', accessions[1] as string, ''],
      ['mixed new', 'Homo sapiens', '', ''],
    );
    const { answer, status } = await server.uploadAndSettle(text, { options: { releaseDate: '2024-03-03' } });
    expect(status).toMatchObject({
      counts: { updated: 1, unchanged: 1, created: 1 },
      becomePublic: 1,
      createdPublic: 1,
    });
    expect((await releases()).slice(0, 2)).toEqual(['2024-02-02', LATER]);
    const dates = answer.text.split('\n').slice(1, 4);
    expect(dates.map((line) => line.split('\t')[3])).toEqual(['2024-02-02', '', '2024-03-03']);
    const again = await server.uploadAndSettle(answer.text);
    expect(again.status).toMatchObject({ counts: { unchanged: 3 }, becomePublic: 0 });
  });

  it('a file without dates is refused when a row names no sample, with the line; a large one, too', async () => {
    const { accessions } = await register('refused');
    const named = accessions.map((one, at) => [`refused ${at}`, 'Homo sapiens', one]);
    for (const rows of [
      [...named, ['x', 'Homo sapiens', '']],
      [...named, ...Array(2000).fill(['y', 'z', ''])],
    ]) {
      const answer = await server.upload(table([...HEADER, 'Sample Identifier'], ...rows));
      expect(answer.status).toBe(422);
      const { code, message, line } = answer.json<{ code: string; message: string; line: number }>();
      expect([code, line]).toEqual(['file.header', 1]);
      expect(message).toMatch(/no Release Date column.*line 8 has no Sample Identifier/);
    }
  });

  it('releaseExisting without a date is refused', async () => {
    const answer = await server.upload(table(HEADER, ['a', 'b']), { options: { releaseExisting: 'true' } });
    expect(answer.status).toBe(400);
    expect(answer.json<{ message: string }>().message).toContain('releaseDate');
  });
});

describe('the same file again, its columns read otherwise', () => {
  const sheet = (tag: string) =>
    table(
      ['Sample Name', 'Release Date', 'organism', 'tissue'],
      ...Array.from({ length: 6 }, (_, at) => [`${tag} ${at}`, LATER, 'Homo sapiens', `tissue ${at}`]),
    );
  const ignored = { unknownColumns: 'ignore' };
  const register = async (tag: string) => {
    const first = await server.uploadAndSettle(sheet(tag), { options: ignored });
    const { accessions } = resultRows(first.answer.text);
    const stored = () => Promise.all(accessions.map(async (one) => Object.keys((await sampleOf(one)).characteristics)));
    return { ...first, accessions, stored };
  };
  const rename = async (accession: string) => {
    const sample = await sampleOf(accession);
    const answer = await server.send('PUT', `/samples/${accession}`, { ...sample, name: 'renamed by hand' });
    expect(answer.status).toBe(200);
  };

  it('updates the samples of the first upload line by line, there and back', async () => {
    const { id, accessions, stored } = await register('reread');
    expect(await stored()).toEqual(sixTimesOf([]));
    const dry = await server.uploadAndSettle(sheet('reread'), { options: { dryRun: 'true' } });
    expect(dry.status.counts).toMatchObject({ created: 0, updated: 6 });
    const second = await server.uploadAndSettle(sheet('reread'));
    expect(second.status).toMatchObject({
      counts: { rows: 6, created: 0, updated: 6, rejected: 0 },
      becomePublic: 0,
      options: { rereadOf: id },
    });
    expect(resultRows(second.answer.text).accessions).toEqual(accessions);
    expect(await stored()).toEqual(sixTimesOf(['organism', 'tissue']));
    const repeated = await server.upload(sheet('reread'));
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.headers.get('location')).toContain(second.id);
    const back = await server.uploadAndSettle(sheet('reread'), { options: ignored });
    expect(back.status.counts).toMatchObject({ created: 0, updated: 6 });
    expect(await stored()).toEqual(sixTimesOf([]));
  });

  it('may be undone, and read anew after that', async () => {
    const { stored } = await register('undone');
    const second = await server.uploadAndSettle(sheet('undone'));
    const undo = await server.call(`/submissions/${second.id}/undo`, { method: 'POST' });
    expect([201, 202]).toContain(undo.status);
    await server.settled(undo.json<{ submissionId: string }>().submissionId);
    expect(await stored()).toEqual(sixTimesOf([]));
    const third = await server.uploadAndSettle(sheet('undone'));
    expect(third.status.counts).toMatchObject({ created: 0, updated: 6, rejected: 0 });
    expect(await stored()).toEqual(sixTimesOf(['organism', 'tissue']));
  });

  it.each([{}, { dryRun: 'true' }])(
    'is refused when a sample was changed since, which it names, with what can be done (%o)',
    async (options) => {
      const tag = `changed ${Object.keys(options)}`;
      const { id, accessions, stored } = await register(tag);
      await rename(accessions[2] as string);
      const answer = await server.upload(sheet(tag), { options });
      expect(answer.status).toBe(409);
      const problem = answer.json<{ message: string; offers: { action: string; options: Record<string, string> }[] }>();
      expect(problem).toMatchObject({
        code: 'submission.same-file-other-options',
        submissionId: id,
        differingOptions: ['unknownColumns'],
        changedSamples: [{ line: 4, accession: accessions[2] }],
        offers: [{ action: 'register-anew', options: { duplicate: 'allow' } }],
      });
      expect(problem.message).toContain(`${accessions[2]} (line 4)`);
      expect(await stored()).toEqual(sixTimesOf([]));
      const anew = await server.uploadAndSettle(sheet(tag), { options: { ...options, ...problem.offers[0]?.options } });
      expect(anew.status.counts).toMatchObject({ created: 6, updated: 0 });
    },
  );

  it('with another date only is refused, and the offer moves the release', async () => {
    const text = table(['Sample Name', 'organism'], ['dated 1', 'Homo sapiens']);
    const first = await server.uploadAndSettle(text, { options: { releaseDate: LATER } });
    const [accession] = resultRows(first.answer.text).accessions as [string];
    const options = { releaseDate: '2024-01-01' };
    const answer = await server.upload(text, { options });
    expect(answer.status).toBe(409);
    const { offers } = answer.json<{ offers: { action: string; options: Record<string, string> }[] }>();
    expect(offers.map(({ action }) => action)).toEqual(['move-release', 'register-anew']);
    expect((await sampleOf(accession)).release.slice(0, 10)).toBe(LATER);
    const moved = await server.uploadAndSettle(text, { options: { ...options, ...offers[0]?.options } });
    expect(moved.status).toMatchObject({ counts: { updated: 1, created: 0 }, becomePublic: 1 });
    expect((await sampleOf(accession)).release.slice(0, 10)).toBe('2024-01-01');
  });
});

const sixTimesOf = (names: string[]): string[][] => Array.from({ length: 6 }, () => names);
