/** For each operation of the interface description, the requests that were found to cost most, over sizes, counts and depths. Over 300 lines: one table. */
import type { Answer } from '../support/api-caller.js';
import { resumable, type Scene } from './costly-scene.js';

export interface CostlyRequest {
  /** Method and path as described. */
  operation: string;
  /** What is asked, in words. */
  request: string;
  send: (scene: Scene) => Promise<Answer>;
}

/** Just below MAX_JSON_BYTES. */
const BODY = 1_000_000;
/** As much of a sheet as is read before it is answered. */
const HEAD = 1024 * 1024;
const text = (length: number): string => 'x'.repeat(length);
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const object = <T>(count: number, make: (at: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(times(count, make));

const sample = (more: object) => ({ name: 'costly', release: '2020-01-01', ...more });
/** Bodies of a megabyte, of each shape that something walks. */
const BODIES: [string, object][] = [
  ['one value of 1 MB', sample({ characteristics: { a: [{ text: text(BODY - 200) }] } })],
  ['30 000 characteristics', sample({ characteristics: object(30_000, (at) => [`c${at}`, [{ text: `v${at}` }]]) })],
  ['13 000 characteristics', sample({ characteristics: object(13_000, (at) => [`c${at}`, [{ text: `v${at}` }]]) })],
  [
    '50 000 values of one characteristic',
    sample({ characteristics: { a: times(50_000, (at) => ({ text: `${at}` })) } }),
  ],
  [
    '18 000 relationships',
    sample({ relationships: times(18_000, (at) => ({ type: 'derived from', target: `SAMR${at}` })) }),
  ],
  ['40 000 external references', sample({ externalReferences: times(40_000, (at) => ({ url: `http://a/${at}` })) })],
  ['19 000 contacts', sample({ contact: times(19_000, (at) => ({ Name: `n${at}` })) })],
  [
    '19 000 values of one characteristic',
    sample({ characteristics: { a: times(19_000, (at) => ({ text: `${at}` })) } }),
  ],
  ['19 000 external references', sample({ externalReferences: times(19_000, (at) => ({ url: `http://a/${at}` })) })],
  [
    '12 000 relationships',
    sample({ relationships: times(12_000, (at) => ({ type: 'derived from', target: `SAMR${at}` })) }),
  ],
  ['19 000 faults', sample({ characteristics: { a: times(19_000, () => ({ unit: 7 })) } })],
  [
    'checklist and 13 000 characteristics',
    sample({
      characteristics: {
        checklist: [{ text: 'human-associated' }],
        ...object(13_000, (at) => [`c${at}`, [{ text: `v${at}` }]]),
      },
    }),
  ],
  [
    '38 000 ontology terms of one value',
    sample({ characteristics: { a: [{ text: 'x', ontologyTerms: times(38_000, (at) => `T${at}`) }] } }),
  ],
  ['40 000 contacts', sample({ contact: times(40_000, (at) => ({ Name: `n${at}` })) })],
  ['80 000 faults', sample({ characteristics: { a: times(80_000, () => ({ unit: 7 })) } })],
  ['60 000 empty characteristics', sample({ characteristics: object(60_000, (at) => [`c${at}`, []]) })],
  ['names of 10 kB', sample({ characteristics: object(95, (at) => [`${at}${text(10_000)}`, [{ text: 'v' }]]) })],
];
/** Items of a JSON file, each of so many characteristics; new ones each time. */
let batches = 0;
const ndjson = (items: number, characteristics: number): string => {
  batches += 1;
  const batch = batches;
  const content = object(characteristics, (at) => [`accession${at}`, [{ text: text(40) }]]);
  return times(items, (at) =>
    JSON.stringify(sample({ name: `${batch} ${at}`, accession: null, characteristics: content })),
  ).join('\n');
};
/** Of 8 MB. */
const LISTS: [string, object][] = [
  [
    '7 samples of 13 000 characteristics',
    times(7, (n) =>
      sample({ name: `list ${n}`, characteristics: object(13_000, (at) => [`c${at}`, [{ text: `v${at}` }]]) }),
    ),
  ],
  [
    '500 samples of 100 characteristics',
    times(500, (n) =>
      sample({ name: `list ${n}`, characteristics: object(100, (at) => [`c${at}`, [{ text: text(100) }]]) }),
    ),
  ],
  ['500 samples with 70 faults each', times(500, (n) => sample({ name: `${n}`, contact: times(70, () => 7) }))],
];
const json = (method: string, path: (scene: Scene) => string, bodies: [string, object][], as?: 'admin' | 'nobody') =>
  bodies.map(([request, body]) => ({
    request,
    send: (scene: Scene) =>
      scene.server.send(method, path(scene), body, {
        token: as === 'admin' ? scene.server.adminToken : as === 'nobody' ? null : scene.token,
      }),
  }));
const get = (
  path: (scene: Scene) => string,
  request: string,
  as?: 'admin' | 'nobody',
  headers: Record<string, string> = {},
) => [
  {
    request,
    send: (scene: Scene) =>
      scene.server.call(path(scene), {
        headers,
        token: as === 'admin' ? scene.server.adminToken : as === 'nobody' ? null : scene.token,
      }),
  },
];
const withdrawal = (method: 'PUT' | 'DELETE') => [
  {
    request: 'of a sample of 1 MB',
    send: (scene: Scene) =>
      scene.server.call(`/samples/${big(scene)}/withdrawal`, { method, token: scene.server.adminToken }),
  },
];
const NO_EXPORT = '00000000-0000-4000-8000-000000000000';
const big = ({ big: [accession = ''] }: Scene) => accession;

const REQUESTS: Record<string, Omit<CostlyRequest, 'operation'>[]> = {
  'post /samples': json('POST', () => '/samples', BODIES),
  'get /samples': [
    ...get(() => '/samples?size=200', 'a page of 200, 60 of them of 1 MB', 'nobody'),
    ...get(() => '/samples?size=200&page=0', 'the same by page', 'nobody'),
    ...get(({ words }) => `/samples?size=200&page=0&text=${words}`, 'as many words as an address holds', 'nobody'),
    ...get(() => `/samples?size=1&${times(300, (at) => `filter=attr:a${at}:b`).join('&')}`, '300 filters', 'nobody'),
    ...get(() => '/samples?size=1&facets=20&facetValues=100', '20 facets of 100 values', 'nobody'),
    ...get(() => '/samples?size=1&facets=20&facetValues=100', '20 facets of all samples', 'admin'),
    ...get(
      () => `/samples?size=1&${times(100, (at) => `filter=range:a${at}:from=1`).join('&')}`,
      '100 ranges',
      'nobody',
    ),
  ],
  'get /samples/{accession}': [
    ...get((scene) => `/samples/${big(scene)}`, 'a sample of 1 MB with 96 kB of curations', 'nobody'),
    ...get(({ wide }) => `/samples/${wide}`, 'a sample of 13 000 characteristics', 'nobody'),
    ...get(({ row }) => `/samples/${row}`, 'a sample from the longest row', 'nobody'),
  ],
  'put /samples/{accession}': json('PUT', ({ own }) => `/samples/${own}`, BODIES),
  'put /samples/{accession}/withdrawal': withdrawal('PUT'),
  'delete /samples/{accession}/withdrawal': withdrawal('DELETE'),
  'put /samples/by-key/{space}/{key}': json('PUT', () => '/samples/by-key/costs/one', BODIES),
  'get /samples/by-key/{space}/{key}': get(() => '/samples/by-key/costs/one', 'what was put last'),
  'delete /samples/by-key/{space}/{key}': [
    {
      request: 'one that is not there',
      send: ({ server, token }) => server.call('/samples/by-key/costs/none', { method: 'DELETE', token }),
    },
  ],
  'post /validate': json('POST', () => '/validate', BODIES),
  'post /samples/validate': json('POST', () => '/samples/validate', BODIES),
  'post /samples/accession': json(
    'POST',
    () => '/samples/accession',
    BODIES.map(([request, { release: _, ...body }]: [string, { release?: string }]) => [request, body]),
  ),
  'post /v2/samples': json('POST', () => '/v2/samples', LISTS),
  'post /v2/samples/bulk-submit': json('POST', () => '/v2/samples/bulk-submit', LISTS),
  'post /v2/samples/bulk-submit-get-receipt': json('POST', () => '/v2/samples/bulk-submit-get-receipt', LISTS),
  'post /v2/samples/bulk-accession': json('POST', () => '/v2/samples/bulk-accession', LISTS),
  'post /v2/samples/validate': json('POST', () => '/v2/samples/validate', LISTS),
  'get /v2/samples/bulk-fetch': [
    ...get(({ big: list }) => `/v2/samples/bulk-fetch?accessions=${list.join(',')}`, '60 samples of 1 MB', 'nobody'),
  ],
  'get /samples/template': [
    ...get(({ big: list }) => `/samples/template?accession=${list.join(',')}`, '60 samples of 1 MB', 'nobody'),
    ...get(
      ({ different }) => `/samples/template?accession=${different.join(',')}`,
      '100 samples of 100 columns each, all different',
      'nobody',
    ),
    ...get(
      ({ different }) => `/samples/template?format=xlsx&accession=${different.join(',')}`,
      'the same as a workbook',
      'nobody',
    ),
    ...get(({ terms }) => `/samples/template?accession=${terms.join(',')}`, 'two of very many terms each', 'nobody'),
    ...get(({ many }) => `/samples/template?submission=${many}`, '6 000 samples of one upload'),
    ...get(({ many }) => `/samples/template?format=xlsx&submission=${many}`, 'the same as a workbook'),
  ],
  'post /samples/template': json('POST', () => '/samples/template', [
    ['10 000 accessions', { accessions: times(10_000, (at) => `SAMR${at + 1}`) }],
    ['10 000 accessions as a workbook', { accessions: times(10_000, (at) => `SAMR${at + 1}`), format: 'xlsx' }],
  ]),
  'post /samples/exports': [
    {
      request: '600 filters',
      send: ({ server, token }) =>
        server.call(`/samples/exports?${times(600, (at) => `filter=acc:SAMR${at}`).join('&')}`, {
          method: 'POST',
          token,
        }),
    },
  ],
  'get /samples/exports': get(() => '/samples/exports', 'all of an account'),
  'get /samples/exports/{id}': get(() => `/samples/exports/${NO_EXPORT}`, 'one that is not there'),
  'delete /samples/exports/{id}': [
    {
      request: 'one that is not there',
      send: ({ server, token }) => server.call(`/samples/exports/${NO_EXPORT}`, { method: 'DELETE', token }),
    },
  ],
  'get /samples/exports/{id}/file': [
    {
      request: 'everything as documents, from the order to the last byte',
      send: async ({ server, token }) => {
        const ordered = await server.call('/samples/exports?format=ndjson', { method: 'POST', token });
        const { exportId } = ordered.json<{ exportId?: string }>();
        const path = `/samples/exports/${exportId ?? NO_EXPORT}`;
        for (;;) {
          const { text: document } = await server.get(path, { token });
          if (!document.includes('"state":"ACTIVE"')) return server.get(`${path}/file`, { token });
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      },
    },
  ],
  'get /samples/export': [
    ...get(() => '/samples/export', 'everything', 'nobody'),
    ...get(() => '/samples/export?format=xlsx', 'everything as a workbook', 'nobody'),
    ...get(() => '/samples/export?format=ndjson', 'everything as documents', 'nobody'),
  ],
  'get /samples/{accession}/lineage': [
    ...get(() => '/samples/SAMR1/lineage?nodes=1000&depth=100', 'up to 1 000 samples', 'nobody'),
    ...get((scene) => `/samples/${big(scene)}/lineage?nodes=1000&depth=100`, 'of a sample of 1 MB', 'nobody'),
    ...get(({ own }) => `/samples/${own}/lineage?types=${times(10, (at) => `t${at}`).join(',')}`, 'ten types'),
  ],
  'get /samples/{accession}/history': get(({ changed }) => `/samples/${changed}/history`, '200 versions'),
  'get /samples/{accession}/history/{version}': get(({ changed }) => `/samples/${changed}/history/1`, 'any'),
  'post /samples/{accession}/curationlinks': json('POST', (scene) => `/samples/${big(scene)}/curationlinks`, [
    ['30 000 attributes', { curation: { attributesPost: times(30_000, (at) => ({ type: 'a', value: `${at}` })) } }],
    ['one value of 1 MB', { curation: { attributesPost: [{ type: 'a', value: text(BODY - 200) }] } }],
  ]),
  'get /samples/{accession}/curationlinks': get(
    (scene) => `/samples/${big(scene)}/curationlinks?size=200`,
    'all of a full sample',
  ),
  'get /samples/{accession}/curationlinks/{hash}': get(
    (scene) => `/samples/${big(scene)}/curationlinks/${scene.hash}`,
    'of a full sample',
  ),
  'delete /samples/{accession}/curationlinks/{hash}': [
    {
      request: 'of a full sample',
      send: ({ server, token, big: [accession], hash }) =>
        server.call(`/samples/${accession}/curationlinks/${'0'.repeat(64)}${hash.slice(64)}`, {
          method: 'DELETE',
          token,
        }),
    },
  ],
  'post /samples/{accession}/curationlinks/{hash}/decline': [
    {
      request: 'of a full sample',
      send: ({ server, big: [accession], hash }) =>
        server.call(`/samples/${accession}/curationlinks/${hash}/decline`, { method: 'POST' }),
    },
  ],
  'post /samples/{accession}/curationlinks/{hash}/accept': [
    {
      request: 'of a full sample',
      send: ({ server, big: [accession], hash }) =>
        server.call(`/samples/${accession}/curationlinks/${hash}/accept`, { method: 'POST' }),
    },
  ],
  'get /curations': get(() => '/curations?size=200', '200 of 32 kB', 'nobody'),
  'get /curations/{hash}': get(({ curation }) => `/curations/${curation}`, 'of 32 kB', 'nobody'),
  'get /changes': [
    ...get(() => '/changes?size=1000', '1 000 of everything', 'nobody'),
    ...get(() => '/changes?size=500&records=true', '500 with their samples', 'nobody'),
  ],
  'put /structureddata/{accession}': json('PUT', ({ own }) => `/structureddata/${own}`, [
    ['9 000 rows', { data: [{ type: 'AMR', content: times(9_000, (at) => ({ a: { value: `${at}` } })) }] }],
    ['19 000 columns', { data: [{ type: 'AMR', content: [object(19_000, (at) => [`c${at}`, { value: `${at}` }])] }] }],
    ['1 000 tables', { data: times(1_000, (at) => ({ type: `t${at}`, content: [] })) }],
    ['19 000 faults', { data: [{ type: 'AMR', content: times(19_000, () => ({ a: 1 })) }] }],
    ['25 000 rows', { data: [{ type: 'AMR', content: times(25_000, (at) => ({ a: { value: `${at}` } })) }] }],
    ['25 000 columns', { data: [{ type: 'AMR', content: [object(25_000, (at) => [`c${at}`, { value: `${at}` }])] }] }],
    ['20 000 tables', { data: times(20_000, (at) => ({ type: `t${at}`, content: [] })) }],
    ['90 000 faults', { data: [{ type: 'AMR', content: times(90_000, () => ({ a: 1 })) }] }],
  ]),
  'delete /structureddata/{accession}': [
    {
      request: 'any',
      send: ({ server, token, own }) => server.call(`/structureddata/${own}`, { method: 'DELETE', token }),
    },
  ],
  'get /structureddata/{accession}': get((scene) => `/structureddata/${scene.tabled}`, '9 000 rows', 'nobody'),

  'post /submissions': [
    ...uploads('a header of 1 MB', ({ sheets }) => sheets.wideHeader),
    ...uploads('1 MB of quotes', () => '"'.repeat(HEAD)),
    ...uploads('1 MB of quoted cells', () => '"a",'.repeat(HEAD / 4)),
    ...uploads('1 MB of brackets and blanks', () => 'a ('.repeat(HEAD / 3)),
    ...uploads(
      'groups above 16 000 columns',
      () => `${'a\t'.repeat(16_000)}\nSample Name\t${'x\t'.repeat(16_000)}\ns\n`,
    ),
    ...uploads('1 MB of remarks', () => '#\n'.repeat(HEAD / 2)),
    ...uploads('one row of 12 MB', ({ sheets }) => sheets.longRow),
    ...uploads('many rows', ({ sheets }) => sheets.large),
    ...uploads('10 000 columns without names of ours', ({ sheets }) => sheets.unknown),
    ...uploads('12 MB of JSON items of 13 000 characteristics', () => ndjson(12, 13_000)),
    ...uploads('12 MB of JSON items that say accession and name none', () => ndjson(60_000, 1)),
    ...uploads(
      '50 options of 64 kB',
      ({ sheets }) => sheets.small,
      object(49, (at) => [`o${at}`, text(60_000)]),
    ),
  ],
  'get /submissions': get(() => '/submissions?size=200', '200 with as many faults as are listed'),
  'post /submissions/edits': json('POST', () => '/submissions/edits', [
    ['all samples', { select: { all: true }, changes: [{ clear: 'nothing' }], dryRun: true }],
    [
      '10 000 accessions',
      { select: { accessions: times(10_000, (at) => `SAMR${at + 1}`) }, changes: [{ clear: 'nothing' }], dryRun: true },
    ],
    [
      '50 changes of 20 kB',
      {
        select: { all: true },
        changes: times(50, (at) => ({ set: `c${at}`, values: [{ text: text(20_000) }] })),
        dryRun: true,
      },
    ],
  ]),
  'get /submissions/results': get(
    ({ submissions }) => `/submissions/results?id=${Object.values(submissions).join(',')}`,
    'all of the largest uploads',
  ),
  'post /submissions/{id}/check': json('POST', ({ submissions }) => `/submissions/${submissions.faulty}/check`, [
    [
      '9 000 rows',
      {
        rows: times(9_000, (at) => ({
          line: at + 2,
          cells: [`c${at}`, '2020-01-01', 'Homo sapiens', '1', 'year', 'x'],
        })),
      },
    ],
    [
      '200 rows',
      {
        rows: times(200, (at) => ({ line: at + 2, cells: [`c${at}`, '2020-01-01', 'Homo sapiens', '1', 'year', 'x'] })),
      },
    ],
  ]),
  'get /submissions/{id}': get(({ faulty }) => `/submissions/${faulty}`, 'with as many faults as are listed'),
  'delete /submissions/{id}': after('DELETE', ''),
  'post /submissions/{id}/retry': after('POST', '/retry'),
  'post /submissions/{id}/commit': after('POST', '/commit'),
  'post /submissions/{id}/undo': after('POST', '/undo'),
  'get /submissions/{id}/result': [
    ...files('result', 'large', '6 000 rows'),
    ...files('result', 'wideRows', '80 rows of 100 kB'),
    ...files('result?format=xlsx', 'large', '6 000 rows as a workbook'),
  ],
  'get /submissions/{id}/errors': [
    ...files('errors', 'faulty', '6 000 rejected rows'),
    ...files('errors?format=json', 'faulty', 'the same as JSON'),
    ...files('errors?format=xlsx', 'faulty', 'the same as a workbook'),
    ...files('errors?format=xlsx', 'wideFaults', '80 rejected rows of 50 faults as a workbook'),
    ...files('errors?format=json', 'wideFaults', 'the same as JSON'),
  ],
  'get /submissions/{id}/changes': [
    ...files('changes', 'dry', 'of 6 000 rows'),
    ...files('changes', 'wideDry', 'of 80 rows of 100 kB'),
  ],
  'get /submissions/{id}/missing': files('missing', 'standing', '6 000 samples'),
  'get /submissions/{id}/open-relationships': files('open-relationships', 'waiting', '6 000 of one file'),
  'get /submissions/{id}/mapping': files('mapping', 'large', '6 000 rows'),
  'get /submissions/{id}/receipt': files('receipt', 'isa', '6 000 samples of ISA-JSON'),
  'get /submissions/{id}/ro-crate': [
    ...files('ro-crate', 'large', '6 000 rows'),
    ...files('ro-crate', 'faulty', 'of 6 000 rejected rows'),
    ...files('ro-crate', 'isa', 'of 6 000 samples of ISA-JSON'),
  ],
  'get /submissions/{id}/original': files('original', 'large', '6 000 rows'),
  'get /submissions/{id}/events': files('events', 'faulty', 'of an ended submission with many faults'),

  'options /files': [{ request: 'any', send: ({ server }) => server.call('/files', { method: 'OPTIONS' }) }],
  'post /files': [
    {
      request: 'metadata of 12 kB',
      send: ({ server, token }) =>
        server.call('/files', {
          method: 'POST',
          token,
          headers: {
            'tus-resumable': '1.0.0',
            'upload-length': '10',
            'upload-metadata': `filename ${Buffer.from(text(9_000)).toString('base64')}`,
          },
        }),
    },
  ],
  'head /files/{id}': [
    {
      request: 'any',
      send: ({ server, token, tus }) =>
        server.call(`/files/${tus}`, { method: 'HEAD', token, headers: { 'tus-resumable': '1.0.0' } }),
    },
  ],
  'patch /files/{id}': [
    {
      request: '50 MB at once',
      send: async ({ server, token }) =>
        server.call(`/files/${await resumable(server, token, 50_000_000)}`, {
          method: 'PATCH',
          token,
          headers: {
            'tus-resumable': '1.0.0',
            'upload-offset': '0',
            'content-type': 'application/offset+octet-stream',
          },
          body: new Uint8Array(50_000_000),
        }),
    },
  ],
  'delete /files/{id}': [
    {
      request: 'any',
      send: ({ server, token, tus }) =>
        server.call(`/files/${tus}`, { method: 'DELETE', token, headers: { 'tus-resumable': '1.0.0' } }),
    },
  ],

  'get /webhooks': get(() => '/webhooks', 'as many as an account may have'),
  'post /webhooks': json('POST', () => '/webhooks', [
    ['an address of 1 MB', { url: `https://example.org/${text(BODY - 200)}` }],
  ]),
  'get /webhooks/{id}': get(({ webhook }) => `/webhooks/${webhook}`, 'any'),
  'delete /webhooks/{id}': [
    {
      request: 'that is not there',
      send: ({ server, token }) => server.call(`/webhooks/${'0'.repeat(36)}`, { method: 'DELETE', token }),
    },
  ],
  'get /webhooks/{id}/deliveries': get(({ webhook }) => `/webhooks/${webhook}/deliveries?size=100`, 'any'),
  'post /webhooks/{id}/deliveries/{delivery}/redeliver': [
    {
      request: 'that is not there',
      send: ({ server, token, webhook }) =>
        server.call(`/webhooks/${webhook}/deliveries/1/redeliver`, { method: 'POST', token }),
    },
  ],

  'get /checklists': get(() => '/checklists', 'any', 'nobody'),
  'get /checklists/{id}': get(() => '/checklists/human-associated', 'any', 'nobody'),
  'get /checklists/{id}/schema': get(() => '/checklists/human-associated/schema', 'any', 'nobody'),
  'get /checklists/{id}/template': get(
    () => '/checklists/human-associated/template?format=xlsx',
    'a workbook',
    'nobody',
  ),

  'post /tokens': json('POST', () => '/tokens', [
    ['a name of 1 MB', { name: text(BODY - 200), scopes: ['read'] }],
    ['100 000 scopes', { name: 'x', scopes: times(100_000, () => 'read') }],
  ]),
  'get /tokens': get(() => '/tokens?size=200', '200 of many'),
  'delete /tokens/{id}': [
    {
      request: 'a name of 12 kB',
      send: ({ server, token }) => server.call(`/tokens/${text(12_000)}`, { method: 'DELETE', token }),
    },
  ],
  'get /accounts': get(() => '/accounts?size=200&text=e', '200 of many', 'admin'),
  'post /accounts': json(
    'POST',
    () => '/accounts',
    [
      ['a name of 1 MB', { account: text(BODY - 200) }],
      ['a password of 1 MB', { account: 'pw', password: text(BODY - 200) }],
    ],
    'admin',
  ),
  'get /accounts/{account}': get(() => `/accounts/${text(12_000)}`, 'a name of 12 kB', 'admin'),
  'post /accounts/{account}/password-reset': json(
    'POST',
    () => `/accounts/${text(12_000)}/password-reset`,
    [['a name of 12 kB', {}]],
    'admin',
  ),
  'get /me/settings': get(() => '/me/settings', 'any'),
  'put /me/settings': json('PUT', () => '/me/settings', [['a body of 1 MB', object(60_000, (at) => [`m${at}`, 1])]]),
  'get /profiles': get(() => '/profiles', 'any'),
  'get /profiles/{name}': get(() => `/profiles/${text(12_000)}`, 'a name of 12 kB'),
  'put /profiles/{name}': json('PUT', () => '/profiles/costly', [
    ['a body of 1 MB', object(60_000, (at) => [`m${at}`, 1])],
    [
      'a column twice, 9 000 times',
      { profile: 1, title: 'x', columns: times(9_000, () => ({ header: 'Tube', as: 'name' })) },
    ],
    [
      '1 000 columns, each the unit of another',
      { profile: 1, title: 'x', columns: times(1_000, (at) => ({ header: `h${at}`, as: 'unit', of: `h${at + 1}` })) },
    ],
  ]),
  'delete /profiles/{name}': [
    {
      request: 'that is not there',
      send: ({ server, token }: Scene) => server.send('DELETE', '/profiles/nothing', undefined, { token }),
    },
  ],
  'post /profile-proposals': [
    {
      request: '10 000 columns',
      send: ({ server, sheets, token }: Scene) => server.propose(sheets.unknown, { token }),
    },
    {
      request: '900 columns with a unit each, 60 rows',
      send: ({ server, token }: Scene) => {
        const row = (make: (at: number) => string): string => `${times(900, make).join('\t')}\n`;
        const rows = times(60, (line) => row((at) => `0${at % 9},${line}`)).join('');
        return server.propose(row((at) => `weight ${at} unit (kg)`) + rows, { token });
      },
    },
  ],
  'get /me': get(() => '/me', 'any'),
  'post /auth/token': json(
    'POST',
    () => '/auth/token',
    [
      ['a name of 1 MB', { username: text(BODY - 200), password: 'x' }],
      ['a password of 1 MB', { username: 'x', password: text(BODY - 200) }],
    ],
    'nobody',
  ),
  'post /auth/session': json(
    'POST',
    () => '/auth/session',
    [
      ['a name of 1 MB', { account: text(BODY - 200), password: 'x' }],
      ['a password of 1 MB', { account: 'y', password: text(BODY - 200) }],
    ],
    'nobody',
  ),
  'delete /auth/session': [
    {
      request: 'a cookie of 12 kB',
      send: ({ server }) =>
        server.call('/auth/session', { method: 'DELETE', token: null, headers: { cookie: text(12_000) } }),
    },
  ],
  'post /auth/password': json('POST', () => '/auth/password', [
    ['a password of 1 MB', { password: text(BODY - 200), present: 'x' }],
  ]),

  'get /': get(() => '/', 'any', 'nobody', { accept: times(2_000, (at) => `a/b${at}`).join(',') }),
  'get /health/live': get(() => '/health/live', 'any', 'nobody'),
  'get /health/ready': get(() => '/health/ready', 'any', 'nobody'),
  'get /problems/{code}': get(() => `/problems/${text(12_000)}`, 'a code of 12 kB', 'nobody'),
  'get /openapi.json': get(() => '/openapi.json', 'any', 'nobody'),
  'get /docs': get(() => '/docs', 'any', 'nobody'),
  'get /docs/style.css': get(() => '/docs/style.css', 'any', 'nobody'),
  'get /help': get(
    () => `/help?q=${times(1_000, (at) => `sampel${at}`).join('+')}`,
    'a question of 1 000 misspelt words',
    'nobody',
  ),
  'get /help/{page}': get(() => '/help/tsv-dialect', 'the longest page', 'nobody'),
  'get /help/decisions/{record}': get(() => `/help/decisions/${text(12_000)}`, 'a name of 12 kB', 'nobody'),
  'get /page/': get(() => `/page/${text(12_000)}`, 'a path of 12 kB', 'nobody'),
  'get /metrics': get(() => '/metrics', 'after all others', 'admin'),
  'get /operations': get(() => '/operations', 'any', 'admin'),
};

function uploads(request: string, file: (scene: Scene) => Uint8Array | string, options: Record<string, string> = {}) {
  return [
    {
      request,
      send: (scene: Scene) =>
        scene.server.upload(file(scene), { token: scene.token, options: { dryRun: 'true', ...options } }),
    },
  ];
}

function files(file: string, which: Exclude<keyof Scene['submissions'], 'sheets'>, request: string) {
  return get(({ submissions }) => `/submissions/${submissions[which]}/${file}`, request);
}

/** Steps of a submission that has ended: refused or taken, the answer is the whole document. */
function after(method: string, step: string) {
  return [
    {
      request: 'with as many faults as are listed',
      send: ({ server, token, faulty }: Scene) => server.call(`/submissions/${faulty}${step}`, { method, token }),
    },
  ];
}

export const COSTLY_REQUESTS: readonly CostlyRequest[] = Object.entries(REQUESTS).flatMap(([operation, requests]) =>
  requests.map((request) => ({ operation, ...request })),
);
