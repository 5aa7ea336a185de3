/** The feed of changes: each change once and in order, to those who may see it, and nothing more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeDocument } from '../../../src/registry/changes/sample-feed.js';
import { type Service, startService } from '../service.js';

const HOUR = 3_600_000;
let service: Service;
let owner: string;
let other: string;
let ahead = 0;
beforeAll(async () => {
  service = await startService({ clockAhead: () => ahead });
  owner = await service.token('lab-1');
  other = await service.token('lab-2');
});
afterAll(() => service.stop());

const register = async (content: object): Promise<string> => {
  const answer = await service.send('POST', '/samples', { name: 's', ...content }, { token: owner });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ accession: string }>().accession;
};
const put = async (accession: string, content: object, token = owner) => {
  const answer = await service.send('PUT', `/samples/${accession}`, { accession, name: 's', ...content }, { token });
  expect(answer.status, answer.text).toBe(200);
};
const page = async (query: string, token: string | null) => {
  const answer = await service.get(`/changes${query}`, { token, headers: { Accept: 'application/x-ndjson' } });
  expect(answer.status, answer.text).toBe(200);
  const changes = answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ChangeDocument);
  const cursor = answer.headers.get('changes-cursor') as string;
  return { changes, cursor, more: answer.headers.get('changes-more') === 'true' };
};
const latest = async () => (await page('?after=latest', null)).cursor;
const follow = async (after: string, token: string | null, size = 2) => {
  const changes: ChangeDocument[] = [];
  for (let at = after; ; ) {
    const next = await page(`?after=${at}&size=${size}`, token);
    changes.push(...next.changes);
    at = next.cursor;
    if (!next.more) return changes;
  }
};
const heard = async (after: string, token: string | null, accession?: string) =>
  (await follow(after, token))
    .filter((change) => accession === undefined || change.accession === accession)
    .map(({ type, public: open }) => `${type} ${open}`);
const hoursAhead = (hours: number) => new Date(Date.now() + ahead + hours * HOUR).toISOString();

describe('the feed of changes', () => {
  it('tells owners and administrators all, others what is public, and that something was withdrawn', async () => {
    const start = await latest();
    const accession = await register({ release: hoursAhead(5) });
    expect(await heard(start, null)).toEqual([]);
    expect(await heard(start, other)).toEqual([]);
    await put(accession, { release: '2020-01-01' });
    expect(await heard(start, other)).toEqual(['released true']);
    await put(accession, { release: '2020-01-02' });
    await put(accession, { release: hoursAhead(5) });
    await put(accession, { release: hoursAhead(6) });
    const mine = ['created false', 'released false', 'updated false', 'withdrawn false', 'updated false'];
    expect(await heard(start, owner)).toEqual(mine);
    expect(await heard(start, service.adminToken)).toEqual(mine);
    for (const token of [null, other]) expect(await heard(start, token)).toEqual(['withdrawn undefined']);
    const [change] = (await page(`?after=${start}&records=true`, other)).changes;
    expect(change).toEqual({ cursor: change?.cursor, time: change?.time, type: 'withdrawn', accession });
  });

  it('tells of a release when its date passes', async () => {
    const accession = await register({ release: hoursAhead(1) });
    const start = await latest();
    expect(await heard(start, null)).toEqual([]);
    ahead += 2 * HOUR;
    expect(await heard(start, null, accession)).toEqual(['released true']);
    expect(await heard(start, owner, accession)).toEqual(['released true']);
  });

  it('tells of each row of a sheet once, whatever the size of a page, from any line on', async () => {
    const start = await latest();
    const rows = Array.from({ length: 57 }, (_, at) => `row ${at}\t2020-01-01\tHomo sapiens`);
    const sheet = ['Sample Name\tRelease Date\tOrganism', ...rows].join('\n');
    expect((await service.upload(sheet, { token: owner })).status).toBe(201);
    const all = await follow(start, null, 1_000);
    expect(all.map(({ type }) => type)).toEqual(rows.map(() => 'created'));
    expect(new Set(all.map(({ accession }) => accession)).size).toBe(57);
    expect(await follow(start, null, 7)).toEqual(all);
    expect(await follow(all[41]?.cursor as string, null, 5)).toEqual(all.slice(42));
  });

  it('carries the sample as it is stored on demand, its history to those who may read it', async () => {
    const start = await latest();
    const accession = await register({
      release: '2020-01-01',
      characteristics: { organism: [{ text: 'Mus musculus' }] },
    });
    const curation = { attributesPost: [{ type: 'organism', value: 'Mus spretus' }] };
    const body = { sample: accession, curation };
    expect((await service.send('POST', `/samples/${accession}/curationlinks`, body, { token: other })).status).toBe(
      201,
    );
    const changes = (await page(`?after=${start}&records=true`, owner)).changes;
    expect(changes.map(({ type }) => type)).toEqual(['created', 'curated']);
    expect(changes[1]?.sample).toMatchObject({
      accession,
      account: 'lab-1',
      version: 1,
      author: 'lab-1',
      content: { characteristics: { organism: [{ text: 'Mus musculus' }] } },
      curationLinks: [{ account: 'lab-2', curation: { attributesPost: curation.attributesPost } }],
    });
    const [seen] = (await page(`?after=${start}&records=true`, null)).changes;
    expect(seen?.sample).toMatchObject({ accession, name: 's' });
    expect(Object.keys(seen?.sample ?? {})).not.toContain('version');
  });

  it('refuses a cursor that is none, or of a log that is not there', async () => {
    const refused = async (after: string) => {
      const answer = await service.get(`/changes?after=${after}`);
      return [answer.status, answer.json<{ code: string }>().code];
    };
    expect(await refused('nonsense')).toEqual([400, 'request.invalid']);
    const later = Buffer.from('zzzz.1.abc').toString('base64url');
    expect(await refused(later)).toEqual([410, 'changes.gone']);
    const [, part, at] = Buffer.from(await latest(), 'base64url')
      .toString()
      .split('.');
    expect(await refused(Buffer.from(`1.${part}.${at}`).toString('base64url'))).toEqual([410, 'changes.gone']);
  });

  it('stays open for events, goes on behind the last one seen, and bounds who follows', async () => {
    const start = await latest();
    const first = await register({ release: '2020-01-01' });
    const live = await openEvents(`?after=${start}`, {});
    const [one] = await live.take(1);
    expect(one).toMatchObject({ event: 'created', data: { accession: first } });
    const second = await register({ release: '2020-01-01' });
    expect(await live.take(1)).toMatchObject([{ event: 'created', data: { accession: second } }]);
    live.close();
    const again = await openEvents('', { 'Last-Event-ID': one?.id as string });
    expect(await again.take(1)).toMatchObject([{ data: { accession: second } }]);
    const others = await Promise.all(Array.from({ length: 19 }, () => openEvents(`?after=${start}`, {})));
    const refused = await fetch(`${service.url}/changes`, { headers: { Accept: 'text/event-stream' } });
    expect(refused.status).toBe(429);
    for (const one of [again, ...others]) one.close();
  });

  it('ends a live answer when its token is revoked', async () => {
    const { record, text } = await service.tokens.issue({ account: 'lab-1', name: 'live', scopes: ['read'] });
    const live = await openEvents('?after=latest', { Authorization: `Bearer ${text}` });
    await service.tokens.revoke(record.id);
    await expect(live.ended()).resolves.toBe(true);
  });
});

async function openEvents(query: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  const answer = await fetch(`${service.url}/changes${query}`, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  expect(answer.status).toBe(200);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const take = async (count: number) => {
    const found: { id: string; event: string; data: ChangeDocument }[] = [];
    while (found.length < count) {
      const match = /id: (.*)\nevent: (.*)\ndata: (.*)\n\n/.exec(text);
      if (match) {
        text = text.slice(match.index + match[0].length);
        found.push({ id: match[1] as string, event: match[2] as string, data: JSON.parse(match[3] as string) });
      } else text += (await reader?.read())?.value ?? '';
    }
    return found;
  };
  const ended = async () => {
    while (reader) if ((await reader.read().catch(() => ({ done: true }))).done) return true;
    return false;
  };
  return { take, ended, close: () => leaving.abort() };
}
