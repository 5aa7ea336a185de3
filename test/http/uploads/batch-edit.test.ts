/** Many samples changed alike: `POST /submissions/edits`, a submission like any other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

let service: Service;
let token: string;
let other: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
  other = await service.token('lab-2');
});
afterAll(() => service.stop());

type Entries = { text?: string; unit?: string; ontologyTerms?: string[] }[];
interface Sample {
  accession: string;
  name: string;
  release: string;
  update: string;
  characteristics: Record<string, Entries>;
}
interface Document {
  submissionId: string;
  submissionStatus: string;
  counts: Record<string, number>;
  edit: {
    select?: object;
    leftOut?: { count: number; examples: string[] };
    changes: { changed: number; already: number; lacking: number }[];
  };
  issues: { code: string; column?: string; count: number; severity: string; message: string }[];
}

let groups = 0;
/** Samples of a group of their own, found by `attr:group:…`. */
async function register(characteristics: Record<string, Entries>[], by = token) {
  const group = `g${++groups}`;
  const items = characteristics.map((each, at) => ({
    name: `${group}-${at}`,
    release: '2020-01-01',
    characteristics: { group: [{ text: group }], ...each },
  }));
  const body = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const answer = await service.upload(body, { token: by, raw: 'application/x-ndjson' });
  const accessions = answer.text
    .trim()
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as Sample).accession);
  return { group, filter: [`attr:group:${group}`], accessions };
}
const read = async (accession: string, by: string | null = token): Promise<Sample> =>
  (await service.get(`/samples/${accession}`, { token: by })).json<Sample>();
const readAll = (accessions: readonly string[]) => Promise.all(accessions.map((one) => read(one)));
const edit = (body: object, by: string | null = token, headers: Record<string, string> = {}) =>
  service.send('POST', '/submissions/edits', body, { token: by, headers });
const document = async (body: object, by = token): Promise<Document> => {
  const answer = await edit(body, by);
  expect([201, 202], answer.text).toContain(answer.status);
  return answer.json<Document>();
};
const step = async (id: string, what: 'commit' | 'undo') =>
  (await service.call(`/submissions/${id}/${what}`, { method: 'POST', token })).json<Document>();

describe('what is changed', () => {
  it('sets, renames and clears in order, and counts of each change whom it concerns', async () => {
    const { filter, accessions } = await register([
      { tissue: [{ text: 'Liver' }], organ: [{ text: 'old' }], age: [{ text: '5', unit: 'year' }] },
      { tissue: [{ text: 'liver', ontologyTerms: ['UBERON:0002107'] }] },
      { organ: [{ text: 'a' }, { text: 'b' }] },
    ]);
    const done = await document({
      select: { filter },
      changes: [
        { set: 'tissue', values: [{ text: ' liver ', ontologyTerms: ['UBERON:0002107'] }] },
        { rename: 'organ', to: 'organism part' },
        { clear: 'age' },
      ],
    });
    expect(done).toMatchObject({ submissionStatus: 'COMPLETED', counts: { rows: 3, updated: 2, unchanged: 1 } });
    expect(done.edit.changes).toMatchObject([
      { set: 'tissue', changed: 2, already: 1, lacking: 0 },
      { rename: 'organ', to: 'organism part', changed: 2, already: 0, lacking: 1 },
      { clear: 'age', changed: 1, already: 0, lacking: 2 },
    ]);
    const liver = [{ text: 'liver', ontologyTerms: ['UBERON:0002107'] }];
    const [first, second, third] = await readAll(accessions);
    expect(first?.characteristics).toEqual({
      group: expect.anything(),
      tissue: liver,
      'organism part': [{ text: 'old' }],
    });
    expect(second?.characteristics).toEqual({ group: expect.anything(), tissue: liver });
    expect(third?.characteristics).toEqual({
      group: expect.anything(),
      'organism part': [{ text: 'a' }, { text: 'b' }],
      tissue: liver,
    });
  });

  it('keeps, replaces or adds to what is there, as it is asked', async () => {
    const { filter, accessions } = await register([{ a: [{ text: '1' }], b: [{ text: '2' }] }, { b: [{ text: '3' }] }]);
    const of = async (changes: object[]) => (await document({ select: { filter }, changes })).edit.changes;
    expect(await of([{ set: 'a', values: [{ text: '9' }], existing: 'keep' }])).toMatchObject([
      { changed: 1, already: 1 },
    ]);
    await of([{ set: 'b', values: [{ text: '3' }, { text: '4' }], existing: 'append' }]);
    expect((await readAll(accessions)).map(({ characteristics: { a, b } }) => [a, b])).toEqual([
      [[{ text: '1' }], [{ text: '2' }, { text: '3' }, { text: '4' }]],
      [[{ text: '9' }], [{ text: '3' }, { text: '4' }]],
    ]);
    await of([{ rename: 'a', to: 'b', existing: 'append' }]);
    expect((await readAll(accessions)).map(({ characteristics: { a, b } }) => [a, b])).toEqual([
      [undefined, [{ text: '2' }, { text: '3' }, { text: '4' }, { text: '1' }]],
      [undefined, [{ text: '3' }, { text: '4' }, { text: '9' }]],
    ]);
  });

  it('refuses to rename onto what a sample has, alone, and gives the line back to be sent again', async () => {
    const { filter, accessions } = await register([{ a: [{ text: '1' }], b: [{ text: '2' }] }, { a: [{ text: '3' }] }]);
    const before = await read(accessions[0] as string);
    const done = await document({ select: { filter }, changes: [{ rename: 'a', to: 'b' }] });
    expect(done).toMatchObject({
      submissionStatus: 'COMPLETED_WITH_ERRORS',
      counts: { updated: 1, rejected: 1 },
      edit: { changes: [{ changed: 1, already: 0, lacking: 0 }] },
    });
    expect(done.issues).toMatchObject([{ code: 'edit.target-exists', column: 'Characteristics[b]', count: 1 }]);
    expect(await read(accessions[0] as string)).toEqual(before);
    const errors = await service.get(`/submissions/${done.submissionId}/errors`, { token });
    const [head, line] = errors.text.trim().split('\n');
    expect(JSON.parse(head as string)).toEqual({ edit: [{ rename: 'a', to: 'b' }] });
    const again = await service.upload(
      `${JSON.stringify({ edit: [{ rename: 'a', to: 'b', existing: 'replace' }] })}\n${line}\n`,
      { token, raw: 'application/x-ndjson', headers: { accept: 'application/json' } },
    );
    expect(again.json()).toMatchObject({ counts: { updated: 1, rejected: 0 } });
    expect((await read(accessions[0] as string)).characteristics.b).toEqual([{ text: '1' }]);
  });

  it('moves the release, counting whom that makes public', async () => {
    const { filter, accessions } = await register([{}, {}]);
    const later = await document({ select: { filter }, changes: [{ release: '2099-01-01' }] });
    expect(later.counts).toMatchObject({ updated: 2 });
    expect((await service.get(`/samples/${accessions[0]}`, { token: other })).status).toBe(403);
    const back = await document({ select: { filter }, changes: [{ release: '2020-01-01' }], dryRun: true });
    expect(back).toMatchObject({ becomePublic: 2, counts: { updated: 2 } });
  });

  it('takes any name that a sheet may bring', async () => {
    const { filter, accessions } = await register([{}]);
    await document({
      select: { filter },
      changes: [
        { set: '__proto__', values: [{ text: 'p' }] },
        { set: 'constructor', values: [{ text: 'c' }] },
      ],
    });
    const shown = await service.get(`/samples/${accessions[0]}`, { token });
    expect(shown.text).toContain('"__proto__":[{"text":"p"}]');
    await document({
      select: { filter },
      changes: [{ rename: '__proto__', to: 'hasOwnProperty' }, { clear: 'constructor' }],
    });
    expect(Object.keys((await read(accessions[0] as string)).characteristics)).toEqual(['group', 'hasOwnProperty']);
  });

  it('applies the checklist that a sample names to samples that change, and to no other', async () => {
    const { filter, accessions } = await register([{ sex: [{ text: 'female' }] }]);
    const refused = await edit({
      select: { filter },
      changes: [{ set: 'checklist', values: [{ text: 'no-such-checklist' }] }],
    });
    expect(refused.json()).toMatchObject({ submissionStatus: 'FAILED', counts: { rejected: 1 } });
    expect(refused.text).toContain('no-such-checklist');
    expect(Object.keys((await read(accessions[0] as string)).characteristics)).toEqual(['group', 'sex']);
    const idle = await document({ select: { filter }, changes: [{ clear: 'nothing' }], checklist: KNOWN });
    expect(idle).toMatchObject({ submissionStatus: 'COMPLETED', counts: { unchanged: 1 } });
  });
});

/** Demands an organism, which the samples here have not. */
const KNOWN = 'minimal';

describe('preview, commit and undo', () => {
  it('shows what would change and why not, and writes nothing; commits as shown; undo brings everything back', async () => {
    const { filter, accessions } = await register([
      { tissue: [{ text: 'Liver' }] },
      { tissue: [{ text: 'liver' }] },
      { tissue: [{ text: 'Leber' }], note: [{ text: 'x' }] },
    ]);
    const before = await readAll(accessions);
    const dry = await document({
      select: { filter },
      changes: [{ set: 'tissue', values: [{ text: 'liver' }] }],
      dryRun: true,
    });
    expect(dry.counts).toMatchObject({ rows: 3, updated: 2, unchanged: 1 });
    expect(await readAll(accessions)).toEqual(before);
    const { changes } = (await service.get(`/submissions/${dry.submissionId}/changes`, { token })).json<{
      changes: object[];
    }>();
    const cell = (at: number, value: string) => ({
      line: at + 2,
      accession: accessions[at],
      column: 'Characteristics[tissue]',
      before: value,
      after: 'liver',
    });
    expect(changes).toEqual([cell(0, 'Liver'), cell(2, 'Leber')]);
    const commit = await step(dry.submissionId, 'commit');
    expect(commit).toMatchObject({ submissionStatus: 'COMPLETED', counts: { updated: 2, unchanged: 1 } });
    expect(commit.edit.changes).toMatchObject([{ changed: 2, already: 1, lacking: 0 }]);
    expect((await readAll(accessions)).map(({ characteristics }) => characteristics.tissue)).toEqual(
      accessions.map(() => [{ text: 'liver' }]),
    );
    const undo = await step(commit.submissionId, 'undo');
    expect(undo).toMatchObject({ submissionStatus: 'COMPLETED', counts: { updated: 2 } });
    const withoutTimes = (samples: Sample[]) => samples.map(({ update: _, ...rest }) => rest);
    expect(withoutTimes(await readAll(accessions))).toEqual(withoutTimes(before));
  });

  it('leaves alone what somebody changed between preview and commit, whether it was to change or not', async () => {
    const { filter, accessions } = await register([
      { tissue: [{ text: 'Liver' }], organ: [{ text: 'o' }] },
      { tissue: [{ text: 'liver' }] },
      { tissue: [{ text: 'Liver' }], organ: [{ text: 'o' }], 'organism part': [{ text: 'here' }] },
      { tissue: [{ text: 'Liver' }] },
    ]);
    const changes = [
      { set: 'tissue', values: [{ text: 'liver' }] },
      { rename: 'organ', to: 'organism part' },
    ];
    const dry = await document({ select: { filter }, changes, dryRun: true });
    expect(dry.counts).toMatchObject({ updated: 2, unchanged: 1, rejected: 1 });
    for (const at of [0, 1, 2]) {
      const { characteristics, ...rest } = await read(accessions[at] as string);
      const { 'organism part': _, ...kept } = characteristics;
      const sent = { ...rest, characteristics: { ...kept, by: [{ text: 'somebody else' }] } };
      const put = await service.send('PUT', `/samples/${accessions[at]}`, sent, { token });
      expect(put.status, put.text).toBe(200);
    }
    const between = await readAll(accessions);
    const commit = await step(dry.submissionId, 'commit');
    expect(commit).toMatchObject({ submissionStatus: 'COMPLETED_WITH_ERRORS', counts: { updated: 1, rejected: 3 } });
    expect(commit.issues.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'row.changed-since', count: 2 },
      // Refused by the preview, it must not slip in now that it would be good.
      { code: 'row.not-as-shown', count: 1 },
    ]);
    const after = await readAll(accessions);
    expect(after.slice(0, 3)).toEqual(between.slice(0, 3));
    expect(after[3]?.characteristics.tissue).toEqual([{ text: 'liver' }]);
  });

  it('edits all or none', async () => {
    const { filter, accessions } = await register([{ a: [{ text: '1' }] }, { a: [{ text: '1' }], b: [{ text: '2' }] }]);
    const before = await readAll(accessions);
    const done = await document({ select: { filter }, changes: [{ rename: 'a', to: 'b' }], mode: 'atomic' });
    expect(done).toMatchObject({ submissionStatus: 'FAILED', counts: { updated: 0, rejected: 2 } });
    expect(await readAll(accessions)).toEqual(before);
  });

  it('its result sent again changes nothing, and its lines without the first one wipe no sample', async () => {
    const { filter, accessions } = await register([{ a: [{ text: '1' }] }]);
    const done = await document({ select: { filter }, changes: [{ set: 'a', values: [{ text: '2' }] }] });
    const after = await readAll(accessions);
    const result = (await service.get(`/submissions/${done.submissionId}/result`, { token })).text;
    const upload = (text: string) =>
      service.upload(text, { token, raw: 'application/x-ndjson', headers: { accept: 'application/json' } });
    expect((await upload(result)).json()).toMatchObject({ counts: { rows: 1, unchanged: 1 } });
    const headless = result.slice(result.indexOf('\n') + 1);
    expect((await upload(headless)).json()).toMatchObject({ counts: { updated: 0, rejected: 1 } });
    expect(await readAll(accessions)).toEqual(after);
    const mapping = await service.get(`/submissions/${done.submissionId}/mapping`, { token });
    expect(mapping.json()).toMatchObject({
      sampleNameAccessionPairs: [{ sampleName: after[0]?.name, sampleAccession: accessions[0] }],
    });
  });
});

describe('whose samples', () => {
  it('leaves out and counts what a search finds of others, and refuses what is named, saying nothing of it', async () => {
    const mine = await register([{ word: [{ text: 'quetzal' }] }]);
    const theirs = await register([{ word: [{ text: 'quetzal' }] }, { word: [{ text: 'quetzal' }] }], other);
    const before = await Promise.all(theirs.accessions.map((one) => read(one, other)));
    const changes = [{ set: 'word', values: [{ text: 'other' }] }];
    const found = await document({ select: { filter: ['attr:word:quetzal'] }, changes, dryRun: true });
    expect(found).toMatchObject({ counts: { rows: 1, updated: 1 }, edit: { leftOut: { count: 2 } } });
    expect(found.edit.leftOut?.examples.toSorted()).toEqual(theirs.accessions.toSorted());
    const named = await document({
      select: { accessions: [...mine.accessions, ...theirs.accessions, 'SAMR999999', 'nonsense', mine.accessions[0]] },
      changes,
    });
    expect(named.counts).toMatchObject({ rows: 6, updated: 1, rejected: 5 });
    expect(named.issues.map(({ code, count }) => [code, count])).toEqual([
      ['identifier.not-yours', 2],
      ['identifier.unknown', 2],
      ['identifier.repeated', 1],
    ]);
    expect(await Promise.all(theirs.accessions.map((one) => read(one, other)))).toEqual(before);
    const none = await edit({ select: { filter: theirs.filter }, changes });
    expect([none.status, none.json<{ code: string }>().code]).toEqual([422, 'edit.no-samples']);
    const foreign = await edit({ select: { filter: ['account:lab-2'] }, changes });
    expect(foreign.status).toBe(422);
    const admin = await document({ select: { filter: theirs.filter }, changes }, ADMIN_TOKEN);
    expect(admin).toMatchObject({ counts: { updated: 2 } });
    expect(admin.edit).not.toHaveProperty('leftOut');
    // It names what others may not read: to a lesser token of the account there is none, nor its undo.
    const made = await service.send(
      'POST',
      '/tokens',
      { name: 'l', scopes: ['read', 'submit'] },
      { token: ADMIN_TOKEN },
    );
    const lesser = { token: made.json<{ token: string }>().token };
    const undo = await service.call(`/submissions/${admin.submissionId}/undo`, { method: 'POST', token: ADMIN_TOKEN });
    for (const id of [admin.submissionId, undo.json<{ submissionId: string }>().submissionId]) {
      for (const what of ['', '/result', '/mapping', '/original', '/changes', '/ro-crate', '/events']) {
        expect((await service.get(`/submissions/${id}${what}`, lesser)).status).toBe(404);
      }
      expect((await service.get(`/submissions/results?id=${id}`, lesser)).status).toBe(404);
      expect((await service.get('/submissions', lesser)).text).not.toContain(id);
      expect((await service.get(`/submissions/${id}`, { token: ADMIN_TOKEN })).status).toBe(200);
    }
  });

  it('includes private samples of the caller, and leaves those alone that only have an accession', async () => {
    const hidden = await service.send(
      'POST',
      '/samples',
      {
        name: 'hidden',
        release: '2099-01-01',
        characteristics: { word: [{ text: 'axolotl' }] },
      },
      { token },
    );
    const { accession } = hidden.json<Sample>();
    const done = await document({
      select: { text: 'axolotl' },
      changes: [{ set: 'word', values: [{ text: 'newt' }] }],
    });
    expect(done.counts).toMatchObject({ updated: 1 });
    expect((await read(accession)).characteristics.word).toEqual([{ text: 'newt' }]);
    const placeholder = await service.send(
      'POST',
      '/samples/accession',
      { name: 'place', update: '2020-01-01' },
      { token },
    );
    const one = placeholder.json<Sample>().accession;
    const refused = await document({ select: { accessions: [one] }, changes: [{ release: '2020-01-01' }] });
    expect(refused.issues).toMatchObject([{ code: 'edit.not-submitted' }]);
  });

  it('answers a repeat with its key by the first submission, though nothing is to be found any more', async () => {
    const { filter } = await register([{ state: [{ text: 'platypus' }] }]);
    const body = {
      select: { filter: [...filter, 'attr:state:platypus'] },
      changes: [{ set: 'state', values: [{ text: 'done' }] }],
    };
    const first = await edit(body, token, { 'idempotency-key': 'edit-1' });
    const again = await edit(body, token, { 'idempotency-key': 'edit-1' });
    expect(submissionIdOf(again)).toBe(submissionIdOf(first));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const another = await edit({ ...body, changes: [{ clear: 'state' }] }, token, { 'idempotency-key': 'edit-1' });
    expect([another.status, another.json<{ code: string }>().code]).toEqual([422, 'submission.key-reused']);
    const nothing = await edit(body, token, { 'idempotency-key': 'edit-2' });
    expect([nothing.status, nothing.json<{ code: string }>().code]).toEqual([422, 'edit.no-samples']);
  });
});

describe('what cannot be asked', () => {
  const good = { select: { filter: ['attr:a:b'] }, changes: [{ clear: 'a' }] };
  it.each([
    ['no selection', { ...good, select: {} }, 'words or filters'],
    ['two selections', { ...good, select: { filter: ['attr:a:b'], all: true } }, 'words or filters'],
    ['an unknown filter', { ...good, select: { filter: ['colour:red'] } }, 'colour:red'],
    ['no changes', { ...good, changes: [] }, 'send 1 to 50'],
    ['a change without a kind', { ...good, changes: [{ put: 'a' }] }, 'must be one of'],
    ['a change of two kinds', { ...good, changes: [{ clear: 'a', rename: 'a', to: 'b' }] }, 'must be one of'],
    ['a value that says nothing', { ...good, changes: [{ set: 'a', values: [{}] }] }, 'says nothing'],
    ['no values', { ...good, changes: [{ set: 'a', values: [] }] }, 'clear'],
    ['a name for itself', { ...good, changes: [{ rename: 'a', to: ' a ' }] }, 'already'],
    [
      'one characteristic twice',
      { ...good, changes: [{ clear: 'a' }, { set: 'a', values: [{ text: '1' }] }] },
      'another change',
    ],
    ['a date that is none', { ...good, changes: [{ release: '21/11/2024' }] }, '2024-11-21'],
    ['a misspelt member', { ...good, dryrun: true }, 'dryrun'],
    ['an unknown checklist', { ...good, select: { all: true }, checklist: 'nothing-like-it' }, 'nothing-like-it'],
  ])('%s', async (_, body, said) => {
    const answer = await edit(body);
    expect([400, 422], answer.text).toContain(answer.status);
    expect(answer.text).toContain(said);
  });

  it('a first line of a file that says nothing that can be done', async () => {
    const answer = await service.upload('{"edit":[{"put":"a"}]}\n{"accession":"SAMR1"}\n', {
      token,
      raw: 'application/x-ndjson',
    });
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([422, 'file.not-understood']);
    expect(answer.text).toContain('/edit/0 must be one of');
  });

  it('without the scope to submit', async () => {
    expect((await edit(good, null)).status).toBe(401);
    expect((await edit(good, await service.token('lab-1', ['read']))).status).toBe(403);
  });
});
