/** Every cell of the matrix in docs/authorization.md, asked of the running service. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { submissionIdOf } from '../support/api-caller.js';
import { isaDocument } from '../support/isa-document.js';
import { ROOT } from '../support/output.js';
import { ADMIN_TOKEN, type Service, startService } from './service.js';

const ASKERS = ['none', 'bad', 'expired', 'revoked', 'read', 'other', 'owner', 'administrator'] as const;
type Asker = (typeof ASKERS)[number];

interface Row {
  method: string;
  path: string;
  /** What stands behind the address: `public`, `private`, `for the owner`, … */
  condition: string;
  statuses: number[];
}

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
const accounts: Record<string, string> = { read: 'owner', owner: 'owner', other: 'other', administrator: 'admin' };

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

/** What an address speaks of, and what bodies of its requests name. */
interface Prepared {
  path: string;
  accession: string;
  sample: object;
}

/** Makes what the address speaks of. */
async function prepare({ method, path, condition }: Row): Promise<Prepared> {
  const release = condition === 'private' ? '2999-01-01' : '2020-01-01';
  const sample = { name: 's', release };
  let address = path;
  let accession = '';
  let hash = '';
  if (path.includes('{accession}') || path === '/samples/template') {
    accession = (await service.send('POST', '/samples', sample, { token: tokens.owner })).json<{ accession: string }>()
      .accession;
    address = address.replace('{accession}', accession).replace('{version}', '1');
    if (path.startsWith('/structureddata'))
      await service.send('PUT', `/structureddata/${accession}`, tables(accession), { token: tokens.owner });
  }
  if (path.includes('{hash}')) {
    const link = await service.send(
      'POST',
      `/samples/${accession || (await anySample())}/curationlinks`,
      { curation: {} },
      { token: tokens.owner },
    );
    const made = link.json<{ hash: string; curation: { hash: string } }>();
    hash = path.startsWith('/curations') ? made.curation.hash : made.hash;
    address = address.replace('{hash}', hash);
  }
  if (path.startsWith('/submissions/{id}') || path.includes('submission={id}') || path.includes('?id={id}')) {
    const options = UPLOADS[condition] ?? {};
    const made = condition === 'of an ISA-JSON document' ? uploadIsa(tokens.owner) : upload(tokens.owner, options);
    address = address.replace('{id}', submissionIdOf(await made));
  }
  if (path.startsWith('/samples/exports/{id}')) {
    const made = await service.call('/samples/exports', { method: 'POST', token: tokens.owner });
    const { exportId } = made.json<{ exportId: string }>();
    address = address.replace('{id}', exportId);
    if (path.endsWith('/file')) {
      const state = async () => (await service.get(`/samples/exports/${exportId}`)).json<{ state: string }>().state;
      await expect.poll(state, { interval: 20 }).toBe('COMPLETED');
    }
  }
  if (path === '/tokens/{id}') {
    const { record } = await service.tokens.issue({ account: 'owner', name: 'to go', scopes: ['read'] });
    address = address.replace('{id}', record.id);
  }
  if (path.startsWith('/webhooks/{id}')) {
    const { id, delivery } = await webhookOfOwner();
    address = address.replace('{id}', id).replace('{delivery}', delivery);
  }
  if (path === '/files/{id}') {
    const begun = await resumable('POST', '/files', tokens.owner);
    address = new URL(begun.headers.get('location') as string).pathname;
  }
  if (path.startsWith('/checklists/{id}')) address = address.replace('{id}', 'minimal');
  if (path.startsWith('/accounts/{account}')) address = address.replace('{account}', 'resettable');
  if (path === '/profiles/{name}') {
    address = `/profiles/p${++files}${condition.startsWith('shared') ? '?shared=true' : ''}`;
    if (method !== 'PUT') await service.send('PUT', address, PROFILE, { token: tokens.owner });
  }
  if (path.startsWith('/samples/by-key')) {
    address = `/samples/by-key/lims/k${++files}`;
    await service.send('PUT', address, sample, { token: tokens.owner });
  }
  if (path === '/help/{page}') address = '/help/guide';
  if (path === '/help/decisions/{record}') address = '/help/decisions/0003-packed-samples';
  if (path === '/problems/{code}') address = '/problems/not-found';
  if (path === '/tokens' && method === 'GET' && condition === 'of the owner') address += '?account=owner';
  return { path: address, accession, sample };
}

function bodyFor({ path, method, condition }: Row, asker: Asker, made: Prepared): unknown {
  if (path === '/tokens' && method === 'POST') {
    const account = condition === 'for the owner' ? { account: 'owner' } : { account: accounts[asker] ?? 'owner' };
    return { ...account, name: 'x', scopes: condition.includes('admin') ? ['admin'] : ['read'] };
  }
  if (path === '/auth/password')
    return {
      ...(asker === 'owner' ? {} : { account: 'owner' }),
      current: 'a good password',
      password: 'a good password',
    };
  if (path === '/accounts') return { account: `new ${asker} ${++files}` };
  if (path === '/samples/accession') return { name: 's' };
  // Another account's is answered with a submission that refuses it (test/http/uploads/batch-edit.test.ts).
  if (path === '/submissions/edits') return { select: { accessions: ['SAMR1'] }, changes: [{ clear: 'a' }] };
  if (path.startsWith('/v2/samples') && method === 'POST') return [made.sample];
  if (path.endsWith('/check')) return { rows: [{ line: 2, cells: ['s', '2020-01-01'] }] };
  if (path === '/profiles/{name}') return PROFILE;
  if (path === '/me/settings') return { othersMayAttachData: false };
  if (path.endsWith('/decline') || path.endsWith('/accept')) return {};
  if (path.startsWith('/samples/by-key')) return { ...made.sample, name: `changed by ${asker}` };
  if (path === '/webhooks') return RECEIVER;
  if (path === '/samples/template') return { accessions: [made.accession] };
  if (path.startsWith('/structureddata')) return tables(made.accession);
  if (path.endsWith('/curationlinks')) return { sample: made.accession, curation: {} };
  if (method === 'PUT') return { ...made.sample, accession: made.accession, name: `changed by ${asker}` };
  return made.sample;
}

const UPLOADS: Record<string, Record<string, string>> = {
  'of a dry run': { dryRun: 'true' },
  'of a standing sheet': { key: 'Sample Name', standing: 'lims' },
};
const PROFILE = { profile: 1, title: 'x', columns: [{ header: 'Tube', as: 'name' }] };
const tables = (accession: string) => ({
  accession,
  data: [{ type: 'T', content: [{ a: { value: 'b', iri: null } }] }],
});
const anySample = async (): Promise<string> =>
  (await service.send('POST', '/samples', { name: 's', release: '2020-01-01' })).json<{ accession: string }>()
    .accession;

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

/** Names of this kind lead nowhere (RFC 2606). */
const RECEIVER = { url: 'https://receiver.invalid/hook' };

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
