/** Keys of an account's own systems, over HTTP: one at a time, and as options of an upload. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service.stop());

const sample = (name: string, more: object = {}) => ({ name, release: '2020-01-01', ...more });
let keys = 0;
const place = (key = `B ${++keys}/1.json`) => `/samples/by-key/lims/${encodeURIComponent(key)}`;
const put = (at: string, body: object, headers: Record<string, string> = {}) =>
  service.send('PUT', at, body, { token, headers });

describe('PUT /samples/by-key/{space}/{key}', () => {
  it('registers once and updates from then on', async () => {
    const at = place();
    const made = await put(at, sample('one'));
    expect(made.status, made.text).toBe(201);
    const { accession } = made.json<{ accession: string }>();
    expect(made.headers.get('location')).toContain(`/samples/${accession}`);
    const again = await put(at, sample('two'));
    expect([again.status, again.json<{ accession: string }>().accession]).toEqual([200, accession]);
    const read = await service.get(at, { token });
    expect(read.json()).toMatchObject({ accession, name: 'two' });
    expect(read.headers.get('content-location')).toContain(`/samples/${accession}`);
    const etag = read.headers.get('etag') as string;
    expect((await service.get(at, { token, headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(read.headers.get('cache-control')).toContain('private');
  });

  it.each([null, '', ' '])('takes the same body again that says no accession as %j', async (accession) => {
    const at = place();
    for (const [name, status] of [
      ['again', 201],
      ['again', 200],
      ['changed', 200],
    ] as const)
      expect((await put(at, sample(name, { accession }))).status).toBe(status);
    expect((await service.get(at, { token })).json()).toMatchObject({ name: 'changed' });
    // What is no accession at all is one that cannot be, whether the key is known or not.
    for (const where of [at, place()]) expect((await put(where, sample('no', { accession: 5 }))).status).toBe(422);
  });

  it('registers one sample, however many ask at the same instant', async () => {
    const at = place();
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => put(at, sample(`n ${n}`))));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(made.map((each) => each.json<{ accession: string }>().accession)).size).toBe(1);
  });

  it('keeps to its conditions', async () => {
    const at = place();
    expect((await put(at, sample('x'), { 'if-match': '*' })).status).toBe(412);
    const made = await put(at, sample('x'), { 'if-none-match': '*' });
    expect(made.status).toBe(201);
    expect((await put(at, sample('y'), { 'if-none-match': '*' })).status).toBe(412);
    expect((await put(at, sample('y'), { 'if-match': '"stale"' })).status).toBe(412);
    expect((await put(at, sample('y'), { 'if-match': made.headers.get('etag') as string })).status).toBe(200);
    const kept = await put(at, sample('z'), { 'if-match': '*' });
    expect(kept.status).toBe(200);
    const take = (ifMatch: string) =>
      service.send('DELETE', at, undefined, { token, headers: { 'if-match': ifMatch } });
    expect((await take(made.headers.get('etag') as string)).status).toBe(412);
    expect((await service.get(at, { token })).status).toBe(200);
    expect((await take(kept.headers.get('etag') as string)).status).toBe(204);
    expect((await take('*')).status).toBe(404);
  });

  it('gives a sample that the body names the key, where neither has another', async () => {
    const register = async (name: string, by = token) =>
      (await service.send('POST', '/samples', sample(name), { token: by })).json<{ accession: string }>().accession;
    const mine = await register('mine');
    const at = place();
    expect((await put(at, sample('mine', { accession: mine }))).status).toBe(200);
    expect((await service.get(at, { token })).json()).toMatchObject({ accession: mine });
    const again = await put(place(), sample('mine', { accession: mine }));
    expect(again.json()).toMatchObject({ code: 'conflict' });
    const other = await register('other');
    expect((await put(at, sample('other', { accession: other }))).json()).toMatchObject({
      code: 'sample.accession-mismatch',
    });
    const foreign = await register('foreign', await service.token('elsewhere'));
    const theirs = place();
    expect((await put(theirs, sample('x', { accession: foreign }))).status).toBe(403);
    expect((await put(theirs, sample('x', { accession: 'SAMR999999' }))).status).toBe(404);
    expect((await put(theirs, { name: 'no release', accession: other })).status).toBe(422);
    expect((await service.get(theirs, { token })).status).toBe(404);
  });

  it('takes a key away and may give it anew', async () => {
    const at = place();
    const { accession } = (await put(at, sample('x'))).json<{ accession: string }>();
    expect((await service.call(at, { method: 'DELETE', token })).status).toBe(204);
    expect((await service.call(at, { method: 'DELETE', token })).status).toBe(404);
    expect((await service.get(`/samples/${accession}`, { token })).status).toBe(200);
    expect((await put(at, sample('x'))).json<{ accession: string }>().accession).not.toBe(accession);
  });

  it('shows nobody the keys of others', async () => {
    const at = place();
    await put(at, sample('x'));
    expect((await service.get(at, { token: await service.token('curious') })).status).toBe(404);
    expect((await service.get(at)).status).toBe(404);
    expect((await service.get(at, { token: null })).status).toBe(401);
  });

  it.each([
    ['a space', '/samples/by-key/no%20space/k'],
    ['a key of blanks', '/samples/by-key/lims/%20'],
    ['a key with blanks around it', '/samples/by-key/lims/%20k'],
    ['a key with NUL', '/samples/by-key/lims/%00'],
    ['a key that is too long', `/samples/by-key/lims/${'k'.repeat(501)}`],
  ])('refuses what is no name: %s', async (_, at) => {
    for (const answer of [await put(at, sample('x')), await service.get(at, { token })]) {
      expect(answer.json()).toMatchObject({ code: 'request.invalid' });
    }
  });
});

describe('an upload with keys', () => {
  const sheet = (rows: string[][], header = ['Sample Name', 'Tube', 'Release Date', 'tissue']) =>
    [header, ...rows].map((row) => `${row.join('\t')}\n`).join('');
  const upload = async (text: string, options: Record<string, string> = {}) => {
    const answer = await service.upload(text, {
      token,
      options: { key: 'tube', keySpace: 'tubes', ...options },
      headers: { accept: 'application/json' },
    });
    return answer;
  };
  const counts = (answer: { json<T>(): T }) =>
    answer.json<{ counts: { created: number; updated: number; unchanged: number; rejected: number } }>().counts;

  it('knows rows again, says of repeated keys which lines they are, and of disagreeing ones which samples', async () => {
    const rows = [
      ['a', 'T1', '2020-01-01', 'liver'],
      ['b', 'T2', '2020-01-01', 'brain'],
    ];
    expect(counts(await upload(sheet(rows)))).toMatchObject({ created: 2 });
    expect(counts(await upload(sheet(rows)))).toMatchObject({ created: 0, unchanged: 2 });
    const next = await upload(
      sheet([
        ['renamed', 'T2', '', 'brain'],
        ['c', 'T3', '2020-01-01', ''],
        ['d', 'T3', '2020-01-01', ''],
        ['e', '', '2020-01-01', ''],
        ['f', 'T4', '', ''],
      ]),
    );
    expect(counts(next)).toMatchObject({ created: 1, updated: 1, rejected: 3 });
    const result = await service.get(`/submissions/${submissionIdOf(next)}/result`, { token });
    expect(result.text).toContain('The row on line 3 has the key ""T3"" already');
    for (const code of ['key.repeated', 'key.missing', 'release.missing']) expect(result.text).toContain(code);
    expect((await service.get('/samples/by-key/tubes/T2', { token })).json()).toMatchObject({ name: 'renamed' });
    // What comes back goes in again, by its accessions or by its keys.
    expect(counts(await upload(result.text))).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  it('gives the samples of an upload without keys theirs, instead of registering them again', async () => {
    const text = sheet([['old', 'OLD-1', '2020-01-01', 'liver']]);
    const plain = await service.upload(text, { token });
    expect(plain.status).toBe(201);
    expect(counts(await upload(text))).toMatchObject({ created: 0, unchanged: 1 });
    expect(counts(await upload(sheet([['new name', 'OLD-1', '2020-01-01', 'liver']])))).toMatchObject({ updated: 1 });
  });

  it('refuses unknown or known rows when asked to', async () => {
    const text = sheet([['x', 'ONLY-1', '2020-01-01', '']]);
    const unknown = await upload(text, { onlyUpdate: 'true' });
    expect(unknown.text).toContain('key.unknown');
    expect(counts(await upload(text, { onlyCreate: 'true' }))).toMatchObject({ created: 1 });
    expect((await upload(text, { onlyCreate: 'true' })).text).toContain('key.exists');
  });

  it('writes nothing of a sheet that was sent as all or nothing while a key is wrong', async () => {
    const text = sheet([
      ['atomic', 'ALL-1', '2020-01-01', ''],
      ['atomic too', 'T1', '2020-01-01', ''],
    ]);
    const answer = await upload(text, { mode: 'atomic', onlyCreate: 'true' });
    expect(counts(answer)).toMatchObject({ created: 0, rejected: 2 });
    expect((await service.get('/samples/by-key/tubes/ALL-1', { token })).status).toBe(404);
  });

  it.each<[string, Record<string, string>]>([
    ['a column that is not there', { key: 'no such' }],
    ['a key space that is none', { keySpace: 'a b' }],
    ['both rules', { onlyUpdate: 'true', onlyCreate: 'true' }],
    ['a rule without a key', { key: '', onlyUpdate: 'true' }],
  ])('refuses %s', async (_, options) => {
    const answer = await upload(sheet([['x', 'X', '2020-01-01', '']]), options);
    expect([400, 422]).toContain(answer.status);
    expect(answer.json<{ detail: string }>().detail).toMatch(/key|onlyCreate/i);
  });

  it('refuses samples as JSON', async () => {
    const answer = await service.upload('{"name":"x","release":"2020-01-01"}\n', { token, options: { key: 'name' } });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('/samples/by-key');
  });
});
