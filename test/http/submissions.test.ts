/** What a submission offers once it is there, and to whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { sheet } from './forms.js';
import { type Service, startService } from './service.js';

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
