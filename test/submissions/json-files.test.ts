/** Samples as JSON, an object on each line or an array: registered, refused by line and pointer, and given back. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/registry/date-time.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { Intake, type Sent, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

type Item = Record<string, unknown>;
const DATA = [{ domain: 'self.x', type: 'AMR', content: [{ gene: { value: 'x' } }] }];
const ndjson = (...items: unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const sample = (name: string, more: Item = {}): Item => ({
  name,
  release: '2020-01-01',
  characteristics: { organism: [{ text: 'Homo sapiens' }] },
  ...more,
});
const send = (text: string, options: Partial<UploadOptions> = {}, sent: Sent = {}) =>
  intake.send(text, options, { fileName: 'samples.ndjson', ...sent });
const lines = async (pieces: AsyncIterable<string>): Promise<Item[]> =>
  (await textOf(pieces))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item);
const resultOf = (submission: Submission) => lines(intake.results.result(submission));
const receiptOf = async (submission: Submission) =>
  (await resultOf(submission)).at(-1)?.receipt as {
    counts: object;
    issues: { line: number; column: string; code: string; message: string }[];
  };
const issuesOf = async (submission: Submission) =>
  (await receiptOf(submission)).issues.map(({ line, column, code }) => `${line} ${column} ${code}`);
const accessionOf = async (submission: Submission, at = 0) => (await resultOf(submission))[at]?.accession as string;
const stored = async (accession: string) => (await intake.store.readSample(Number(accession.slice(4))))?.sample;

describe.each([
  ['an object on each line', (items: unknown[]) => ndjson(...items), 'lines'],
  ['an array', (items: unknown[]) => JSON.stringify(items), 'array'],
] as const)('%s', (_, spell, json) => {
  it('is registered, and comes back with accessions and a receipt, which changes nothing', async () => {
    const account = `good ${json}`;
    const items = Array.from({ length: 4 }, (_, at) =>
      sample(`${json} ${at}`, { characteristics: { n: [{ text: at }] } }),
    );
    const sent = await send(spell(items), {}, { account });
    expect(sent).toMatchObject({ state: 'COMPLETED', counts: { rows: 4, created: 4 }, columns: { json } });
    const result = await resultOf(sent);
    expect(result).toEqual([
      ...items.map((item) => ({ ...item, accession: expect.stringMatching(/^SAMR\d+$/) })),
      {
        receipt: {
          submissionId: sent.id,
          submissionStatus: 'COMPLETED',
          fileName: 'samples.ndjson',
          counts: sent.counts,
          issues: [],
        },
      },
    ]);
    expect((await stored(result[2]?.accession as string))?.content.characteristics).toEqual({ n: [{ text: '2' }] });
    expect(JSON.parse(await textOf(intake.results.mapping(sent)))).toMatchObject({
      sampleNameAccessionPairs: result
        .slice(0, 4)
        .map(({ name, accession }) => ({ sampleName: name, sampleAccession: accession })),
    });
    const again = await send(await textOf(intake.results.result(sent)), {}, { account });
    expect(again.counts).toEqual({ rows: 4, created: 0, updated: 0, unchanged: 4, rejected: 0 });
    expect((await intake.accept(spell(items), {}, { account })).submission.id).toBe(sent.id);
  });

  it('of which items are bad gives these back, by line and pointer, ready to correct', async () => {
    const bad = sample(`${json} b1`, { release: 'soon', characteristics: { organism: [{ text: ['a'] }] } });
    const sent = await send(
      spell([sample(`${json} b0`), bad, 7, sample(`${json} b0`)]),
      {},
      { account: `bad ${json}` },
    );
    expect(sent.counts).toMatchObject({ created: 1, rejected: 3 });
    expect(await issuesOf(sent)).toEqual([
      `2 /release item.invalid`,
      `2 /characteristics/organism/0/text item.invalid`,
      `3 undefined item.not-json`,
      `4 /name name.repeated`,
    ]);
    const errors = await lines(intake.results.errors(sent));
    expect(errors).toMatchObject([
      {
        name: `${json} b1`,
        release: 'soon',
        errors: [{ column: '/release' }, { column: '/characteristics/organism/0/text' }],
      },
      { line: 3, text: '7', errors: [{ message: expect.stringContaining('It is no object in { }.') }] },
      { name: `${json} b0`, errors: [{ code: 'name.repeated' }] },
    ]);
    expect(JSON.stringify(errors[0])).not.toContain('"line"');
    expect((await resultOf(sent)).slice(1, 4)).toEqual([bad, { notRead: '7' }, sample(`${json} b0`)]);
    const [second] = errors;
    const fixed = await send(
      ndjson({ ...second, release: '2021-01-01', characteristics: {} }),
      {},
      { account: `bad ${json}` },
    );
    expect(fixed.counts).toMatchObject({ created: 1, rejected: 0 });
  });
});

describe('an item', () => {
  it.each([
    [sample('', {}), '1 /name item.invalid'],
    [{ release: '2020-01-01' }, '1 /name item.invalid'],
    [{ name: 'no date' }, '1 /release release.missing'],
    [sample('x', { accession: 'SAMR999999' }), '1 /accession identifier.unknown'],
    [sample('x', { accession: 'SAMEA1' }), '1 /accession identifier.unknown'],
    [sample('x', { status: 'WITHDRAWN' }), '1 /status item.invalid'],
    [sample('x', { status: 'KILLED' }), '1 /status item.invalid'],
    [sample('x', { data: DATA }), '1 /data item.invalid'],
    [
      sample('x', { relationships: [{ type: 'derived from', target: 'nobody' }] }),
      '1 /relationships/0/target relationship.unknown',
    ],
    [
      sample('x', { characteristics: { checklist: [{ text: 'no such list' }] } }),
      '1 /characteristics/checklist checklist.unknown',
    ],
  ] as const)('%j is refused at its place', async (item, issue) => {
    const sent = await send(
      ndjson(item, sample(`beside ${issue}`)),
      { duplicate: 'allow' },
      { account: JSON.stringify(item) },
    );
    expect(sent.counts).toMatchObject({ created: 1, rejected: 1 });
    expect(await issuesOf(sent)).toEqual([issue]);
  });

  it.each([
    ['{"name":"a"\n', /This item cannot be read\. /],
    ['{"name":"a","name":"b"}\n', /twice/],
    [`{"name":"${'x'.repeat(1_100_000)}"}\n`, /^This item cannot be read\. /],
  ])('that is %s cannot be read, and is refused alone', async (text, message) => {
    const sent = await send(ndjson(sample(`good beside ${text.length}`)) + text, {}, { account: 'unread' });
    expect(sent.counts).toMatchObject({ created: 1, rejected: 1 });
    expect((await receiptOf(sent)).issues).toMatchObject([
      { line: 2, code: 'item.not-json', message: expect.stringMatching(message) },
    ]);
  });

  it('says no status and no data of a new sample, whose words are those of the request that takes them', async () => {
    const sent = await send(
      ndjson(sample('m1', { status: 'KILLED' }), sample('m2', { data: DATA })),
      {},
      { account: 'members' },
    );
    expect((await receiptOf(sent)).issues.map(({ message }) => message)).toEqual([
      '"status" cannot be KILLED here: leave it out, it follows from the release.',
      '"data" does not belong in a file of samples; send it with PUT /structureddata/{accession}.',
    ]);
  });

  it.each([
    ['PRIVATE', '2020-01-01', 'send a release in the future'],
    ['PUBLIC', '2040-01-01', 'send a release that is past'],
    ['private', '2040-01-01', 'which is no status'],
    ['PRIVATE', undefined, 'send a release in the future'],
  ])('that is new and says %s with the release %s is refused with what to do', async (status, release, words) => {
    const agreeing = { status: release === '2040-01-01' ? 'PRIVATE' : 'PUBLIC' };
    const items = [{ status }, agreeing].map((one, at) => ({ name: `s${at}`, release, ...one }));
    for (const mode of ['partial', 'atomic'] as const) {
      const account = `says ${status} ${release} ${mode}`;
      const sent = await send(ndjson(...items), { mode, releaseDate: Date.UTC(2021, 0) }, { account });
      expect(sent.counts).toMatchObject(mode === 'atomic' ? { created: 0, rejected: 2 } : { created: 1, rejected: 1 });
      const { issues } = await receiptOf(sent);
      expect(issues[0]).toMatchObject({ line: 1, column: '/status', message: expect.stringContaining(words) });
    }
  });

  it('is checked as of when its file was accepted, and says nothing by a status that was read before', async () => {
    const [sent, { now }] = [{ account: 'statuses', fileName: 'samples.ndjson' }, intake.clock];
    const item = sample('waits', { release: new Date(now + DAY_MS).toISOString(), status: 'PRIVATE' });
    const { submission } = await intake.accept(ndjson(item), {}, sent);
    intake.clock.now = now + 2 * DAY_MS;
    const late = await intake.ended(submission.id);
    const back = await intake.send(ndjson({ ...item, accession: await accessionOf(late) }), {}, sent);
    const again = await intake.send(ndjson({ ...item, name: 'another' }), {}, sent);
    intake.clock.now = now;
    expect([late.counts.created, back.counts.unchanged, again.counts.rejected]).toEqual([1, 1, 1]);
  });

  it('that names its sample updates it, and only that of its own account', async () => {
    const first = await send(ndjson(sample('own 1'), sample('own 2')), {}, { account: 'owner' });
    const [one, two] = [await accessionOf(first, 0), await accessionOf(first, 1)];
    const changes = ndjson(
      sample('own 1', { accession: one, status: 'PUBLIC', data: [], characteristics: { tissue: [{ text: 'liver' }] } }),
      sample('own 2', { accession: two }),
      sample('own 2', { accession: two }),
    );
    const sent = await send(changes, {}, { account: 'owner' });
    expect(sent.counts).toMatchObject({ updated: 1, unchanged: 1, rejected: 1 });
    expect(await issuesOf(sent)).toEqual(['3 /accession identifier.repeated']);
    expect((await stored(one))?.content.characteristics).toEqual({ tissue: [{ text: 'liver' }] });
    const foreign = await send(ndjson(sample('own 1', { accession: one })), {}, { account: 'stranger' });
    expect(await issuesOf(foreign)).toEqual(['1 /accession identifier.not-yours']);
    const admin = await send(ndjson(sample('own 1', { accession: one })), {}, { account: 'stranger', admin: true });
    expect(admin.counts).toMatchObject({ updated: 1 });
  });

  it('may have the name of another where both say their accessions', async () => {
    const first = await send(ndjson(sample('pair 1'), sample('pair 2')), {}, { account: 'pair' });
    const [one, two] = [await accessionOf(first, 0), await accessionOf(first, 1)];
    const sent = await send(
      ndjson(sample('same', { accession: one }), sample('same', { accession: two })),
      {},
      { account: 'pair' },
    );
    expect(sent.counts).toMatchObject({ updated: 2, rejected: 0 });
    const mixed = await send(ndjson(sample('same', { accession: one }), sample('same')), {}, { account: 'pair' });
    expect(await issuesOf(mixed)).toEqual(['2 /name name.repeated']);
  });
});

describe('dates of items', () => {
  const undated = (name: string, more: Item = {}): Item => ({ name, ...more });
  const day = Date.UTC(2022, 1, 2);
  it('that say none are those of the upload, and stand in the result', async () => {
    const sent = await send(
      ndjson(undated('d1'), sample('d2'), undated('d3', { release: '' })),
      { releaseDate: day },
      { account: 'dates' },
    );
    const result = await resultOf(sent);
    expect(result.slice(0, 3).map(({ release }) => release)).toEqual(['2022-02-02', '2020-01-01', expect.anything()]);
    expect((await stored(result[0]?.accession as string))?.release).toBe(day);
    expect((await stored(result[1]?.accession as string))?.release).toBe(Date.UTC(2020, 0, 1));
    const id = { accession: result[0]?.accession };
    const kept = await send(ndjson(undated('d1', id)), { releaseDate: day + 86_400_000 }, { account: 'dates' });
    expect([kept.counts.unchanged, (await resultOf(kept))[0]]).toEqual([1, undated('d1', id)]);
    const moved = await send(
      ndjson(undated('d1', id)),
      { releaseDate: day + 86_400_000, releaseExisting: true },
      { account: 'dates' },
    );
    expect([moved.counts.updated, (await resultOf(moved))[0]?.release]).toEqual([1, '2022-02-03']);
    const without = await send(ndjson(undated('d1', id)), {}, { account: 'dates' });
    expect(without.counts.unchanged).toBe(1);
  });
});

describe('the promises of a sheet', () => {
  it('hold for relationships to names of the file, before and behind', async () => {
    const sent = await send(
      ndjson(
        sample('r1', { relationships: [{ type: 'derived from', target: 'r3' }] }),
        sample('r2', { relationships: [{ type: 'same as', target: 'nobody' }] }),
        sample('r3', {
          relationships: [
            { type: 'same as', target: 'r1' },
            { type: 'same as', target: 'r2' },
          ],
        }),
        sample('r4'),
        sample('r5', {
          relationships: [
            { type: 'child of', target: 'r4' },
            { type: 'same as', target: 'SAMEA77' },
          ],
        }),
      ),
      {},
      { account: 'related' },
    );
    expect(sent.counts).toMatchObject({ created: 2, rejected: 3 });
    expect(await issuesOf(sent)).toEqual([
      '1 /relationships/0/target relationship.target-rejected',
      '2 /relationships/0/target relationship.unknown',
      '3 /relationships/0/target relationship.target-rejected',
      '3 /relationships/1/target relationship.target-rejected',
    ]);
    const five = await stored(await accessionOf(sent, 4));
    expect(five?.content.relationships).toEqual([
      { type: 'child of', target: await accessionOf(sent, 3) },
      { type: 'same as', target: 'SAMEA77' },
    ]);
  });

  it('hold for relationships that wait', async () => {
    const later = { relationships: 'later' } as const;
    const item = (name: string, ...relationships: Item[]) => sample(name, { relationships });
    const sent = await send(
      ndjson(item('leaf', { type: 'derived from', target: 'tree' }, { type: 'same as', target: 'bud' }), item('bud')),
      later,
      { account: 'waits' },
    );
    expect(sent.issues).toMatchObject([
      { code: 'relationship.open', count: 1, lines: [1], column: '/relationships/0/target' },
    ]);
    expect((await stored(await accessionOf(sent, 0)))?.content.relationships).toEqual([
      { type: 'same as', target: await accessionOf(sent, 1) },
    ]);
    const tree = await send(ndjson(sample('tree')), {}, { account: 'waits' });
    expect((await stored(await accessionOf(sent, 0)))?.content.relationships).toContainEqual({
      type: 'derived from',
      target: await accessionOf(tree),
    });
    const sourced = await send(
      ndjson(
        item(
          'twig',
          { source: 'SAMEA1', type: 'on', target: 'forest' },
          { source: 'SAMEA1', type: 'on', target: 'SAMEA2' },
        ),
      ),
      later,
      { account: 'waits' },
    );
    expect(await issuesOf(sourced)).toEqual(['1 /relationships/0/target relationship.unknown']);
    expect((await receiptOf(sourced)).issues[0]?.message).toBe(
      'With relationships=later a relationship that has a "source" of its own names its target by an accession: write that of forest, or leave out the source.',
    );
  });

  it('hold for all or nothing', async () => {
    const sent = await send(
      ndjson(sample('a1'), sample('a2', { release: 'never' }), sample('a3')),
      { mode: 'atomic' },
      { account: 'atomic' },
    );
    expect(sent).toMatchObject({ state: 'FAILED', counts: { created: 0, rejected: 3 } });
    expect(await issuesOf(sent)).toEqual([
      '1 undefined row.held-back',
      '2 /release item.invalid',
      '3 undefined row.held-back',
    ]);
    const good = await send(ndjson(sample('a1'), sample('a3')), { mode: 'atomic' }, { account: 'atomic' });
    expect(good.counts).toMatchObject({ created: 2 });
  });

  it('hold for dry runs, and what they show is what is done', async () => {
    const first = await send(ndjson(sample('y1'), sample('y2')), {}, { account: 'dry' });
    const [one, two] = [await accessionOf(first, 0), await accessionOf(first, 1)];
    const file = ndjson(
      sample('y1', { accession: one, characteristics: { organism: [{ text: 'Mus musculus' }] } }),
      sample('y3', { relationships: [{ type: 'derived from', target: 'y1' }] }),
      sample('y2', { accession: two, characteristics: { organism: [{ text: 'Mus musculus' }] } }),
    );
    const dry = await send(file, { dryRun: true }, { account: 'dry' });
    expect((await resultOf(dry)).at(-1)?.receipt).toMatchObject({ dryRun: true, counts: { created: 1, updated: 2 } });
    expect((await resultOf(dry))[1]).not.toHaveProperty('accession');
    await send(ndjson(sample('y2', { accession: two, characteristics: {} })), {}, { account: 'dry' });
    const commit = await intake.commit(dry);
    expect(commit.counts).toMatchObject({ created: 1, updated: 1, rejected: 1 });
    expect(await issuesOf(commit)).toEqual(['3 /accession row.changed-since']);
  });

  it('hold for checklists, those of the upload and those that items name', async () => {
    const items = [
      sample('c1'),
      sample('c2', { characteristics: {} }),
      sample('c3', { characteristics: { checklist: [{ text: 'minimal' }] } }),
    ];
    const asked = await send(ndjson(...items), { checklist: 'minimal' }, { account: 'checked' });
    expect(asked.counts).toMatchObject({ created: 1, rejected: 2 });
    const { issues } = await receiptOf(asked);
    expect(
      issues.every(({ code, column }) => code.startsWith('checklist.') && column.startsWith('/characteristics')),
    ).toBe(true);
    expect([...new Set(issues.map(({ line }) => line))]).toEqual([2, 3]);
    const named = await send(ndjson(...items), { duplicate: 'allow' }, { account: 'checked' });
    expect(named.counts).toMatchObject({ created: 2, rejected: 1 });
    await expect(
      intake.accept(ndjson(sample('c4')), { checklist: 'of nobody' }, { account: 'checked' }),
    ).rejects.toMatchObject({
      code: 'checklist.unknown',
    });
  });

  it('hold when processing stops between two batches', async () => {
    const { submission } = await intake.accept(
      ndjson(...Array.from({ length: 7 }, (_, at) => sample(`i${at}`))),
      {},
      { account: 'stops' },
    );
    await intake.oneBatch();
    expect((await intake.found(submission.id)).cursor).toBe(3);
    expect(await intake.ended(submission.id)).toMatchObject({ counts: { rows: 7, created: 7 }, cursor: 7 });
  });
});

describe('files that are read through before they are registered', () => {
  const related = (name: string, more: Item = {}) =>
    sample(name, { relationships: [{ type: 'child of', target: 'hub' }], ...more });
  it('are refused their items of others, and of nobody, at their place', async () => {
    const first = await send(ndjson(sample('theirs')), {}, { account: 'owner of theirs' });
    const theirs = await accessionOf(first);
    const file = ndjson(
      sample('hub'),
      related('a', { accession: theirs }),
      related('b', { accession: 'SAMR999999' }),
      related('c'),
    );
    const sent = await send(file, {}, { account: 'related others' });
    expect(sent.counts).toMatchObject({ created: 2, rejected: 2 });
    expect(await issuesOf(sent)).toEqual(['2 /accession identifier.not-yours', '3 /accession identifier.unknown']);
    expect((await receiptOf(sent)).issues.map(({ message }) => message).join()).toContain(theirs);
    const held = await send(
      ndjson(sample('x'), sample('y', { accession: 'SAMR999999' })),
      { mode: 'atomic' },
      { account: 'related others' },
    );
    expect(await issuesOf(held)).toEqual(['1 undefined row.held-back', '2 /accession identifier.unknown']);
  });

  it('are refused whole where they are all or nothing and one item lacks what its checklist asks for', async () => {
    const file = ndjson(sample('c1'), sample('c2', { characteristics: {} }));
    const sent = await send(file, { mode: 'atomic', checklist: 'minimal' }, { account: 'atomic checklist' });
    expect(sent).toMatchObject({ state: 'FAILED', counts: { created: 0, rejected: 2 } });
    const { issues } = await receiptOf(sent);
    expect([issues[0]?.code, issues[0]?.message]).toEqual([
      'row.held-back',
      'Nothing wrong with this item, but other items of the file need fixing and it was sent as all or nothing.',
    ]);
    expect(issues[1]?.message).not.toBe('');
  });

  it('refer to samples that they update, and are read anew line by line', async () => {
    const account = 'related updates';
    const first = await send(ndjson(sample('hub'), sample('spoke')), {}, { account });
    const [hub, spoke] = [await accessionOf(first, 0), await accessionOf(first, 1)];
    const sent = await send(
      ndjson(related('spoke', { accession: spoke }), sample('hub', { accession: hub }), related('rim')),
      {},
      { account },
    );
    expect(sent.counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    for (const one of [spoke, await accessionOf(sent, 2)])
      expect((await stored(one))?.content.relationships).toEqual([{ type: 'child of', target: hub }]);
  });

  it('say all that is wrong with an item, each at its place', async () => {
    const sent = await send(
      ndjson(sample('w', { release: 'soon', taxId: 'x' }), { name: 'undated', characteristics: 7 }),
      {},
      { account: 'all wrong' },
    );
    const { issues } = await receiptOf(sent);
    expect(issues.map(({ line, column }) => `${line} ${column}`)).toEqual([
      '1 /taxId',
      '1 /release',
      '2 /characteristics',
      '2 /release',
    ]);
    for (const { column, message } of issues.slice(0, 3)) expect(message).toMatch(new RegExp(`^${column} .+\\.$`));
    expect(issues[3]?.message).toContain('release');
  });
});

describe('a whole file', () => {
  it('without items is empty', async () => {
    await expect(send('[]', {}, { account: 'empty' })).resolves.toMatchObject({
      state: 'FAILED',
      problem: {
        code: 'file.empty',
        message: 'The file holds no samples; add one object for each sample and upload it again.',
      },
    });
  });

  it('has no column of keys', async () => {
    await expect(intake.accept(ndjson(sample('k')), { key: 'name' }, { account: 'keys' })).rejects.toMatchObject({
      code: 'file.header',
      message: expect.stringContaining('The option key is for sheets'),
    });
  });

  it('that names samples is another upload each time, and one that only mentions them is not', async () => {
    const first = await send(ndjson(sample('n1')), {}, { account: 'named' });
    const naming = ndjson(sample('n1', { accession: await accessionOf(first) }));
    expect((await intake.accept(naming, {}, { account: 'named' })).replayed).toBe(false);
    expect((await intake.accept(naming, {}, { account: 'named' })).replayed).toBe(false);
    const mentions = ndjson(sample('n2', { characteristics: { '"accession"': [{ text: '"accession"' }] } }));
    expect((await intake.accept(mentions, {}, { account: 'named' })).replayed).toBe(false);
    expect((await intake.accept(mentions, {}, { account: 'named' })).replayed).toBe(true);
  });
});
