/** The file of a batch edit: what is changed on its first line, below it the samples, one on each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { editHead, editLine, isEditHead, readEditHead } from '../../src/submissions/batch-edit/edit-file.js';
import { EditNotes } from '../../src/submissions/batch-edit/notes.js';
import { storedForEdit } from '../../src/submissions/batch-edit/stored.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { Intake, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

type Values = Record<string, string[]>;
let labs = 0;
/** An account with samples of these characteristics. */
async function lab(...samples: Values[]) {
  const account = `lab-${++labs}`;
  const items = samples.map((values, at) => ({
    name: `${account} ${at}`,
    release: '2020-01-01',
    characteristics: Object.fromEntries(
      Object.entries(values).map(([name, texts]) => [name, texts.map((text) => ({ text }))]),
    ),
  }));
  const first = await intake.send(items.map((item) => `${JSON.stringify(item)}\n`).join(''), {}, { account });
  const accessions = [...(await textOf(intake.results.result(first))).matchAll(/"accession":"(SAMR\d+)"/g)].map(
    ([, one]) => one as string,
  );
  const edit = (
    changes: object[],
    lines: readonly string[] = accessions,
    options: Partial<UploadOptions> = {},
    admin = false,
  ) =>
    intake.send(
      editHead(changes as never) + lines.map((one) => (one.startsWith('{') ? one : editLine(one))).join(''),
      options,
      { account, admin, fileName: 'edit.ndjson' },
    );
  return { account, accessions, edit };
}
const stored = async (accession: string | undefined) =>
  (await intake.store.readSample(Number(accession?.slice(4))))?.sample;
const valuesOf = async (accession: string | undefined): Promise<Values> =>
  Object.fromEntries(
    Object.entries((await stored(accession))?.content.characteristics ?? {}).map(([name, entries]) => [
      name,
      entries.map(({ text }) => text ?? ''),
    ]),
  );
/** As a single request does. */
const write = (accession: string | undefined, values: Values) =>
  intake.store.updateSample(Number(accession?.slice(4)), ({ sample: { name, release, content, account } }) => {
    const characteristics = Object.fromEntries(
      Object.entries(values).map(([key, texts]) => [key, texts.map((text) => ({ text }))]),
    );
    return {
      kind: 'update',
      draft: { name, release, content: { ...content, characteristics } },
      provenance: { author: account, via: 'JSON_API' },
    };
  });
const resultOf = async (submission: Submission) =>
  (await textOf(intake.results.result(submission)))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const issuesOf = async (submission: Submission): Promise<string[]> => {
  const { receipt } = (await resultOf(submission)).at(-1) as {
    receipt: { issues: { line: number; code: string; column?: string; message: string }[] };
  };
  return receipt.issues.map(({ line, code, column, message }) => `${line} ${code} ${column}: ${message}`);
};

describe('an edit', () => {
  it('changes each sample alone, counts whom each change does not concern, and keeps all else', async () => {
    const { accessions, edit } = await lab(
      { organ: ['a'], age: ['5'] },
      { tissue: ['liver'], age: ['6'] },
      { organ: ['b'] },
      { tissue: ['skin'] },
      {},
    );
    const done = await edit([
      { set: 'tissue', values: [{ text: 'liver' }] },
      { rename: 'organ', to: 'part' },
      { clear: 'age' },
      { release: '2020-01-01T00:00:00.000Z' },
    ]);
    expect(done).toMatchObject({
      state: 'COMPLETED',
      counts: { rows: 5, created: 0, updated: 5, unchanged: 0, rejected: 0 },
      options: { update: 'replace', edit: { changes: [{ set: 'tissue' }, { rename: 'organ' }, { clear: 'age' }, {}] } },
      columns: { json: 'edit' },
    });
    expect(await Promise.all(accessions.map(valuesOf))).toEqual([
      { part: ['a'], tissue: ['liver'] },
      { tissue: ['liver'] },
      { part: ['b'], tissue: ['liver'] },
      { tissue: ['liver'] },
      { tissue: ['liver'] },
    ]);
    expect((await stored(accessions[0]))?.release).toBe(Date.UTC(2020, 0, 1));
    const notes = done.issues.map(({ code, column, count, lines, message, severity }) => [
      code,
      column,
      count,
      lines,
      message,
      severity,
    ]);
    const already = 'These samples have it already and stay as they are.';
    const lacking = 'These samples have no such characteristic.';
    expect(notes).toEqual(
      expect.arrayContaining([
        ['edit.already', 'Characteristics[tissue]', 1, [3], already, 'note'],
        ['edit.already', 'Release Date', 5, [2, 3, 4, 5, 6], already, 'note'],
        ['edit.lacking', 'Characteristics[organ]', 3, [3, 5, 6], lacking, 'note'],
        ['edit.lacking', 'Characteristics[age]', 3, [4, 5, 6], lacking, 'note'],
      ]),
    );
    expect(notes).toHaveLength(4);
    const result = await resultOf(done);
    expect(result[0]).toEqual({ edit: done.options.edit?.changes });
    expect(result.slice(1, -1).map(({ accession }) => accession)).toEqual(accessions);
    const again = await intake.send(await textOf(intake.results.result(done)), {}, { account: `lab-${labs}` });
    expect(again.counts).toMatchObject({ rows: 5, unchanged: 5 });
  });

  it('refuses lines that name no sample of the account that can be edited, each for its own reason', async () => {
    const other = await lab({ a: ['1'] });
    const { account, accessions, edit } = await lab({ a: ['1'] }, { a: ['2'], b: ['3'] }, { a: ['4'] });
    const placeholder = await intake.store.createSample({
      draft: { name: 'placeholder', release: 0, content: (await stored(accessions[0]))?.content as never },
      account,
      author: account,
      via: 'JSON_API',
      placeholder: true,
    });
    const lines = [
      accessions[0] as string,
      '{"sampleName":"x"}\n',
      '{"accession":5}\n',
      '{"accession":" "}\n',
      '{"accession"\n',
      accessions[0] as string,
      'SAMEA1',
      'SAMR999999',
      other.accessions[0] as string,
      accessions[1] as string,
      `SAMR${placeholder.id}`,
      `{"accession":" ${accessions[2]} "}\n`,
    ];
    const done = await edit([{ rename: 'a', to: 'b' }], lines);
    expect(done.counts).toEqual({ rows: 12, created: 0, updated: 2, unchanged: 0, rejected: 10 });
    const issues = await issuesOf(done);
    const names = 'This line names no sample. Write it as {"accession": "…"}, or take it out.';
    expect(issues.slice(0, 4)).toEqual([3, 4, 5, 6].map((line) => `${line} item.not-json undefined: ${names}`));
    expect(issues.slice(4).map((issue) => issue.split(' ').slice(0, 3).join(' '))).toEqual([
      '7 identifier.repeated /accession:',
      '8 identifier.unknown /accession:',
      '9 identifier.unknown /accession:',
      '10 identifier.not-yours /accession:',
      '11 edit.target-exists Characteristics[b]:',
      '12 edit.not-submitted /accession:',
    ]);
    expect(issues[4]).toContain('Line 2');
    expect(issues[9]).toContain(
      `Sample SAMR${placeholder.id} has an accession and was never submitted; submit it before it is edited.`,
    );
    expect([await valuesOf(accessions[0]), await valuesOf(accessions[1]), await valuesOf(accessions[2])]).toEqual([
      { b: ['1'] },
      { a: ['2'], b: ['3'] },
      { b: ['4'] },
    ]);
    const errors = (await textOf(intake.results.errors(done))).trim().split('\n');
    expect([errors[0], errors.length]).toEqual(['{"edit":[{"rename":"a","to":"b"}]}', 11]);
    const foreign = await edit([{ set: 'a', values: [{ text: '9' }] }], [other.accessions[0] as string], {}, true);
    expect([foreign.counts.updated, await valuesOf(other.accessions[0])]).toEqual([1, { a: ['9'] }]);
  });

  it('shows in a dry run what it would do, and does that, unless a sample was changed since', async () => {
    const { account, accessions, edit } = await lab({ a: ['1'] }, { a: ['2'] }, { a: ['3'] }, { b: ['4'] });
    const dry = await edit([{ rename: 'a', to: 'b' }], undefined, { dryRun: true });
    expect(dry.counts).toMatchObject({ updated: 3, unchanged: 1 });
    expect(await valuesOf(accessions[0])).toEqual({ a: ['1'] });
    const changes = async () =>
      (
        JSON.parse(await textOf(intake.results.changes(dry, dry))) as {
          changes: { line: number; column: string; before?: string; after?: string }[];
        }
      ).changes.map(({ line, column, before, after }) => `${line} ${column}: ${before} → ${after}`);
    const shown = [2, 3, 4].flatMap((line) => [
      `${line} Characteristics[a]: ${line - 1} → undefined`,
      `${line} Characteristics[b]: undefined → ${line - 1}`,
    ]);
    expect(await changes()).toEqual(shown);
    await edit([{ set: 'c', values: [{ text: 'since' }] }], [accessions[1] as string]);
    // What was shown stays what was shown.
    expect(await changes()).toEqual(shown);
    const commit = await intake.commit(dry);
    expect(commit.counts).toMatchObject({ updated: 2, unchanged: 1, rejected: 1 });
    expect(await issuesOf(commit)).toEqual([
      expect.stringMatching(
        new RegExp(`^3 row\\.changed-since .*${accessions[1]} was changed meanwhile \\(it is at version 2 now\\)`),
      ),
    ]);
    expect(await valuesOf(accessions[1])).toEqual({ a: ['2'], c: ['since'] });
    await intake.undo(commit);
    expect(await valuesOf(accessions[0])).toEqual({ a: ['1'] });
    expect(account).toBe(`lab-${labs}`);
  });

  it('takes a sample that is written while it is worked on as it is by then, and refuses it when that does not end', async () => {
    const { account, accessions } = await lab({ a: ['1'], b: ['old'] }, { a: ['2'] });
    const text =
      editHead([{ set: 'a', values: [{ text: 'edited' }] }]) + accessions.map((one) => editLine(one)).join('');
    const worked = async (times: number, options: Partial<UploadOptions>): Promise<Submission> => {
      const { submission } = await intake.accept(
        text,
        { ...options, duplicate: 'allow' },
        { account, fileName: 'e.ndjson' },
      );
      let writes = 0;
      const applyBatch: typeof intake.store.applyBatch = async (...batch) => {
        if (writes++ < times) await write(accessions[1], { b: [`write ${writes}`], a: ['2'] });
        return intake.store.applyBatch(...batch);
      };
      await intake.work({ ...intake.processing, store: { ...intake.store, applyBatch } });
      return await intake.found(submission.id);
    };
    expect((await worked(10, { mode: 'atomic' })).counts).toMatchObject({ rows: 2, updated: 2, rejected: 0 });
    expect(await Promise.all(accessions.map(valuesOf))).toEqual([
      { a: ['edited'], b: ['old'] },
      { a: ['edited'], b: ['write 10'] },
    ]);
    const some = await worked(1000, {});
    expect(some.counts).toMatchObject({ unchanged: 1, rejected: 1 });
    expect(await issuesOf(some)).toEqual([expect.stringMatching(/^3 row\.changed-since /)]);
    await write(accessions[0], { a: ['another'] });
    const none = await worked(1000, { mode: 'atomic' });
    expect(none).toMatchObject({ state: 'FAILED', counts: { updated: 0, rejected: 2 } });
    expect((await issuesOf(none)).map((issue) => issue.split(' ')[1])).toEqual(['row.held-back', 'row.changed-since']);
  });

  it.each([
    [7, 7, { updated: 7, rejected: 0 }],
    // A hundred times in all: the first eleven batches, and one time the twelfth.
    [36, 9, { updated: 35, rejected: 1 }],
  ])(
    'of %i lines takes what is written meanwhile, %i times for each batch, as often as is good for others',
    async (count, times, counts) => {
      const { account, accessions } = await lab(...Array.from({ length: count }, () => ({ a: ['1'] })));
      const lines = accessions.map((one) => editLine(one)).join('');
      let turns = 0;
      const applyBatch: typeof intake.store.applyBatch = async (claim, batch, options) => {
        if (turns++ % (times + 1) < times) await write(accessions[(batch.lines[0] as number) - 2], { a: [`${turns}`] });
        return intake.store.applyBatch(claim, batch, options);
      };
      const text = editHead([{ set: 'a', values: [{ text: 'edited' }] }]) + lines;
      const { submission } = await intake.accept(text, {}, { account, fileName: 'e.ndjson' });
      await intake.work({ ...intake.processing, store: { ...intake.store, applyBatch } });
      expect((await intake.found(submission.id)).counts).toMatchObject(counts);
    },
  );

  it('that refused a line in its dry run refuses it again', async () => {
    const { accessions, edit } = await lab({ a: ['1'], b: ['2'] }, { a: ['3'] });
    const dry = await edit([{ rename: 'a', to: 'b' }], undefined, { dryRun: true });
    expect(dry.counts).toMatchObject({ updated: 1, rejected: 1 });
    await edit([{ clear: 'b' }], [accessions[0] as string]);
    const commit = await intake.commit(dry);
    expect(await issuesOf(commit)).toEqual([expect.stringMatching(/^2 row\.not-as-shown /)]);
    expect(await valuesOf(accessions[0])).toEqual({ a: ['1'] });
  });

  it('sent as all or nothing changes nothing where one line is refused', async () => {
    const { accessions, edit } = await lab({ a: ['1'] }, { a: ['2'] }, { a: ['3'], b: ['4'] });
    const done = await edit([{ rename: 'a', to: 'b' }], undefined, { mode: 'atomic' });
    expect(done).toMatchObject({ state: 'FAILED', counts: { updated: 0, rejected: 3 } });
    expect((await issuesOf(done)).map((issue) => issue.split(' ')[1])).toEqual([
      'row.held-back',
      'row.held-back',
      'edit.target-exists',
    ]);
    expect(await valuesOf(accessions[0])).toEqual({ a: ['1'] });
    const good = await edit([{ rename: 'a', to: 'b' }], accessions.slice(0, 2), { mode: 'atomic' });
    expect(good.counts).toMatchObject({ updated: 2, rejected: 0 });
  });

  it('holds what it changes to the checklist, and nothing else', async () => {
    const { edit } = await lab({ organism: ['x'] }, { tissue: ['y'] }, { organism: ['x'], tissue: ['y'] });
    const done = await edit([{ clear: 'organism' }], undefined, { checklist: 'minimal' });
    expect(done.counts).toMatchObject({ updated: 0, unchanged: 1, rejected: 2 });
    expect((await issuesOf(done)).map((issue) => issue.replace(/\..*/, ''))).toEqual(['2 checklist', '4 checklist']);
  });

  it('goes on behind its last batch where its worker stopped', async () => {
    const { account, accessions } = await lab(...Array.from({ length: 8 }, (_, at) => ({ a: [String(at)] })));
    const text = editHead([{ clear: 'a' }]) + accessions.map((one) => editLine(one)).join('');
    const { submission } = await intake.accept(text, {}, { account });
    expect(await intake.batchForBatch(submission.id)).toBe(2);
    expect(await intake.found(submission.id)).toMatchObject({
      counts: { rows: 8, updated: 8 },
      cursor: 9,
      bytesRead: text.length,
    });
  });
});

describe('the first line of an edit', () => {
  it('is what is changed', () => {
    const changes = [{ clear: 'a' }, { rename: 'b', to: 'c' }];
    expect(editHead(changes)).toBe('{"edit":[{"clear":"a"},{"rename":"b","to":"c"}]}\n');
    for (const text of [editHead(changes), `\uFEFF \n${editHead(changes)}{"accession":"SAMR1"}\n`])
      expect(readEditHead(Buffer.from(text))).toEqual(changes);
    expect([editLine('SAMR1'), editLine('SAMR1', 'leaf')]).toEqual([
      '{"accession":"SAMR1"}\n',
      '{"accession":"SAMR1","sampleName":"leaf"}\n',
    ]);
    expect([{ edit: [] }, { edit: 'x' }, [], null, { edits: [] }].map(isEditHead)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each([
    [
      '{"edit":[]}',
      /^The first line, which says what is to be changed, cannot be carried out: \/edit .*holds 0 changes; send 1 to 50\.$/,
    ],
    ['{"edit":[{"clear":""}]}', /cannot be carried out: \/edit\/0.*[^.]\.$/],
    ['{"edit":[{"clear":"a"}', /cannot be carried out: it is no JSON object, or longer than it may be \(.*\)\.$/],
    ['', /cannot be carried out: it is no JSON object/],
  ])('that says nothing that can be done is refused: %s', (text, message) => {
    const read = () => readEditHead(Buffer.from(text));
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ code: 'file.not-understood', detail: { extra: { line: 1 } } });
    }
  });
});

it('notes are gathered by change, lines that follow each other as one, and anew after each batch', () => {
  const notes = new EditNotes([{ clear: 'a' }, { clear: 'b' }]);
  for (const [line, outcomes] of [
    [2, ['lacking', 'changed']],
    [3, ['lacking', 'already']],
    [5, ['lacking', undefined]],
  ] as const)
    notes.add(line, outcomes);
  expect(notes.take().map(({ code, column, lines }) => [code, column, lines])).toEqual([
    [
      'edit.lacking',
      'Characteristics[a]',
      [
        [2, 2],
        [5, 1],
      ],
    ],
    ['edit.already', 'Characteristics[b]', [[3, 1]]],
  ]);
  expect(notes.take()).toEqual([]);
});

it('one damaged sample keeps no other from being read', async () => {
  const { accessions } = await lab({ a: ['1'] }, { a: ['2'] }, { a: ['3'] });
  const ids = accessions.map((accession) => Number(accession.slice(4)));
  const damaged = new RegistryError('storage.damaged', 'A row is not what was stored.');
  const store = {
    readSamples: (asked: readonly number[]) =>
      asked.includes(ids[1] as number) ? Promise.reject(damaged) : intake.store.readSamples(asked),
  };
  const read = await storedForEdit(store, [...ids, 999_999]);
  expect(read).toMatchObject([
    { id: ids[0], version: 1, submitted: true, doc: expect.stringContaining('"a"') },
    { id: ids[1], damaged: true },
    { id: ids[2] },
  ]);
  const away = { readSamples: () => Promise.reject(new Error('away')) };
  await expect(storedForEdit(away, ids)).rejects.toThrow('away');
});
