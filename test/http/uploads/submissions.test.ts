/** What a submission offers once it is there, and to whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { unzipped } from '../../support/unzipped.js';
import { type Service, startService } from '../service.js';
import { sheet } from './forms.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

interface SubmissionPage {
  _embedded: { submissions: { submissionId: string }[] };
  _links: { next?: { href: string } };
}

describe('a submission', () => {
  it.each([
    ['Sample Name\tRelease Date\tCharacteristics[organism]', 'Term Source REF'],
    ['Source Name\tMaterial Type\tCharacteristics[organism]', 'Term Source REF', '\tAssay Name'],
  ])('names an ontology once, on every way out and back: %s', async (first, source, behind = '') => {
    const name = first.slice(0, 3);
    const row = `${name}-1\t2020-01-01\tMus musculus\tNCBITaxon\tNCBITaxon_10090${behind && '\trun'}`;
    const content = `${first}\t${source}\tTerm Accession Number${behind}\n${row}\n`;
    const call = { token, options: { releaseDate: '2020-01-01' } };
    const { id } = await service.uploadAndSettle(content, call);
    const { sampleNameAccessionPairs: pairs } = await service.mapping(id, token);
    const accession = pairs[0]?.sampleAccession as string;
    const shown = (await service.get(`/samples/${accession}`, { token })).json<Record<string, unknown>>();
    expect(shown.taxId).toBe(10090);
    expect(shown.characteristics).toHaveProperty('organism.0.ontologyTerms', ['NCBITaxon:10090']);
    const exported = await service.get(`/samples/export?filter=acc:${accession}&format=tsv`, { token });
    for (const back of [await service.result(id, token), exported.text]) {
      const { status } = await service.uploadAndSettle(back, { token });
      expect(status.counts, back).toMatchObject({ unchanged: 1, created: 0, updated: 0, rejected: 0 });
    }
  });

  it('offers its status, result, errors, mapping and original as downloads', async () => {
    const content = sheet();
    const id = submissionIdOf(await service.upload(content, { token, name: 'ä "q" \\ ..%2F€.tsv' }));
    const original = await service.get(`/submissions/${id}/original`, { token });
    expect(original.text).toBe(content);
    expect(original.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[ -~]*"; filename\*=UTF-8''[\w%.~-]+$/,
    );
    expect(original.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await service.result(id, token)).split('\n')[1]).toMatch(/^f\d+-0\t.*\tSAMR\d+$/);
    expect((await service.get(`/submissions/${id}/errors`, { token })).status).toBe(200);
    expect((await service.mapping(id, token)).sampleNameAccessionPairs).toHaveLength(2);
    const head = await service.call(`/submissions/${id}/result`, { method: 'HEAD', token });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('is found by its id in letters of either case, also where a parameter names it', async () => {
    const id = submissionIdOf(await service.upload(sheet(), { token }));
    for (const address of ['/submissions/', '/submissions/results?id=', '/samples/template?submission=']) {
      for (const written of [id, id.toUpperCase()])
        expect((await service.get(address + written, { token })).status, address).toBe(200);
    }
    const none = await service.get(`/samples/template?submission=${'x'.repeat(200)}`, { token });
    expect([none.status, none.json()]).toEqual([
      404,
      expect.objectContaining({ detail: `There is no submission "${'x'.repeat(60)}" of yours.` }),
    ]);
  });

  it('does not exist for other accounts, in any of its addresses', async () => {
    const id = submissionIdOf(await service.upload(sheet(), { token }));
    const other = await service.token('lab-2');
    for (const rest of ['', '/result', '/mapping', '/errors', '/original', '/events']) {
      expect((await service.get(`/submissions/${id}${rest}`, { token: other })).status).toBe(404);
      expect((await service.get(`/submissions/${id}${rest}`, { token: null })).status).toBe(401);
    }
    expect((await service.call(`/submissions/${id}`, { method: 'DELETE', token: other })).status).toBe(404);
    expect((await service.get(`/submissions/${id}`)).status).toBe(200);
    expect((await service.get('/submissions/not-an-id', { token })).status).toBe(404);
    expect((await service.get('/submissions', { token: other })).json()).not.toHaveProperty('_embedded');
  });

  it('is found by its state, file, day and kind, and the filters stay in the links', async () => {
    const lab = await service.token('filter-lab');
    const good = submissionIdOf(await service.upload(sheet(), { token: lab, name: 'Leber 1.tsv' }));
    const check = submissionIdOf(
      await service.upload(sheet(), { token: lab, name: 'leber 2.tsv', options: { dryRun: 'true' } }),
    );
    const refused = (await service.upload('x\ty\n1\t2\n', { token: lab, name: 'broken.tsv' })).json<{
      submissionId: string;
    }>();
    const found = async (query: string, asked = lab) => {
      const page = (await service.get(`/submissions?${query}`, { token: asked })).json<Partial<SubmissionPage>>();
      return (page._embedded?.submissions ?? []).map(({ submissionId }) => submissionId);
    };
    expect(await found('status=FAILED')).toEqual([refused.submissionId]);
    expect(await found('status=FAILED,COMPLETED')).toEqual([refused.submissionId, check, good]);
    expect(await found('fileName=LEBER')).toEqual([check, good]);
    expect(await found('fileName=leber&dryRuns=false')).toEqual([good]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await found(`to=${today}&fileName=leber`)).toEqual([check, good]);
    expect(await found('to=2020-01-01')).toEqual([]);
    expect(await found('from=2024-12-30T12:00:00Z&to=2024-12-30T12:00:00Z')).toEqual([]);
    expect(await found('from=2024-12-30T12:00:00Z&to=2024-12-30')).toEqual([]);
    expect(await found('from=2020-01-01&size=1')).toEqual([refused.submissionId]);
    expect(await found('account=filter-lab&status=FAILED', token)).toEqual([]);
    expect(await found('account=filter-lab&status=FAILED', await service.token('root', ['read', 'admin']))).toEqual([
      refused.submissionId,
    ]);
    const page = (
      await service.get('/submissions?size=1&fileName=leber&status=COMPLETED&dryRuns=true', { token: lab })
    ).json<SubmissionPage>();
    const next = new URL(page._links.next?.href as string).searchParams;
    expect(Object.fromEntries(next)).toMatchObject({
      size: '1',
      fileName: 'leber',
      status: 'COMPLETED',
      dryRuns: 'true',
    });
    for (const wrong of [
      'status=DONE',
      'from=yesterday',
      'from=2024-12-31&to=2024-12-30',
      'from=2024-12-30T12:00:01Z&to=2024-12-30T12:00:00Z',
      'dryRuns=perhaps',
      `fileName=${'x'.repeat(201)}`,
    ]) {
      const answer = await service.get(`/submissions?${wrong}`, { token: lab });
      expect(answer.status, wrong).toBe(400);
      expect(answer.text).toContain(wrong.split('=')[0]);
    }
  });

  it('comes with others in one archive, each result as it is given alone, and an overview', async () => {
    const lab = await service.token('archive-lab');
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1)
      ids.push(submissionIdOf(await service.upload(sheet(), { token: lab, name: 'same.tsv' })));
    const { submissionId } = (await service.upload('x\ty\n1\t2\n', { token: lab, name: '../../x\u202e.tsv' })).json<{
      submissionId: string;
    }>();
    const answer = await fetch(`${service.url}/submissions/results?id=${[...ids, submissionId].join(',')}`, {
      headers: { Authorization: `Bearer ${lab}` },
    });
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const entries = await unzipped(Buffer.from(await answer.arrayBuffer()));
    expect([...entries.keys()]).toEqual([
      'overview.tsv',
      'same.result.tsv',
      'same (2).result.tsv',
      'same (3).result.tsv',
    ]);
    expect(String(entries.get('same (2).result.tsv'))).toBe(await service.result(ids[1] as string, lab));
    const overview = String(entries.get('overview.tsv')).split('\n');
    expect(overview[1]).toMatch(new RegExp(`^same.tsv\tCOMPLETED\t2\t2\t0\t0\t0\t${ids[0]}\tsame.result.tsv\t`));
    expect(overview[4]).toMatch(/\tFAILED\t.*Sample Name/);
    for (const [query, status] of [
      ['', 400],
      [`?id=${ids[0]},nonsense`, 400],
      [`?id=${Array.from({ length: 101 }, () => crypto.randomUUID()).join(',')}`, 400],
      [`?id=${crypto.randomUUID()}`, 404],
    ] as const) {
      expect((await service.get(`/submissions/results${query}`, { token: lab })).status).toBe(status);
    }
    const other = await service.token('lab-2');
    expect((await service.get(`/submissions/results?id=${ids[0]}`, { token: other })).status).toBe(404);
    expect((await service.get(`/submissions/results?id=${ids[0]}`, { token: null })).status).toBe(401);
  });

  it('is listed newest first, page by page', async () => {
    const pager = await service.token('pager');
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.unshift(submissionIdOf(await service.upload(sheet(), { token: pager })));
    const listed: string[] = [];
    let next: string | undefined = '/submissions?size=2';
    while (next) {
      const page: SubmissionPage = (await service.get(next, { token: pager })).json<SubmissionPage>();
      listed.push(...page._embedded.submissions.map(({ submissionId }) => submissionId));
      next = page._links.next?.href.slice(service.url.length);
    }
    expect(listed).toEqual(ids);
  });

  it('tells its progress as events, to its end', async () => {
    const answer = await service.upload(sheet(3000), { token });
    const response = await fetch(`${service.url}/submissions/${submissionIdOf(answer)}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).split('\n\n').filter((block) => block.includes('event:'));
    const states = events.map(
      (block) => (JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as { submissionStatus: string }).submissionStatus,
    );
    expect(states.at(-1)).toBe('COMPLETED');
    expect(events.at(-1)).toContain('event: end');
    expect(states.slice(0, -1).every((state) => state === 'ACTIVE')).toBe(true);
  });

  it('that has ended stays as it is when it is cancelled, and cannot be retried', async () => {
    const id = submissionIdOf(await service.upload(sheet(), { token }));
    const cancelled = await service.call(`/submissions/${id}`, { method: 'DELETE', token });
    expect([cancelled.status, cancelled.json<{ submissionStatus: string }>().submissionStatus]).toEqual([
      200,
      'COMPLETED',
    ]);
    const retried = await service.call(`/submissions/${id}/retry`, { method: 'POST', token });
    expect([retried.status, retried.json<{ code: string }>().code]).toEqual([409, 'submission.final']);
  });
});
