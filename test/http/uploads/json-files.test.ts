/** Samples as JSON through the bulk route: NDJSON and arrays, with the promises that a sheet has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const NDJSON = 'application/x-ndjson';
let files = 0;
/** Samples that were never uploaded before. */
function samples(count = 3, more: (at: number) => object = () => ({})): Record<string, unknown>[] {
  files += 1;
  return Array.from({ length: count }, (_, at) => ({
    name: `j${files}-${at}`,
    release: '2020-01-01',
    characteristics: { organism: [{ text: 'Homo sapiens' }], number: [{ text: at }] },
    ...more(at),
  }));
}
const ndjson = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const send = (body: string, options: Record<string, string> = {}, headers: Record<string, string> = {}, raw = NDJSON) =>
  service.upload(body, { token, raw, options, headers });
const lines = <T = Record<string, unknown>>(text: string): T[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
const receiptOf = (text: string) => lines<{ receipt: Record<string, unknown> }>(text).at(-1)?.receipt;
const read = async (accession: unknown) => (await service.get(`/samples/${accession}`, { token })).json();

describe.each([
  ['an object on each line', NDJSON, ndjson],
  ['an array', 'application/json', (items: readonly unknown[]) => JSON.stringify(items, null, 1)],
])('%s', (_, type, spell) => {
  it('registers each item and answers with accessions and the receipt', async () => {
    const items = samples();
    const answer = await send(spell(items), {}, {}, type);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get('content-type')).toBe(NDJSON);
    const [first, second, third] = lines(answer.text);
    expect([first, second, third]).toEqual(items.map((item) => ({ ...item, accession: expect.any(String) })));
    expect(receiptOf(answer.text)).toMatchObject({ submissionStatus: 'COMPLETED', counts: { rows: 3, created: 3 } });
    expect(await read(third?.accession)).toMatchObject({
      name: items[2]?.name,
      characteristics: { organism: [{ text: 'Homo sapiens' }], number: [{ text: '2' }] },
      submittedVia: 'FILE_UPLOADER',
    });
    const mapping = (await service.get(`/submissions/${submissionIdOf(answer)}/mapping`, { token })).json<{
      sampleNameAccessionPairs: unknown[];
    }>();
    expect(mapping.sampleNameAccessionPairs).toEqual(
      [first, second, third].map((item) => ({ sampleName: item?.name, sampleAccession: item?.accession })),
    );
  });

  it('is the same upload when the same bytes come again, and its result changes nothing', async () => {
    const body = spell(samples());
    const first = await send(body, {}, {}, type);
    const again = await send(body, {}, {}, type);
    expect(submissionIdOf(again)).toBe(submissionIdOf(first));
    expect(again.text).toBe(first.text);
    const result = await send(first.text);
    expect(receiptOf(result.text)).toMatchObject({ counts: { rows: 3, unchanged: 3, created: 0, rejected: 0 } });
  });

  it('rejects bad items alone, by line and JSON pointer, and gives them back ready to correct', async () => {
    const items = samples(4);
    Object.assign(items[1] as object, { release: 'soon', characteristics: { organism: [{ text: ['a'] }] } });
    Object.assign(items[3] as object, { name: items[0]?.name });
    const answer = await send(spell(items), {}, {}, type);
    const receipt = receiptOf(answer.text) as { counts: object; issues: { line: number; column: string }[] };
    expect(receipt.counts).toMatchObject({ created: 2, rejected: 2 });
    expect(receipt.issues.map(({ line, column }) => [line, column])).toEqual([
      [2, '/release'],
      [2, '/characteristics/organism/0/text'],
      [4, '/name'],
    ]);
    const errors = await service.get(`/submissions/${submissionIdOf(answer)}/errors`, { token });
    expect(errors.headers.get('content-type')).toBe(NDJSON);
    const [second, fourth] = lines<{ name: string; errors: object[] }>(errors.text);
    expect([second?.errors.length, fourth?.errors]).toEqual([2, [expect.objectContaining({ code: 'name.repeated' })]]);
    const fixed = await send(ndjson([{ ...second, release: '2021-01-01', characteristics: {} }]));
    expect(receiptOf(fixed.text)).toMatchObject({ counts: { created: 1, rejected: 0 } });
  });
});

describe('what a sheet promises', () => {
  it('writes nothing in a dry run, and carries it out as shown', async () => {
    const body = ndjson(samples());
    const dry = await send(body, { dryRun: 'true' });
    expect(receiptOf(dry.text)).toMatchObject({ dryRun: true, counts: { created: 3 } });
    expect(lines(dry.text)[0]).not.toHaveProperty('accession');
    const commit = await service.call(`/submissions/${submissionIdOf(dry)}/commit`, { method: 'POST', token });
    expect(commit.json()).toMatchObject({ submissionStatus: 'COMPLETED', counts: { created: 3 } });
  });

  it('registers all or none', async () => {
    const items = samples(3, (at) => (at === 2 ? { release: 'never' } : {}));
    const answer = await send(ndjson(items), { mode: 'atomic' });
    expect(receiptOf(answer.text) ?? answer.json()).toMatchObject({ counts: { created: 0, rejected: 3 } });
  });

  it('gives a date to items that have none, and says so in the result', async () => {
    const items = samples(2).map(({ release: _, ...rest }) => rest);
    const without = await send(ndjson(items));
    expect(without.text).toContain('release.missing');
    const dated = await send(ndjson(items), { releaseDate: '2022-02-02' });
    expect(lines(dated.text)[0]).toMatchObject({ release: '2022-02-02' });
  });

  it('updates the samples that items name, and takes back what a read showed', async () => {
    const [first] = lines((await send(ndjson(samples(2, () => ({ taxId: 9606, contact: [{ Name: 'A' }] }))))).text);
    const shown = await read(first?.accession);
    const same = await send(ndjson([shown]));
    expect(receiptOf(same.text)).toMatchObject({ counts: { unchanged: 1 } });
    const changed = await send(ndjson([{ ...shown, characteristics: { tissue: [{ text: 'liver' }] } }]));
    expect(receiptOf(changed.text)).toMatchObject({ counts: { updated: 1 } });
    expect(await read(first?.accession)).toMatchObject({ characteristics: { tissue: [{ text: 'liver' }] } });
    const foreign = await service.upload(ndjson([{ ...shown, name: 'x' }]), {
      raw: NDJSON,
      token: await service.token('lab-2'),
    });
    expect(receiptOf(foreign.text) ?? foreign.json()).toMatchObject({ counts: { rejected: 1 } });
    const undone = await service.call(`/submissions/${submissionIdOf(changed)}/undo`, { method: 'POST', token });
    expect(undone.json()).toMatchObject({ counts: { updated: 1 } });
    expect(await read(first?.accession)).toMatchObject({ characteristics: shown.characteristics });
  });

  it('makes of an item what a request makes of it', async () => {
    const organism = (term: string) => ({ organism: [{ text: 'one', ontologyTerms: [`NCBITaxon:${term}`] }] });
    const made = lines((await send(ndjson(samples(2, () => ({ characteristics: organism('9606') }))))).text);
    const [one, other] = (await Promise.all(made.slice(0, 2).map(({ accession }) => read(accession)))) as {
      accession: string;
    }[];
    expect(one).toMatchObject({ taxId: 9606 });
    await send(ndjson([{ ...one, characteristics: organism('10090') }]));
    await service.send(
      'PUT',
      `/samples/${other?.accession}`,
      { ...other, characteristics: organism('10090') },
      { token },
    );
    for (const sample of [one, other]) expect(await read(sample?.accession)).toMatchObject({ taxId: 10_090 });
  });

  it('resolves relationships to names of the file, before or behind', async () => {
    const items = samples(3);
    const [one, two, three] = items.map(({ name }) => name as string);
    Object.assign(items[0] as object, { relationships: [{ type: 'derived from', target: three }] });
    Object.assign(items[1] as object, { relationships: [{ type: 'same as', target: 'nobody' }] });
    Object.assign(items[2] as object, { relationships: [{ type: 'same as', target: one }] });
    const answer = await send(ndjson(items));
    const [first, second, third] = lines(answer.text);
    expect(second?.name).toBe(two);
    expect(receiptOf(answer.text)).toMatchObject({
      counts: { created: 2, rejected: 1 },
      issues: [{ line: 2, column: '/relationships/0/target', code: 'relationship.unknown' }],
    });
    const target = async (of: unknown) =>
      (await read(of)).relationships as { source: string; type: string; target: string }[];
    expect(await target(first?.accession)).toEqual([
      { source: first?.accession, type: 'derived from', target: third?.accession },
    ]);
    expect((await target(third?.accession))[0]?.target).toBe(first?.accession);
  });

  it('holds items to the checklist that is asked for', async () => {
    const items = samples(2);
    Object.assign(items[1] as object, { characteristics: {} });
    const answer = await send(ndjson(items), { checklist: 'minimal' });
    expect(receiptOf(answer.text)).toMatchObject({
      counts: { created: 1, rejected: 1 },
      issues: [{ line: 2, code: expect.stringMatching(/^checklist\./) }],
    });
  });

  it('reads a large file by a thread, line by line', async () => {
    const items = samples(1_200);
    const { id, status, answer } = await service.uploadAndSettle(`\n${ndjson(items)}`, { token, raw: NDJSON });
    expect([answer.status, status.counts.created]).toEqual([202, 1_200]);
    const result = lines((await service.get(`/submissions/${id}/result`, { token })).text);
    expect(result.length).toBe(1_201);
    expect(await read(result[1_199]?.accession)).toMatchObject({ name: items[1_199]?.name });
  });
});

describe('what cannot be read', () => {
  it.each([
    ['a line that is no JSON', (good: string) => `${good}{"name": \n`, 1],
    ['a line that is no object', (good: string) => `${good}7\n`, 1],
    ['a member given twice', (good: string) => `${good}{"name":"a","name":"b"}\n`, 1],
    ['a line longer than a sample may be', (good: string) => `${good}{"name":"${'x'.repeat(1_100_000)}"}\n`, 1],
    ['bytes that are no UTF-8', (good: string) => `${good}{"name":"\xff"}\n`, 1],
  ])('%s is rejected by itself', async (_, spell, rejected) => {
    const body = Buffer.from(spell(ndjson(samples(2))), 'latin1');
    const { status } = await service.uploadAndSettle(body, { token, raw: NDJSON });
    expect(status).toMatchObject({ counts: { created: 2, rejected }, issues: [{ code: 'item.not-json', lines: [3] }] });
  });

  it.each([
    ['an array that is cut off', '[{"name":"a","release":"2020-01-01"},{"name":'],
    ['something behind the array', '[{"name":"b","release":"2020-01-01"}] {"name":"c"}'],
    ['an array of nothing', '[]'],
  ])('%s is refused whole, and nothing of it is registered', async (_, body) => {
    const answer = await send(body);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([
      422,
      body === '[]' ? 'file.empty' : 'file.not-understood',
    ]);
  });
});
