/** `GET /changes`: which page is asked for, in which form it comes, and where the feed goes on. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeRoutes } from '../../../src/http/routes/changes.js';
import { type Ask, routed } from './routed.js';

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
const stopping = new AbortController();
const CHANGES = [
  { cursor: 'c1', type: 'created' },
  { cursor: 'c2', type: 'updated' },
];
beforeAll(async () => {
  const page = async (...given: unknown[]) => {
    asked.push(given);
    return { changes: CHANGES, cursor: 'c2', more: asked.length === 1 } as never;
  };
  ({ ask, end } = await routed((context) => changeRoutes(context, { feed: { page }, stopping: stopping.signal })));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
});

describe('a page of changes', () => {
  it('is the first two hundred unless something else is asked for', async () => {
    const network = '127.0.0.1';
    await ask('/');
    await ask('/?after=&size=&records=false');
    expect(asked).toEqual(Array(2).fill([{ after: undefined, size: 200, records: false, network }, undefined]));
    await ask('/?after=c7&size=500&records=true', { as: ['read'] });
    expect(asked.at(-1)).toEqual([
      { after: 'c7', size: 500, records: true, network },
      expect.objectContaining({ account: 'lab-7' }),
    ]);
    expect((await ask('/?size=1000')).status).toBe(200);
  });

  it.each([
    ['size=1001', 'size=1001 must be a whole number from 1 to 1000.'],
    ['size=501&records=true', 'size=501 must be a whole number from 1 to 500.'],
    ['size=0', 'size=0 must be a whole number from 1 to 1000.'],
    ['records=yes', 'records=yes must be true or false.'],
  ])('is refused where the address cannot be meant: %s', async (query, detail) => {
    expect((await ask(`/?${query}`)).body).toMatchObject({ code: 'request.invalid', detail });
    expect(asked).toEqual([]);
  });

  it('is a change on each line, or one document, kept by nobody, and says where to go on', async () => {
    const lines = await ask('/');
    expect(lines.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(lines.text).toBe(CHANGES.map((change) => `${JSON.stringify(change)}\n`).join(''));
    const headersOf = ({ headers }: typeof lines) =>
      ['cache-control', 'changes-cursor', 'changes-more', 'link'].map((name) => headers.get(name));
    expect(headersOf(lines)).toEqual(['no-store', 'c2', 'true', '<http://x/changes?after=c2&size=200>; rel="next"']);
    const accept = (type: string) => ({ headers: { accept: type } });
    const document = await ask('/?size=3&records=true', accept('application/json'));
    const next = 'http://x/changes?after=c2&size=3&records=true';
    expect(document.headers.get('content-type')).toContain('application/json');
    expect(headersOf(document)).toEqual(['no-store', 'c2', 'false', `<${next}>; rel="next"`]);
    expect(document.body).toEqual({ changes: CHANGES, cursor: 'c2', more: false, _links: { next: { href: next } } });
    expect((await ask('/', accept('application/hal+json'))).headers.get('content-type')).toContain('hal+json');
    const either = await ask('/', accept('application/hal+json, application/json'));
    expect(either.headers.get('content-type')).toMatch(/^application\/json/);
    expect((await ask('/', accept('image/png'))).status).toBe(406);
  });
});

describe('changes as they come', () => {
  /** What comes until the service stops; nobody waits for more. */
  const follow = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await ask(path, { headers: { accept: 'text/event-stream', ...headers } });
    return answer.text;
  };

  it('begin behind the last one that was seen, and end with the service', async () => {
    stopping.abort();
    const text = await follow('/?after=c0&size=7&records=true', { 'last-event-id': 'c1' });
    expect(text).toBe(
      `retry: 2000\n\n${CHANGES.map((change) => `id: ${change.cursor}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`).join('')}`,
    );
    await follow('/?after=c0');
    expect(asked.map(([given]) => given)).toEqual([
      { after: 'c1', size: 200, records: true, network: '127.0.0.1' },
      { after: 'c0', size: 200, records: false, network: '127.0.0.1' },
    ]);
  });
});
