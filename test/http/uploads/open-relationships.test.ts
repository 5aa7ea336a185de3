/** Relationships that wait, over HTTP: the option, what is said, the list, and an upload that completes them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

type Listed = { line: number; accession: string; type: string; name: string };

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service.stop());

const HEADER = 'Sample Name\tRelease Date\tComment[bsd_relationship:derived from]';
const sheet = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');
const read = async <T>(path: string) => (await service.get(path, { token })).json<T>();

it('registers rows whose parents are still to come, lists them, and completes them with the next file', async () => {
  const children = sheet('child 1\t2020-01-01\tmother', 'child 2\t2020-01-01\tmother', 'child 3\t2020-01-01\tchild 1');
  const sent = await service.upload(children, { token, options: { relationships: 'later' } });
  expect(sent.status).toBe(201);
  const id = submissionIdOf(sent);
  const warning = '"No sample of yours is named ""mother"" yet';
  expect(sent.text).toContain(`line 2\tComment[bsd_relationship:derived from]\trelationship.open\tmother\t${warning}`);
  const status = (await service.get(`/submissions/${id}`, { token, headers: { accept: 'application/json' } })).json<{
    counts: object;
    issues: object[];
    _links: Record<string, { href: string }>;
  }>();
  expect(status.counts).toMatchObject({ created: 3, rejected: 0 });
  expect(status.issues).toMatchObject([{ code: 'relationship.open', severity: 'warning', count: 2, lines: [2, 3] }]);
  const path = new URL(status._links.openRelationships?.href as string, 'http://here').pathname;
  expect(path).toBe(`/submissions/${id}/open-relationships`);
  const { openRelationships } = await read<{ openRelationships: Listed[] }>(path);
  expect(openRelationships.map(({ line, type, name }) => [line, type, name])).toEqual([
    [2, 'derived from', 'mother'],
    [3, 'derived from', 'mother'],
  ]);
  expect((await read<{ openRelationships: Listed[] }>(`${path}?size=1`)).openRelationships).toHaveLength(1);
  expect((await service.get(path, { token: await service.token('other') })).status).toBe(404);

  const parents = await service.upload(sheet('mother\t2020-01-01\t'), { token });
  expect(parents.text).toContain('Created\t1');
  expect(await read(path)).toEqual({ submissionId: id, openRelationships: [] });
  const accession = openRelationships[0]?.accession as string;
  const sample = await read<{ relationships: { type: string; target: string }[] }>(`/samples/${accession}`);
  expect(sample.relationships).toEqual([
    { source: accession, type: 'derived from', target: expect.stringMatching(/^SAMR\d+$/) },
  ]);

  const again = await service.upload(sent.text, { token, options: { relationships: 'later' } });
  expect(again.text).toContain('Unchanged\t3');
});

it.each([
  ['soon', 400],
  ['now', 422],
])('relationships=%s is answered with %i', async (relationships, expected) => {
  const answer = await service.upload(sheet('x\t2020-01-01\tnobody'), { token, options: { relationships } });
  expect(answer.status === 201 ? 422 : answer.status).toBe(expected);
  if (expected === 422) expect(answer.text).toContain('the option relationships=later lets another file bring it');
});

it('items of a JSON file wait too, and go back in as they came', async () => {
  const item = (name: string, ...relationships: object[]) => ({ name, release: '2020-01-01', relationships });
  const ndjson = (...items: object[]): string => items.map((each) => `${JSON.stringify(each)}\n`).join('');
  const send = (text: string, options: Record<string, string>) =>
    service.upload(text, { token, options, name: 'samples.ndjson' });
  const sent = await send(ndjson(item('leaf', { type: 'derived from', target: 'tree' })), { relationships: 'later' });
  expect(sent.status).toBe(201);
  const path = `/submissions/${submissionIdOf(sent)}/open-relationships`;
  expect(await read(path)).toMatchObject({ openRelationships: [{ line: 1, type: 'derived from', name: 'tree' }] });
  const receipt = JSON.parse(sent.text.trimEnd().split('\n').at(-1) as string);
  expect(JSON.stringify(receipt)).toContain('/relationships/0/target');
  expect((await send(sent.text, { relationships: 'later' })).text).toContain('"unchanged":1');
  await send(ndjson(item('tree')), {});
  expect(await read(path)).toMatchObject({ openRelationships: [] });
  const { accession } = JSON.parse(sent.text.split('\n')[0] as string) as { accession: string };
  const shown = await read<{ relationships: object[] }>(`/samples/${accession}`);
  expect(shown.relationships).toHaveLength(1);
  expect((await send(sent.text, { relationships: 'later' })).text).toContain('"unchanged":1');
  expect((await send(ndjson(shown), {})).text).toContain('"unchanged":1');

  const sourced = item('twig', { source: 'SAMEA1', type: 'derived from', target: 'forest' });
  const refused = await send(ndjson(sourced, item('nest', { type: 'on', target: 'twig' })), { relationships: 'later' });
  expect(refused.text).toContain('leave out the source');
  const hint = await send(ndjson(item('twig', { type: 'derived from', target: 'forest' })), {});
  expect(hint.text).toContain('the option relationships=later');
});
