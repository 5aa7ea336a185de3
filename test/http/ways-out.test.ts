/**
 * Every way in which samples leave the registry, for each kind of caller and of sample: what it shows is what
 * `GET /samples/{accession}` shows the same caller. A new way out is a row of `WAYS`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_FORMATS, FORMAT_IDS } from '../../src/formats/names.js';
import { unzipped } from '../support/unzipped.js';
import { ADMIN_TOKEN, type Service, startService } from './service.js';

interface Way {
  /** Method and path as described. */
  operation: string;
  /** All that the way tells this caller, as text. `accessions` are those of the table, for ways that are asked for some. */
  ask: (token: string | null, accessions: readonly string[]) => Promise<string>;
  /** It shows samples that the caller may change, and no others though they may be read. */
  ownAlone?: true;
  /** It shows everyone what a read shows nobody. */
  asNobody?: true;
}

const text = async (path: string, token: string | null, accept = 'application/json') =>
  (await service.get(path, { token, headers: { accept } })).text;

/** One after the other: of some ways only so many may be under way. */
const all = async (paths: readonly string[], token: string | null): Promise<string> => {
  let texts = '';
  for (const path of paths) texts += await text(path, token, '*/*');
  return texts;
};

/** All that a submission says of an edit that changes and of one that refuses each sample. */
async function preview(token: string | null, select: object): Promise<string> {
  let texts = '';
  for (const change of [{ clear: 'tissue' }, { rename: 'tissue', to: 'tissue too' }, { release: 'never' }]) {
    const edit = { select, changes: [change], dryRun: true };
    const answer = await service.send('POST', '/submissions/edits', edit, { token });
    const path = answer.headers.get('location');
    texts += answer.text;
    if (path === null) continue;
    texts += await all(
      ['', '/changes', '/result', '/errors', '/mapping', '/original'].map((file) => path + file),
      token,
    );
    const crate = await service.get(`${path}/ro-crate`, { token });
    expect(crate.status).toBe(200);
    texts += [...(await unzipped(crate.bytes)).values()].join('\n');
  }
  return texts;
}

/** Without the page that they come with. */
const facetsOf = (body: string): string => JSON.stringify((JSON.parse(body) as { facets: unknown }).facets);

const WAYS: Way[] = [
  { operation: 'get /samples', ask: (token) => text('/samples?size=200&filter=status:any', token) },
  {
    operation: 'get /samples/{accession}/curationlinks',
    ask: async (token, accessions) =>
      (await Promise.all(accessions.map((one) => text(`/samples/${one}/curationlinks`, token)))).join('\n'),
  },
  {
    operation: 'get /structureddata/{accession}',
    ask: async (token, accessions) =>
      (await Promise.all(accessions.map((one) => text(`/structureddata/${one}`, token)))).join('\n'),
  },
  { operation: 'get /curations', ask: (token) => text('/curations?size=200', token) },
  {
    operation: 'get /samples/template',
    ask: (token, accessions) =>
      all(
        accessions.map((one) => `/samples/template?accession=${one}`),
        token,
      ),
  },
  {
    operation: 'get /samples with facets by name',
    ask: (token) => text('/samples?size=1&filter=status:any&facets=tissue,note&facetValues=100', token).then(facetsOf),
  },
  {
    operation: 'get /samples with the most frequent facets',
    ask: (token) => text('/samples?size=1&filter=status:any&facets=*&facetValues=100', token).then(facetsOf),
  },
  ...EXPORT_FORMATS.filter((format) => format !== 'xlsx').map((format) => ({
    operation: `get /samples/export as ${format}`,
    ask: (token: string | null) => text(`/samples/export?format=${format}&filter=status:any`, token, '*/*'),
  })),
  {
    operation: 'get /samples/export by a word',
    ask: (token) =>
      all(
        [...samples.values()].map(({ secret }) => `/samples/export?filter=status:any&text=${secret}`),
        token,
      ),
  },
  ...(['tsv', 'ndjson'] as const).map((format) => ({
    operation: `get /samples/exports/{id}/file as ${format}`,
    ask: async (token: string | null) => {
      const query = `format=${format}&filter=status:any`;
      const ordered = await service.call(`/samples/exports?${query}`, { method: 'POST', token });
      const place = ordered.headers.get('location');
      if (place === null) return text(`/samples/export?${query}`, token, '*/*');
      await expect.poll(() => text(place, token), { interval: 20 }).toContain('"phase":"DONE"');
      return ordered.text + (await all([place, '/samples/exports', `${place}/file`], token));
    },
  })),
  {
    operation: 'get /v2/samples/bulk-fetch',
    ask: (token, accessions) => text(`/v2/samples/bulk-fetch?accessions=${accessions.join(',')}`, token),
  },
  ...FORMAT_IDS.map((format) => ({
    operation: `get /samples/{accession} as ${format}`,
    ask: (token: string | null, accessions: readonly string[]) =>
      all(
        accessions.map((one) => `/samples/${one}?format=${format}`),
        token,
      ),
  })),
  {
    operation: 'get /samples/{accession}/lineage of the sample',
    ask: (token, accessions) =>
      all(
        accessions.map((one) => `/samples/${one}/lineage`),
        token,
      ),
  },
  // The root and the leaf are everybody's; between them and beside them stand the samples of the table.
  {
    operation: 'get /samples/{accession}/lineage of a public ancestor',
    ask: (token) => text(`/samples/${root}/lineage`, token),
  },
  {
    operation: 'get /samples/{accession}/lineage of a public descendant',
    ask: (token) => text(`/samples/${leaf}/lineage?direction=ancestors&depth=1`, token),
  },
  ...['/samples?size=200&', '/samples/export?format=ndjson&'].map((path) => ({
    operation: `get ${path} by descent`,
    ask: (token: string | null) =>
      all(
        [`descendantOf:${root}`, `ancestorOf:${leaf}`].map((filter) => `${path}filter=status:any&filter=${filter}`),
        token,
      ),
  })),
  {
    operation: 'get /samples/by-key/{space}/{key}',
    ownAlone: true,
    ask: async (token, accessions) => {
      const place = (accession: string) => `/samples/by-key/out/${accession}`;
      for (const one of accessions) {
        const { document } = { document: (await service.get(`/samples/${one}`, { token })).json<object>() };
        await service.send('PUT', place(one), document, { token });
      }
      return all(accessions.map(place), token);
    },
  },
  {
    operation: 'post /submissions/edits as a preview of named samples',
    ownAlone: true,
    ask: (token, accessions) => preview(token, { accessions }),
  },
  {
    operation: 'post /submissions/edits as a preview of a search',
    ownAlone: true,
    ask: (token) => preview(token, { filter: ['status:any'] }),
  },
  {
    operation: 'get /page/ of a sample',
    asNobody: true,
    ask: (token, accessions) =>
      all(
        accessions.map((one) => `/page/?sample=${one}`),
        token,
      ),
  },
  { operation: 'get /changes', ask: (token) => text('/changes?size=1000', token, 'application/x-ndjson') },
  { operation: 'get /changes with records', ask: (token) => text('/changes?size=500&records=true', token) },
];

const KINDS = ['public', 'private', 'future release', 'withdrawn', 'private again'] as const;
let service: Service;
const callers: Record<string, string | null> = {};
/** Samples of the owner's that everybody may read. Every sample of the table says that it is derived from the root, the leaf that it is from each of them. */
let root = '';
let leaf = '';
/** Accession → a word that is in its content and attachments alone. */
const samples = new Map<string, { kind: string; secret: string }>();
/** Caller → accession → what a read is answered with. */
const reads: Record<string, Record<string, number>> = {};

async function readsOf(who: string): Promise<Record<string, number>> {
  const token = callers[who] as string | null;
  const statuses: Record<string, number> = {};
  for (const accession of samples.keys()) {
    statuses[accession] = (await service.get(`/samples/${accession}`, { token })).status;
  }
  return statuses;
}

beforeAll(async () => {
  service = await startService();
  const owner = await service.token('owner');
  Object.assign(callers, { nobody: null, 'another account': await service.token('other'), owner });
  callers.administrator = ADMIN_TOKEN;
  const register = async (body: object) =>
    (await service.send('POST', '/samples', { release: '2020-01-01', ...body }, { token: owner })).json<{
      accession: string;
    }>().accession;
  root = await register({ name: 'root' });
  const relationships = [{ type: 'derived from', target: root }];
  for (const [at, kind] of KINDS.entries()) {
    const secret = `zq${at}secret`;
    const release = { private: '2999-01-01', 'future release': '2099-05-01' }[kind as string] ?? '2020-01-01';
    const body = {
      name: `${secret} name`,
      release,
      relationships,
      characteristics: { tissue: [{ text: `${secret} tissue` }] },
    };
    const made = await service.send('POST', '/samples', body, { token: owner });
    const { accession } = made.json<{ accession: string }>();
    samples.set(accession, { kind, secret });
    const curation = { attributesPost: [{ type: 'note', value: `${secret} curation` }] };
    const link = { sample: accession, curation };
    expect((await service.send('POST', `/samples/${accession}/curationlinks`, link, { token: owner })).status).toBe(
      201,
    );
    const data = [{ type: 'AMR', content: [{ drug: { value: `${secret} data` } }] }];
    const table = await service.send('PUT', `/structureddata/${accession}`, { accession, data }, { token: owner });
    expect(table.status, table.text).toBe(200);
    const after = { withdrawn: { status: 'KILLED' }, 'private again': { release: '2999-01-01' } }[kind as string];
    if (after) {
      const put = await service.send('PUT', `/samples/${accession}`, { ...body, accession, ...after });
      expect(put.status, put.text).toBe(200);
    }
  }
  leaf = await register({
    name: 'leaf',
    relationships: [...samples.keys()].map((target) => ({ type: 'derived from', target })),
  });
  for (const who of Object.keys(callers)) reads[who] = await readsOf(who);
});
afterAll(() => service.stop());

describe('lineage', () => {
  it.each(['nobody', 'another account', 'owner', 'administrator'])(
    'leads %s through no sample that may not be read, and names it only where a readable one does',
    async (who) => {
      const token = callers[who] as string | null;
      const hidden: string[] = [];
      for (const accession of samples.keys()) {
        if ((await service.get(`/samples/${accession}`, { token })).status !== 200) hidden.push(accession);
      }
      const graphOf = async (accession: string, direction: string) =>
        (await service.get(`/samples/${accession}/lineage?direction=${direction}`, { token })).json<{
          nodes: { accession: string }[];
          edges: { source: string; target: string }[];
          outside?: { source: string; target: string }[];
        }>();
      const below = await graphOf(root, 'descendants');
      for (const accession of hidden) expect(JSON.stringify({ ...below, outside: [] })).not.toContain(`"${accession}"`);
      // The leaf is reached from the root through the public one, and says itself what it is derived from.
      expect(below.nodes).toHaveLength(2 + samples.size - hidden.length);
      const above = await graphOf(leaf, 'ancestors');
      expect(above.nodes).toHaveLength(2 + samples.size - hidden.length);
      expect((above.outside ?? []).map(({ source, target }) => [source, target])).toEqual(
        hidden.map((accession) => [leaf, accession]),
      );
      const word = [...samples].find(([, { kind }]) => kind === 'public')?.[0] as string;
      for (const accession of hidden) {
        expect((await service.get(`/samples/${accession}/lineage`, { token })).status).toBe(403);
        const found = await service.get(`/samples?filter=descendantOf:${accession}&filter=status:any`, { token });
        expect(found.json<object>()).not.toHaveProperty('_embedded');
      }
      expect(below.nodes.map(({ accession }) => accession)).toContain(word);
    },
  );
});

describe.each(WAYS)('$operation', ({ operation, ask, ownAlone = false, asNobody = false }) => {
  it.each(['nobody', 'another account', 'owner', 'administrator'])(
    'shows %s what a read of each sample shows',
    async (who) => {
      const token = callers[who] as string | null;
      const shown = await ask(token, [...samples.keys()]);
      for (const [accession, { kind, secret }] of samples) {
        const status = reads[asNobody ? 'nobody' : who]?.[accession];
        const place = `${operation}: ${kind} sample for ${who}`;
        if (status !== 200) expect(shown.includes(secret), place).toBe(false);
        else if (ownAlone && ['another account', 'nobody'].includes(who))
          expect(shown.includes(secret), place).toBe(false);
        else if (operation !== 'get /changes') expect(shown.includes(secret), place).toBe(true);
        else expect(shown.includes(accession), place).toBe(true);
      }
    },
  );
});

it('no way out has changed what a read of each sample shows', async () => {
  for (const who of Object.keys(callers)) expect(await readsOf(who), who).toEqual(reads[who]);
});
