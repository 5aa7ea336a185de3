/** Forms that are none, that are compressed, or that hold more than a form may: what is wrong, and what to do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';
import { file, form, type Part, sheet } from './forms.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const sent = async (path: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
  const answer = await service.call(path, { method: 'POST', headers, body });
  return [answer.status, answer.json<{ detail?: string }>().detail];
};
const FORMS = ['/submissions', '/profile-proposals'];

describe.each(FORMS)('POST %s', (path) => {
  it('names the compression that it does not take', async () => {
    const { headers, body } = form(file(sheet()));
    const refusal = [415, 'The Content-Encoding is "gzip"; send the body as it is.'];
    expect(await sent(path, { headers: { ...headers, 'content-encoding': 'gzip' }, body })).toEqual(refusal);
  });

  const many = (count: number): Part[] => Array.from({ length: count }, (_, at): Part => [`note ${at}`, 'x']);
  it.each<[string, Part[]]>([
    ['The form holds more than 50 fields beside its file; leave out those that are no options.', many(51)],
    [
      'The field "note" of the form is longer than 65536 bytes; shorten it or leave it out.',
      [['note', 'x'.repeat(65_537)]],
    ],
    ['A field of the form has a name of more than 200 bytes; shorten it or leave it out.', [['n'.repeat(201), 'x']]],
  ])('%s', async (detail, fields) => {
    expect(await sent(path, form(...fields, file(sheet())))).toEqual([400, detail]);
    expect(await sent(path, form(file(sheet()), ...fields))).toEqual([400, detail]);
  });

  it('says of a file whose name has what may not stand in the head of a part to give it another one', async () => {
    const [status, detail] = await sent(path, form(file(sheet(), 'plate\u0007.tsv')));
    expect(status).toBe(400);
    expect(detail).toContain('give the file another name');
    expect(detail).not.toContain('send it again');
  });

  it('takes a form that holds as much as it may', async () => {
    const fields: Part[] = [...many(48), ['n'.repeat(200), 'x'], ['note', 'x'.repeat(65_535)]];
    const { headers, body } = form(...fields, file(sheet()));
    const { status } = await service.call(path, { method: 'POST', headers, body });
    expect(status).toBe(path === '/submissions' ? 201 : 200);
  });
});

it.each(['text/tab-separated-values', 'application/json', ''])(
  'a sheet to propose for that comes as %j is asked for as a form',
  async (type) => {
    const headers = type === '' ? {} : { 'content-type': type };
    const [status, detail] = await sent('/profile-proposals', {
      headers: headers as Record<string, string>,
      body: 'a\tb\n',
    });
    expect([status, detail]).toEqual([
      415,
      expect.stringMatching(/^The Content-Type is ".*"; send multipart\/form-data with one file\.$/),
    ]);
  },
);
