/** Every cell of the matrix in docs/authorization.md, asked of the running service. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { submissionIdOf } from '../support/api-caller.js';
import { isaDocument } from '../support/isa-document.js';
import { ROOT } from '../support/output.js';
import {
  ASKERS,
  type Asker,
  bodyFor,
  PROFILE,
  type Prepared,
  RECEIVER,
  type Row,
  tables,
} from './authorization-bodies.js';
import { ADMIN_TOKEN, type Service, startService } from './service.js';

const matrix: Row[] = readFileSync(`${ROOT}/docs/authorization.md`, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const found = /^\| `(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) ([^`]+)` ?(.*?) \|((?: \d{3} \|){8})$/.exec(line);
    if (!found) return [];
    const [, method = '', path = '', condition = '', cells = ''] = found;
    return [{ method, path, condition, statuses: cells.match(/\d{3}/g)?.map(Number) ?? [] }];
  });

let service: Service;
const tokens = {} as Record<Asker, string | null>;

beforeAll(async () => {
  service = await startService({ env: { KEPT_EXPORTS_OF_ONE: '1000' } });
  const owner = await service.token('owner');
  const past = await service.tokens.issue({
    account: 'owner',
    name: 'past',
    scopes: ['read', 'submit'],
    expires: Date.now() - 1,
  });
  await service.send('POST', '/auth/password', { account: 'owner', password: 'a good password' });
  await service.send('POST', '/accounts', { account: 'resettable' });
  const gone = await service.tokens.issue({ account: 'owner', name: 'gone', scopes: ['read', 'submit'] });
  await service.tokens.revoke(gone.record.id);
  Object.assign(tokens, {
    none: null,
    bad: 'no-token-of-ours',
    expired: past.text,
    revoked: gone.text,
    read: await service.token('owner', ['read']),
    other: await service.token('other'),
    owner,
    administrator: ADMIN_TOKEN,
  } satisfies Record<Asker, string | null>);
});
afterAll(() => service.stop());

let files = 0;

/** Makes what the path of a row speaks of, and answers the address with its names. */
type Make = (made: Prepared, row: Row) => string | Promise<string>;

/** Each whose pattern a path fits, one after the other. */
const MADE_FOR: readonly [RegExp, Make][] = [
  [
    /\{accession\}|^\/samples\/template$/,
    async (made) => {
      made.accession = await registered(made.sample, tokens.owner);
      return made.path.replace('{accession}', made.accession).replace('{version}', '1');
    },
  ],
  [
    /^\/structureddata/,
    async ({ path, accession }) => {
      await service.send('PUT', `/structureddata/${accession}`, tables(accession), { token: tokens.owner });
      return path;
    },
  ],
  [
    /\{hash\}/,
    async ({ path, accession }) => {
      const of = accession || (await registered({ name: 's', release: '2020-01-01' }));
      const body = { curation: {} };
      const link = await service.send('POST', `/samples/${of}/curationlinks`, body, { token: tokens.owner });
      const { hash, curation } = link.json<{ hash: string; curation: { hash: string } }>();
      return path.replace('{hash}', path.startsWith('/curations') ? curation.hash : hash);
    },
  ],
  [
    /^\/submissions\/\{id\}|submission=\{id\}|\?id=\{id\}/,
    async ({ path }, { condition }) => {
      const options = UPLOADS[condition] ?? {};
      const made = condition === 'of an ISA-JSON document' ? uploadIsa(tokens.owner) : upload(tokens.owner, options);
      return path.replace('{id}', submissionIdOf(await made));
    },
  ],
  [
    /^\/samples\/exports\/\{id\}/,
    async ({ path }) => {
      const made = await service.call('/samples/exports', { method: 'POST', token: tokens.owner });
      const { exportId } = made.json<{ exportId: string }>();
      const state = async () => (await service.get(`/samples/exports/${exportId}`)).json<{ state: string }>().state;
      if (path.endsWith('/file')) await expect.poll(state, { interval: 20 }).toBe('COMPLETED');
      return path.replace('{id}', exportId);
    },
  ],
  [
    /^\/tokens\/\{id\}$/,
    async ({ path }) => {
      const { record } = await service.tokens.issue({ account: 'owner', name: 'to go', scopes: ['read'] });
      return path.replace('{id}', record.id);
    },
  ],
  [
    /^\/webhooks\/\{id\}/,
    async ({ path }) => {
      const { id, delivery } = await webhookOfOwner();
      return path.replace('{id}', id).replace('{delivery}', delivery);
    },
  ],
  [
    /^\/files\/\{id\}$/,
    async () => {
      const begun = await resumable('POST', '/files', tokens.owner);
      return new URL(begun.headers.get('location') as string).pathname;
    },
  ],
  [
    /^\/profiles\/\{name\}$/,
    async (_, { method, condition }) => {
      const path = `/profiles/p${++files}${condition.startsWith('shared') ? '?shared=true' : ''}`;
      if (method !== 'PUT') await service.send('PUT', path, PROFILE, { token: tokens.owner });
      return path;
    },
  ],
  [
    /^\/samples\/by-key/,
    async ({ sample }) => {
      const path = `/samples/by-key/lims/k${++files}`;
      await service.send('PUT', path, sample, { token: tokens.owner });
      return path;
    },
  ],
  [/^\/checklists\/\{id\}/, ({ path }) => path.replace('{id}', 'minimal')],
  [/^\/accounts\/\{account\}/, ({ path }) => path.replace('{account}', 'resettable')],
  [/^\/help\/\{page\}$/, () => '/help/guide'],
  [/^\/help\/decisions\/\{record\}$/, () => '/help/decisions/0003-packed-samples'],
  [/^\/problems\/\{code\}$/, () => '/problems/not-found'],
  [
    /^\/tokens$/,
    ({ path }, { method, condition }) =>
      method === 'GET' && condition === 'of the owner' ? `${path}?account=owner` : path,
  ],
];

async function prepare(row: Row): Promise<Prepared> {
  const release = row.condition === 'private' ? '2999-01-01' : '2020-01-01';
  const made: Prepared = { path: row.path, accession: '', sample: { name: 's', release } };
  for (const [pattern, make] of MADE_FOR) if (pattern.test(row.path)) made.path = await make(made, row);
  return made;
}

const UPLOADS: Record<string, Record<string, string>> = {
  'of a dry run': { dryRun: 'true' },
  'of a standing sheet': { key: 'Sample Name', standing: 'lims' },
};
const registered = async (sample: object, token: string | null = ADMIN_TOKEN): Promise<string> => {
  const made = await service.send('POST', '/samples', sample, { token });
  return made.json<{ accession: string }>().accession;
};

function upload(token: string | null, options: Record<string, string> = {}) {
  files += 1;
  return service.upload(`Sample Name\tRelease Date\nn${files}\t2020-01-01\n`, { token, options });
}

function uploadIsa(token: string | null) {
  files += 1;
  const document = isaDocument({ samples: [{ name: `n${files}` }] });
  return service.upload(JSON.stringify(document), { token, raw: 'application/json' });
}

/** One request of the tus protocol: a file of five bytes, and its first piece. */
function resumable(method: string, path: string, token: string | null) {
  const piece = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const headers = {
    'tus-resumable': '1.0.0',
    ...(method === 'POST' ? { 'upload-length': '5' } : {}),
    ...(method === 'PATCH' ? piece : {}),
  };
  return service.call(path, { method, token, headers, ...(method === 'PATCH' ? { body: 'Samp' } : {}) });
}

/** A webhook of the owner that has been informed of something. */
async function webhookOfOwner(): Promise<{ id: string; delivery: string }> {
  const [known] = await service.store.listWebhooks('owner');
  const made =
    known ?? (await service.send('POST', '/webhooks', RECEIVER, { token: tokens.owner })).json<{ id: string }>();
  const reported = () => service.store.listDeliveries(made.id, { size: 1 });
  if ((await reported()).length === 0) await service.settled(submissionIdOf(await upload(tokens.owner)), tokens.owner);
  return { id: made.id, delivery: (await reported())[0]?.id as string };
}

async function ask(row: Row, asker: Asker, made: Prepared): Promise<number> {
  const token = tokens[asker];
  if (row.path === '/submissions' && row.method === 'POST') return (await upload(token)).status;
  if (row.path === '/profile-proposals') return (await service.propose('Tube\torgan\nT1\tliver\n', { token })).status;
  if (row.path.startsWith('/files')) return (await resumable(row.method, made.path, token)).status;
  const body = bodyFor(row, asker, made);
  const answer =
    body === undefined || row.method === 'GET' || row.method === 'DELETE'
      ? await service.call(made.path, { method: row.method, token })
      : await service.send(row.method, made.path, body, { token });
  return answer.status;
}

/** Reads and refusals leave what an address speaks of as it was: only what succeeds has it made anew. */
async function askAll(row: Row): Promise<Partial<Record<Asker, number>>> {
  const found: Partial<Record<Asker, number>> = {};
  await service.store.setAccountSettings(
    'owner',
    { othersMayAttachData: row.condition.includes('opened') },
    Date.now(),
  );
  let made: Prepared | undefined;
  for (const asker of ASKERS) {
    made ??= await prepare(row);
    const status = await ask(row, asker, made);
    found[asker] = status;
    if (status < 400 && row.method !== 'GET') made = undefined;
  }
  return found;
}

describe('the authorization matrix', () => {
  it('names every operation of the interface description', () => {
    const named = new Set(matrix.map(({ method, path }) => `${method} ${path.split('?')[0]}`));
    const missing = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`).filter(
      (name) => !named.has(name),
    );
    expect(missing.sort()).toEqual(['DELETE /auth/session', 'POST /auth/session', 'POST /auth/token']);
  });

  it.each(matrix)('$method $path $condition', async (row) => {
    expect(await askAll(row)).toEqual(Object.fromEntries(ASKERS.map((asker, at) => [asker, row.statuses[at]])));
  });

  it('sends WWW-Authenticate with every 401', async () => {
    for (const asker of ['none', 'bad', 'expired', 'revoked'] as const) {
      const answer = await service.get('/me', { token: tokens[asker] });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    }
  });

  it('takes no owner from the body of an ordinary caller', async () => {
    const body = { name: 's', release: '2020-01-01', submissionAccountId: 'owner' };
    const answer = await service.send('POST', '/samples', body, { token: tokens.other });
    expect(answer.json()).toMatchObject({ submissionAccountId: 'other' });
  });
});
