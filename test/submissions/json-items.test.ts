/** Items of JSON files that only look like something else, and the checklists that hold for them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lazyChecklists } from '../../src/checklists/open.js';
import type { ChecklistRules } from '../../src/registry/checklist.js';
import { RegistryError } from '../../src/registry/errors.js';
import { type ExaminedItem, ItemExaminer } from '../../src/submissions/json-file/examine.js';
import { itemCheckOf } from '../../src/submissions/json-file/item-check.js';
import { planFile } from '../../src/submissions/json-file/plan.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { Intake, textOf } from './intake.js';

type Item = Record<string, unknown>;
const ndjson = (...items: unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const sample = (name: unknown, more: Item = {}): Item => ({
  name,
  release: '2020-01-01',
  characteristics: {},
  ...more,
});

describe('in a file of samples', () => {
  let intake: Intake;
  beforeAll(async () => {
    intake = await Intake.open();
  });
  afterAll(() => intake.close());
  const send = (text: string, account: string, options: Partial<UploadOptions> = {}) =>
    intake.send(text, options, { account, fileName: 'samples.ndjson' });
  const items = async (text: AsyncIterable<string>) =>
    (await textOf(text))
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Item);
  const errorsOf = (sent: Submission) => items(intake.results.errors(sent));
  const resultOf = (sent: Submission) => items(intake.results.result(sent));

  it('an item that looks like the first line of an edit is refused, and comes back as every other', async () => {
    const sent = await send(ndjson(sample('beside'), { edit: [] }), 'edit');
    expect(sent.counts).toMatchObject({ created: 1, rejected: 1 });
    expect((await resultOf(sent)).slice(1, -1)).toEqual([{ edit: [] }]);
    expect(await errorsOf(sent)).toMatchObject([{ edit: [] }]);
  });

  it('the receipt of a result is no item: it is counted nowhere, and what comes back has one alone', async () => {
    const first = await send(ndjson(sample('r1'), sample('r2')), 'receipt');
    const again = await send(await textOf(intake.results.result(first)), 'receipt');
    expect(again.counts).toMatchObject({ rows: 2, unchanged: 2, rejected: 0 });
    const result = await resultOf(again);
    expect(result.map((item) => 'receipt' in item)).toEqual([false, false, true]);
    expect(result[2]).toMatchObject({ receipt: { submissionId: again.id } });
  });

  it('an item with a receipt and other members is a sample', async () => {
    const sent = await send(ndjson(sample('r3', { receipt: {} }), { receipt: {}, name: '' }), 'receipt member');
    expect(sent.counts).toMatchObject({ rows: 2 });
    expect(await resultOf(sent)).toHaveLength(3);
  });

  it.each([7, null, { text: 'n' }, ['n']])('a name that is %j is refused, and its item comes back', async (name) => {
    const sent = await send(ndjson(sample('beside'), sample(name)), JSON.stringify(name));
    expect(sent.counts).toMatchObject({ created: 1, rejected: 1 });
    expect(await errorsOf(sent)).toMatchObject([{ name, errors: [{ column: '/name' }] }]);
    const mapping = JSON.parse(await textOf(intake.results.mapping(sent)));
    expect(mapping.sampleNameAccessionPairs.map(({ sampleName }: Item) => sampleName)).toEqual(['beside']);
  });

  it('an object of names and values is warned of: nothing of it but its name is stored', async () => {
    const { characteristics: _, ...flat } = sample('flat', {
      organism: 'Homo sapiens',
      'a/b': 5,
      fresh: false,
      none: ' ',
    });
    const known = { status: 'PUBLIC', _links: {}, errors: [], webinSubmissionAccountId: 'x', submittedVia: 'JSON_API' };
    const sent = await send(
      ndjson(
        flat,
        sample('empty', known),
        sample('said', { organism: 'x', characteristics: { sex: [{ text: 'male' }] } }),
      ),
      'flat',
    );
    expect(sent.counts).toMatchObject({ created: 3, rejected: 0 });
    expect(sent.issues).toMatchObject([
      { code: 'item.not-stored', count: 1, lines: [1], column: '/organism', severity: 'warning' },
    ]);
    expect(sent.issues[0]?.message).toContain(
      'such as organism, a/b, fresh, and the item says nothing in "characteristics"',
    );
  });

  it('a name with blanks around it stands without them beside its accession', async () => {
    const sent = await send(ndjson(sample('  wide ')), 'blanks');
    expect(JSON.parse(await textOf(intake.results.mapping(sent))).sampleNameAccessionPairs).toMatchObject([
      { sampleName: 'wide' },
    ]);
  });

  it('items that nobody can read are each refused for themselves, and not for having one name', async () => {
    const sent = await send(`${ndjson(sample('beside'))}7\n[]\n`, 'unread');
    const errors = await errorsOf(sent);
    expect(errors).toMatchObject([{ line: 2, errors: [{ code: 'item.not-json' }] }, { line: 3 }]);
    for (const { errors: found } of errors) expect(found).toHaveLength(1);
  });
});

it('the plan of such a file has no columns of a sheet', () => {
  expect(planFile(Buffer.from('{"name":"a"}\n'), { prefix: 'SAMR', unknownColumns: 'ignore' }, true)).toMatchObject({
    json: 'lines',
    encoding: 'utf-8',
    header: ['Sample Name', 'JSON'],
    keptColumns: [1],
    relationshipColumns: [],
    errorColumns: [],
    fromPlainHeaders: [],
    notStored: [],
  });
});

describe('the checklist of an item', () => {
  const checklists = lazyChecklists();
  const item = (more: Item): ExaminedItem =>
    new ItemExaminer({ prefix: 'SAMR' }).examine({
      line: 5,
      text: JSON.stringify(sample('a', more)),
    }) as ExaminedItem;
  const bare = item({});
  const whole = item({ characteristics: { organism: [{ text: 'Homo sapiens' }] } });
  const names = item({ characteristics: { checklist: [{ text: 'minimal' }] } });
  const issuesFor = async (
    each: ExaminedItem,
    option?: string,
    defaultChecklist?: string,
    rules: () => ChecklistRules = checklists,
  ) => itemCheckOf({ option, releaseDate: undefined }, { checklists: rules, defaultChecklist })(each);

  it('is that of the upload, the one that it names, or the one of the service', async () => {
    expect(await issuesFor(bare)).toEqual([]);
    for (const [each, option, fallback] of [
      [bare, 'minimal', undefined],
      [bare, undefined, 'minimal'],
      [names, undefined, undefined],
    ] as const) {
      const issues = await issuesFor(each, option, fallback);
      expect(issues).toEqual([
        expect.objectContaining({ line: 5, column: expect.stringMatching(/^\/characteristics/) }),
      ]);
      expect(issues[0]?.code).toMatch(/^checklist\./);
      expect(issues[0]?.message).toContain('organism');
    }
    expect(await issuesFor(whole, 'minimal')).toEqual([]);
    expect(await issuesFor(whole, undefined, 'minimal')).toEqual([]);
  });

  it('is refused with the upload where nobody has it, and at its place where an item names it', async () => {
    await expect(issuesFor(bare, 'of nobody')).rejects.toMatchObject({ code: 'checklist.unknown' });
    const unknown = item({ characteristics: { checklist: [{ text: 'of nobody' }] } });
    const [issue] = await issuesFor(unknown);
    expect(issue).toMatchObject({ line: 5, column: '/characteristics/checklist', code: 'checklist.unknown' });
    expect(issue?.message).toContain('of nobody');
  });

  it.each([new Error('of the disk'), new RegistryError('conflict', 'of something else')])(
    'that fails otherwise is no fault of the item: %s',
    async (error) => {
      const failing = () => ({ ...checklists(), chosenFor: () => 'x', problemsOf: () => Promise.reject(error) });
      await expect(issuesFor(names, undefined, undefined, failing as unknown as () => ChecklistRules)).rejects.toBe(
        error,
      );
    },
  );
});
