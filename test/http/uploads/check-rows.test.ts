/** Changed rows checked before they are sent, and the rows with warnings beside the rejected ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

interface Checked {
  rows: { line: number; issues: { code: string; message: string }[] }[];
}

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[plate]', 'Characteristics[organism]'];
const sheet = (rows: string[][]) => [HEADER, ...rows].map((row) => `${row.join('\t')}\n`).join('');
const good = Array.from({ length: 12 }, (_, n) => [`p ${n}`, '2024-01-01', `000${10 + n}`, 'Homo sapiens']);

describe('changed rows', () => {
  let service: Service;
  let token: string;
  beforeAll(async () => {
    service = await startService();
    token = await service.token('lab-1');
  });
  afterAll(() => service.stop());

  const upload = async (rows: string[][], options: Record<string, string> = {}) =>
    (await service.uploadAndSettle(sheet(rows), { token, options })).id;
  const check = async (id: string, rows: { line: number; cells: string[] }[]) => {
    const answer = await service.send('POST', `/submissions/${id}/check`, { rows }, { token });
    expect(answer.status, answer.text).toBe(200);
    return answer.json<Checked>().rows.map(({ line, issues }) => ({ line, codes: issues.map(({ code }) => code) }));
  };

  it('are held to the rules of the sheet, each answered under its line', async () => {
    const id = await upload([...good, ['bad', '21/11/2024', '00040', 'Homo sapiens']]);
    expect(
      await check(id, [
        { line: 14, cells: ['bad', 'nonsense', '00040', 'Homo sapiens'] },
        { line: 3, cells: ['p 1', '2024-11-21', '00040', 'a "quoted"\tcell\nof two lines'] },
        { line: 9, cells: ['', '2024-02-30', '00041', ''] },
      ]),
    ).toEqual([
      { line: 14, codes: ['release.invalid'] },
      { line: 3, codes: [] },
      { line: 9, codes: ['name.missing', 'release.invalid'] },
    ]);
  });

  it('are checked as values of their column, which the sheet teaches', async () => {
    const id = await upload(good);
    expect(await check(id, [{ line: 3, cells: ['p 1', '2024-01-01', '42', 'Homo sapiens'] }])).toEqual([
      { line: 3, codes: ['suspect.leading-zeros'] },
    ]);
  });

  it('are named where one would be a second sample: fixed and sent before, but not where they are registered themselves', async () => {
    const id = await upload([
      ['twice 1', '2024-01-01', '1', 'x'],
      ...['2', '3'].map((n) => [`twice ${n}`, '?', n, 'x']),
    ]);
    await upload([['twice 2', '2024-01-01', '2', 'x']]);
    const rows = ['1', '2', '3'].map((n) => ({ line: 1 + Number(n), cells: [`twice ${n}`, '2024-02-02', n, 'x'] }));
    expect((await check(id, rows)).map(({ codes }) => codes)).toEqual([[], ['name.used-before'], []]);
    const answer = await service.send('POST', `/submissions/${id}/check`, { rows }, { token });
    expect(answer.json<Checked>().rows[1]?.issues[0]?.message).toContain('You have a sample "twice 2" already: SAMR');
    // A row that is not registered and has got the name of one that is.
    const renamed = [{ line: 3, cells: ['twice 1', '2024-02-02', '2', 'x'] }];
    expect(await check(id, renamed)).toEqual([{ line: 3, codes: ['name.used-before'] }]);
  });

  it('say nothing of names where keys identify them', async () => {
    const options = { key: 'No' };
    const text = `No\t${HEADER.join('\t')}\nK1\ttwice 1\t?\t1\tx\n`;
    const { id } = await service.uploadAndSettle(text, { token, options });
    expect(await check(id, [{ line: 2, cells: ['K1', 'twice 1', '2024-01-01', '1', 'x'] }])).toEqual([
      { line: 2, codes: [] },
    ]);
  });

  it('are held to the checklist of the upload', async () => {
    const id = await upload([['x', '2024-01-01', '1', '']], { checklist: 'minimal', unknownColumns: 'ignore' });
    const rows = ['', 'Homo sapiens'].map((organism) => ({ line: 2, cells: ['x', '2024-01-01', '1', organism] }));
    const answer = await service.send('POST', `/submissions/${id}/check`, { rows }, { token });
    const [bad, fixed] = answer
      .json<Checked>()
      .rows.map(
        ({ issues }) => issues.map(({ message }) => message).filter((message) => /organism/.test(message)).length,
      );
    expect(bad).toBeGreaterThan(0);
    expect(fixed).toBe(0);
  });

  it('change nothing, and are refused when they are too many, no rows, or of another account', async () => {
    const id = await upload([['only', '2024-01-01', '1', 'Homo sapiens']]);
    await check(id, [{ line: 2, cells: ['only', '2030-01-01', '2', 'Mus musculus'] }]);
    const [pair] = (await service.mapping(id, token)).sampleNameAccessionPairs;
    const stored = (await service.get(`/samples/${pair?.sampleAccession}`, { token })).json<{ release: string }>();
    expect(stored.release).toBe('2024-01-01T00:00:00.000Z');
    const send = async (body: unknown, asked = token) =>
      (await service.send('POST', `/submissions/${id}/check`, body, { token: asked })).status;
    expect(await send({ rows: Array.from({ length: 501 }, () => ({ line: 2, cells: [] })) })).toBe(400);
    expect(await send({ rows: [] })).toBe(400);
    expect(await send({ rows: [{ line: 0, cells: 'x' }] })).toBe(400);
    expect(await send({ rows: [{ line: 2, cells: [] }] }, await service.token('lab-2'))).toBe(404);
  });

  it('come with their cells and accession where they are good but for a warning', async () => {
    const id = await upload([
      ...good.map(([name, ...rest]) => [`w ${name}`, ...rest]),
      ['short', '2024-01-01', '42', 'x'],
    ]);
    const report = (await service.get(`/submissions/${id}/errors?format=json`, { token })).json<{
      warned: { line: number; accession: string; cells: { value: string }[]; issues: { code: string }[] }[];
    }>();
    expect(report.warned.map(({ line }) => line)).toEqual([14]);
    expect(report.warned[0]?.cells.map(({ value }) => value)).toEqual(['short', '2024-01-01', '42', 'x']);
    expect(report.warned[0]?.issues.map(({ code }) => code)).toContain('suspect.leading-zeros');
    const pair = (await service.mapping(id, token)).sampleNameAccessionPairs.find(
      ({ sampleName }) => sampleName === 'short',
    );
    expect(report.warned[0]?.accession).toBe(pair?.sampleAccession);
  });

  it.each([
    ['45252', '2023-11-22'],
    ['01.11.2024', '2024-11-01'],
    ['8.11.2024', '2024-11-08'],
    ['05/06/2024', undefined],
    ['99999', undefined],
  ])('of a Release Date %s: suggestion %s', async (written, suggestion) => {
    const id = await upload(
      [
        ['d', written, '1', 'x'],
        ['e', '2024-01-01', written, 'x'],
      ],
      { duplicate: 'allow' },
    );
    const report = (await service.get(`/submissions/${id}/errors?format=json`, { token })).json<{
      rejected: { issues: { suggestion?: string }[] }[];
    }>();
    expect(report.rejected[0]?.issues[0]?.suggestion).toBe(suggestion);
  });
});
