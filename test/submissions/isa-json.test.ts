/** ISA-JSON documents: what they say of their sources and samples, and how accessions come back into them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { isaLines } from '../../src/submissions/isa-json/convert.js';
import { Declared, readDeclared } from '../../src/submissions/isa-json/declared.js';
import { withComment } from '../../src/submissions/isa-json/insert.js';
import { isAccessionOf } from '../../src/submissions/isa-json/open.js';
import { Results } from '../../src/submissions/results/results.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { isaDocument } from '../support/isa-document.js';
import { processorMsOf } from '../support/processor-time.js';
import { Intake, inOnePiece, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

type Object_ = Record<string, unknown>;
let labs = 0;
const send = (document: unknown, options: Partial<UploadOptions> = {}, account = `isa-${++labs}`) =>
  intake.send(typeof document === 'string' ? document : JSON.stringify(document), options, {
    account,
    fileName: 'i.json',
  });
/** The lines that are made of it, as samples. */
const itemsOf = async (submission: Submission): Promise<Object_[]> =>
  (await textOf(intake.results.text(submission)))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Object_);
const study = (more: Object_) => ({ studies: [{ publicReleaseDate: '2020-01-01', ...more }] });
const materials = (samples: Object_[], sources: Object_[] = []): Object_ => ({ materials: { sources, samples } });
const stored = async (accession: string) => (await intake.store.readSample(Number(accession.slice(4))))?.sample;

describe('of a source or sample', () => {
  const one = async (sample: Object_, more: Object_ = {}): Promise<Object_ | undefined> =>
    (await itemsOf(await send(study({ ...materials([sample]), ...more }))))[0];

  it('nothing but its name and the date of its study is said where it says no more', async () => {
    expect(await one({ name: 'leaf' })).toEqual({ name: 'leaf', release: '2020-01-01', ...emptyContent() });
  });

  it('characteristics are read with their terms and units, by what is declared anywhere in its study', async () => {
    const sample = {
      name: 'leaf',
      characteristics: [
        {
          category: { '@id': '#c/1' },
          value: {
            annotationValue: 'Mus',
            termAccession: ' T:1 ',
            comments: [
              { name: 'term accession', value: 'T:2' },
              { name: 'other', value: 'x' },
            ],
          },
        },
        { category: { '@id': '#c/2' }, value: 5, unit: { '@id': '#u/1' } },
        { category: { '@id': '#c/2' }, value: 'six', unit: { annotationValue: 'week', termAccession: '' } },
        { category: { '@id': '#c/3' }, value: { annotationValue: '' } },
        { category: { '@id': '#characteristic_category/organism_part_12' }, value: 'leaf' },
        { category: { '@id': '#age' }, value: { annotationValue: 7 } },
        { category: { '@id': '#x', characteristicType: { annotationValue: ' said here ' } }, value: 'v' },
        { category: 'no category', value: 'v' },
      ],
    };
    const read = await one(sample, {
      characteristicCategories: [
        { '@id': '#c/1', characteristicType: { annotationValue: ' organism ' } },
        { '@id': '#c/1', characteristicType: { annotationValue: 'declared twice' } },
        { '@id': '#c/2', characteristicType: 'age' },
      ],
      unitCategories: [{ '@id': '#u/1', annotationValue: 'day', termAccession: 'UO:33' }],
    });
    expect(read?.characteristics).toEqual({
      organism: [{ text: 'Mus', ontologyTerms: ['T:1', ...(JSON.stringify(read).includes('T:2') ? ['T:2'] : [])] }],
      age: [{ text: 5, unit: 'day', unitOntologyTerms: ['UO:33'] }, { text: 'six', unit: 'week' }, { text: 7 }],
      organism_part: [{ text: 'leaf' }],
      'said here': [{ text: 'v' }],
      '': [{ text: 'v' }],
    });
  });

  it('comments in the words of a sheet are read, all others stay in the document', async () => {
    const comments = [
      ['Release Date', '2021-05-06'],
      ['release date', '2030-01-01'],
      ['Domain', 'self.lab'],
      ['domain', 'later'],
      ['taxId', '9606'],
      ['taxid', '1'],
      ['bsd_relationship:same as', 'SAMEA1'],
      ['external DB REF', 'https://a.example/1'],
      ['submission_contact:Name', 'Ada'],
      ['submission_contact:E-mail', 'a@b.c'],
      ['submission_contact:Name', 'Bo'],
      ['submission_organization:Name', 'Lab'],
      ['publication:doi', '10.1/x'],
      ['anything else', 'kept'],
      ['publication:doi', ''],
    ].map(([name, value]) => ({ name, value }));
    expect(await one({ name: 'leaf', comments: [...comments, { name: 'taxId', value: 7 }, 'no comment'] })).toEqual({
      name: 'leaf',
      release: '2021-05-06',
      domain: 'self.lab',
      taxId: '9606',
      characteristics: {},
      relationships: [{ type: 'same as', target: 'SAMEA1' }],
      externalReferences: [{ url: 'https://a.example/1' }],
      contact: [{ Name: 'Ada', 'E-mail': 'a@b.c' }, { Name: 'Bo' }],
      organization: [{ Name: 'Lab' }],
      publications: [{ doi: '10.1/x' }],
    });
  });

  it('the parents are those that it derives from and those that its process took, each once', async () => {
    const document = study({
      materials: {
        sources: [
          { '@id': '#s/1', name: 'plant' },
          { '@id': '#s/2', name: ' tree ' },
          { '@id': '#s/3', name: 'weed' },
        ],
        samples: [
          {
            '@id': '#m/1',
            name: 'leaf',
            derivesFrom: [{ '@id': '#s/1' }, { '@id': '#s/unknown', name: ' named ' }, { '@id': '#s/nowhere' }],
            comments: [
              { name: 'bsd_relationship:Derived_From', value: 'plant' },
              { name: 'bsd_relationship:child of', value: 'plant' },
            ],
          },
          { '@id': '#m/2', name: 'bark' },
        ],
      },
      processSequence: [
        { inputs: [{ '@id': '#s/1' }, { '@id': '#s/2' }], outputs: [{ '@id': '#m/1' }, { '@id': '#m/2' }] },
        { inputs: [{ '@id': '#s/3' }, { '@id': '#data/1' }, {}], outputs: [{ '@id': '#m/2' }, { '@id': '#s/1' }] },
        { inputs: [], outputs: [{ '@id': '#m/2' }] },
        { outputs: [{ '@id': '#m/2' }] },
      ],
    });
    const items = await itemsOf(await send(document));
    expect(items.map(({ name, relationships }) => [name, relationships])).toEqual([
      ['plant', []],
      [' tree ', []],
      ['weed', []],
      [
        'leaf',
        [
          { type: 'Derived_From', target: 'plant' },
          { type: 'child of', target: 'plant' },
          { type: 'derived from', target: 'named' },
          { type: 'derived from', target: '#s/nowhere' },
          { type: 'derived from', target: 'tree' },
        ],
      ],
      [
        'bark',
        [
          { type: 'derived from', target: 'plant' },
          { type: 'derived from', target: 'tree' },
          { type: 'derived from', target: 'weed' },
        ],
      ],
    ]);
  });

  it.each([
    [{ publicReleaseDate: ' 2019-09-09 ' }, {}, '2019-09-09'],
    [{ publicReleaseDate: '2019-09-09' }, { publicReleaseDate: '2018-08-08' }, '2018-08-08'],
    [{ publicReleaseDate: '2019-09-09' }, { publicReleaseDate: '' }, '2019-09-09'],
    [{ publicReleaseDate: 2019 }, { publicReleaseDate: null }, undefined],
    [{}, {}, undefined],
  ])('the date is that of the study, else of the investigation: %j with %j', async (investigation, own, release) => {
    const document = { ...investigation, studies: [{ ...own, ...materials([{ name: 'a' }]) }] };
    expect((await itemsOf(await send(document)))[0]?.release).toBe(release);
  });

  it('is what its own study declares, where several declare the same', async () => {
    const category = (name: string) => [{ '@id': '#c', characteristicType: { annotationValue: name } }];
    const sample = (name: string) => ({
      name,
      characteristics: [{ category: { '@id': '#c' }, value: 'v', unit: { '@id': '#u' } }],
    });
    const studies = ['first', 'second'].map((name) => ({
      ...materials([sample(name)]),
      publicReleaseDate: `2020-01-0${name.length}`,
      characteristicCategories: category(`of ${name}`),
      unitCategories: [{ '@id': '#u', annotationValue: `unit of ${name}` }],
    }));
    const items = await itemsOf(await send({ investigation: { studies } }));
    expect(items.map(({ release, characteristics }) => [release, characteristics])).toEqual([
      ['2020-01-05', { 'of first': [{ text: 'v', unit: 'unit of first' }] }],
      ['2020-01-06', { 'of second': [{ text: 'v', unit: 'unit of second' }] }],
    ]);
  });
});

describe('accessions', () => {
  const plants = () =>
    isaDocument({
      sources: [{ name: 'plant', values: [{ name: 'organism', text: 'Arabidopsis' }] }],
      samples: [
        { name: 'leaf', from: ['plant'] },
        { name: 'root', from: ['plant'], comments: [{ name: 'note', value: 'x' }] },
      ],
    });

  it('come back as comments, all else as it was written, and change nothing when the result is sent again', async () => {
    const text = `\uFEFF${JSON.stringify(plants(), null, 2).replace('"size": 1.5', '"size": 1.50')}`;
    const sent = await send(text, {}, 'back');
    expect(sent.counts).toMatchObject({ rows: 3, created: 3 });
    const result = await textOf(intake.results.result(sent));
    const accessions = [...result.matchAll(/\{"name":"accession","value":"(SAMR\d+)"\}/g)].map(
      ([, accession]) => accession as string,
    );
    expect(await Promise.all(accessions.map(async (accession) => (await stored(accession))?.name))).toEqual([
      'plant',
      'leaf',
      'root',
    ]);
    expect(
      result
        .replaceAll(/"comments":\[\{"name":"accession","value":"SAMR\d+"\}\],/g, '')
        .replaceAll(/\{"name":"accession","value":"SAMR\d+"\},/g, ''),
    ).toBe(text);
    expect((await stored(accessions[1] as string))?.content.relationships).toEqual([
      { type: 'derived from', target: accessions[0] },
    ]);
    const again = await send(result, {}, 'back');
    expect(again.counts).toEqual({ rows: 3, created: 0, updated: 0, unchanged: 3, rejected: 0 });
    expect(await textOf(intake.results.result(again))).toBe(result);
  });

  it('of ours are taken from a comment or from the characteristic in which brokers write them; others stay values', async () => {
    const account = 'brokers';
    const first = await send(study(materials([{ name: 'a' }, { name: 'b' }, { name: 'c' }])), {}, account);
    const made = [...(await textOf(intake.results.result(first))).matchAll(/SAMR\d+/g)].map(([accession]) => accession);
    const said = (id: string, value: unknown) => ({ category: { '@id': id }, value: { annotationValue: value } });
    const accession = '#characteristic_category/accession';
    const next = await send(
      study(
        materials(
          [
            { name: 'a', characteristics: [said(accession, ` ${made[0]} `), said('#c/x', 'y')] },
            {
              name: 'b',
              comments: [{ name: 'Sample Identifier', value: made[1] }],
              characteristics: [said(`${accession}_3`, made[1])],
            },
            { name: 'd', characteristics: [said(accession, 'SAMEA5'), said(`${accession}x`, made[2])] },
            { name: 'e', comments: [{ name: 'accession', value: 'SAMEA6' }] },
          ],
          [{ name: made[2], comments: [{ name: 'accession', value: made[2] }] }],
        ),
      ),
      {},
      account,
    );
    const items = await itemsOf(next);
    expect(items.map(({ accession: of, release, characteristics }) => [of, release, characteristics])).toEqual([
      [made[0], undefined, { x: [{ text: 'y' }] }],
      [made[1], undefined, {}],
      [undefined, '2020-01-01', { accession: [{ text: 'SAMEA5' }], accessionx: [{ text: made[2] }] }],
      [undefined, '2020-01-01', {}],
    ]);
    expect(next.counts).toMatchObject({ rows: 4, updated: 1, unchanged: 1, created: 2 });
  });

  it('are looked for where one is meant, and nowhere else', () => {
    const isOurs = isAccessionOf('SAMR');
    expect(['SAMR1', 'samr1', 'SAMEA1', 'SAMR', 'x'].map(isOurs)).toEqual([true, true, false, false, false]);
  });
});

describe('the receipt for brokers', () => {
  const place = { targetRepository: 'registry.example', statusUrl: 'https://registry.example/submissions/x' };
  interface Receipt {
    targetRepository: string;
    status?: object;
    info: { name: string; message: string }[];
    accessions?: { path: { key: string; where?: object }[]; value: string }[];
    errors?: { type: string; message: string; path?: object[] }[];
  }
  const receiptOf = async (submission: Submission): Promise<Receipt> =>
    JSON.parse(await textOf(await intake.results.receipt(submission, place))) as Receipt;

  it('says where each sample stands, by what tells it from the others', async () => {
    const document = {
      investigation: {
        studies: [
          {
            title: 'same',
            identifier: 's1',
            ...materials([{ '@id': '#m/1', name: 'leaf' }], [{ name: 'plant' }]),
            publicReleaseDate: '2020-01-01',
          },
          {
            title: 'same',
            identifier: 's1',
            filename: 's_2.txt',
            ...materials([{ name: 'bud' }]),
            publicReleaseDate: '2020-01-01',
          },
        ],
      },
    };
    const sent = await send(document);
    const receipt = await receiptOf(sent);
    expect(receipt).toEqual({
      targetRepository: 'registry.example',
      info: [
        { name: 'Submission ID', message: sent.id },
        { name: 'Submission date', message: '2030-01-01T12:00:00.000Z' },
      ],
      accessions: [
        [{ key: 'studies' }, { key: 'sources', where: { key: 'name', value: 'plant' } }],
        [{ key: 'studies' }, { key: 'samples', where: { key: '@id', value: '#m/1' } }],
        [
          { key: 'studies', where: { key: 'filename', value: 's_2.txt' } },
          { key: 'samples', where: { key: 'name', value: 'bud' } },
        ],
      ].map(([of, one]) => ({
        path: [{ key: 'investigation' }, of, { key: 'materials' }, one],
        value: expect.stringMatching(/^SAMR\d+$/),
      })),
    });
  });

  it('tells thousands of studies apart in time that grows with their number alone', { tags: 'bounds' }, async () => {
    const studies = Array.from({ length: 7_999 }, (_, at) => {
      const half = String(at % 3_999);
      return { '@id': half, title: half, identifier: half, filename: String(at) };
    });
    const sent = await send({ studies: [...studies, ...study(materials([{ name: 'one' }])).studies] });
    let receipt: Receipt | undefined;
    const ms = await processorMsOf(async () => {
      receipt = await receiptOf(sent);
    });
    expect(receipt?.accessions).toHaveLength(1);

    expect(ms).toBeLessThan(3_000);
  });

  it('has what was refused, beside what was registered or alone', async () => {
    const bad = { name: 'bad', comments: [{ name: 'Release Date', value: 'soon' }] };
    const some = await receiptOf(await send(study({ '@id': '#study/1', ...materials([{ name: 'good' }, bad]) })));
    expect(some.accessions).toHaveLength(1);
    expect(some.errors).toEqual([
      {
        type: 'INVALID_METADATA',
        message: expect.stringMatching(/^\/release: /),
        path: [
          { key: 'studies', where: { key: '@id', value: '#study/1' } },
          { key: 'materials' },
          { key: 'samples', where: { key: 'name', value: 'bad' } },
        ],
      },
    ]);
    const none = await receiptOf(await send(study(materials([bad]))));
    expect([none.accessions, none.errors?.length]).toEqual([undefined, 1]);
    const held = await receiptOf(await send(study(materials([{ name: 'good' }, bad])), { mode: 'atomic' }));
    expect(held.errors?.[0]?.message).toMatch(/^Nothing wrong with this item/);
  });

  it('says of a dry run that nothing was registered, and of one that runs how far it has come', async () => {
    const document = JSON.stringify(study(materials([{ name: 'a' }])));
    const { submission } = await intake.accept(document, { dryRun: true }, { account: 'running' });
    expect(await receiptOf(submission)).toEqual({
      targetRepository: 'registry.example',
      status: { statusUrl: place.statusUrl, id: submission.id },
      info: [{ name: 'Samples read so far', message: '0, of which 0 rejected' }],
    });
    expect(await receiptOf(await intake.ended(submission.id))).toMatchObject({
      info: [{}, {}, { name: 'Dry run', message: 'Everything was checked; nothing was registered.' }],
      accessions: [],
    });
  });

  it('has no warning among the errors of a refused row', async () => {
    const ended = await send(
      study(materials([{ name: 'a' }, { name: 'bad', comments: [{ name: 'Release Date', value: 'soon' }] }])),
    );
    const { store, blobs } = intake;
    const warned = async function* (id: string) {
      for await (const chunk of store.ledger(id)) {
        const warnings = chunk.rejected.map(({ line, issues: [error] }) => ({
          line,
          name: 'bad',
          issues: [{ ...(error as Issue), severity: 'warning' as const, message: 'odd' }],
        }));
        yield { ...chunk, warnings };
      }
    };
    const results = new Results({ store: { ...store, ledger: warned }, blobs, prefix: 'SAMR' });
    const { errors } = JSON.parse(await textOf(await results.receipt(ended, place))) as Receipt;
    expect(errors).toEqual((await receiptOf(ended)).errors);
    expect(errors).toHaveLength(1);
  });

  it('begins with the reason of one that did not reach its end, and has what was registered before', async () => {
    const bad = { name: 'bad', comments: [{ name: 'Release Date', value: 'soon' }] };
    const good = ['a', 'b', 'c'].map((name) => ({ name }));
    const ended = await send(study(materials([...good, bad, { name: 'x' }])), { maxRejected: '0' });
    const reason = { type: 'INVALID_METADATA', message: ended.problem?.message };
    const { accessions, errors } = await receiptOf(ended);
    expect(accessions).toHaveLength(3);
    expect(errors).toEqual([
      reason,
      expect.objectContaining({ message: expect.stringMatching(/^\/release: /) }),
      expect.objectContaining({ message: expect.stringMatching(/^Nothing wrong with this item/) }),
    ]);
    const none = await receiptOf(await send(study(materials([bad, { name: 'y' }])), { maxRejected: '0' }));
    expect([none.accessions, none.errors?.length]).toEqual([undefined, 3]);
    const unread = { ...ended, counts: { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 } };
    expect(await receiptOf(unread)).toEqual({
      targetRepository: 'registry.example',
      info: [{}, {}].map(() => expect.anything()),
      errors: [reason],
    });
  });

  it('is none of other files', async () => {
    const sheet = await intake.send('Sample Name\tRelease Date\nn\t2020-01-01\n');
    await expect(receiptOf(sheet)).rejects.toMatchObject({
      code: 'not-acceptable',
      message: expect.stringContaining('is no ISA-JSON document'),
    });
  });
});

describe('a document', () => {
  it.each([
    [JSON.stringify({ studies: [materials([])] }), 'file.empty', 'describes no source and no sample'],
    [JSON.stringify(study(materials([{ name: 'a' }]))).slice(0, -3), 'file.not-understood', 'cut off'],
    [
      JSON.stringify(study(materials([[] as unknown as Object_]))),
      'file.not-understood',
      'studies/…/materials/samples/…: an element of the list is no object in { }.',
    ],
    ['{"studies":[{"title":"a\\q"}]}', 'file.not-understood', 'A "title" of study 1 is not valid JSON: '],
    [
      '{"publicReleaseDate":"a\u0001","studies":[]}',
      'file.not-understood',
      'A "publicReleaseDate" of the investigation is not',
    ],
    [
      '{"studies":[{},{"processSequence":[{"a":nul}]}]}',
      'file.not-understood',
      'A process of study 2 is not valid JSON: ',
    ],
  ])('that cannot be read is refused whole: %s', async (text, code, message) => {
    await expect(intake.accept(text, {}, { account: 'broken' })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('with a sample that is no good JSON refuses that one, and gives it back as it came', async () => {
    const text = JSON.stringify(study(materials([{ name: 'good' }, { name: 'twice' }])), null, 1).replace(
      '"name": "twice"',
      '"name": "twice",\r\n "name": "again"',
    );
    const sent = await send(text);
    expect(sent.counts).toMatchObject({ created: 1, rejected: 1 });
    expect(await textOf(intake.results.result(sent))).toContain('"name": "twice",\r\n "name": "again"');
    expect(await textOf(intake.results.errors(sent))).toContain('twice');
  });

  it('whose text is long waits with the large files, however short it was packed', async () => {
    const samples = Array.from({ length: 1_500 }, (_, at) => ({ name: `s${at} ${'x'.repeat(700)}` }));
    // Of its own: the next test would process them.
    const waiting = await Intake.open();
    waiting.limits = { bytes: 500_000, rows: 200 };
    const text = (of: Object_[]) => JSON.stringify(study(materials(of)));
    const long = await waiting.accept(text(samples), {}, { account: 'long' });
    const short = await waiting.accept(text(samples.slice(0, 10)), {}, { account: 'long' });
    await waiting.close();
    expect(long.submission.options.readAs?.bytes).toBeGreaterThan(1_048_576);
    expect([long.submission.lane, short.submission.lane]).toEqual(['large', 'small']);
  });

  it('of too many studies, or with a process of too many members, is refused with what to do', async () => {
    const refused = (text: string) => readDeclared(inOnePiece(text), () => false);
    await expect(refused(`{"studies":[{"processSequence":[{"inputs":[${'{},'.repeat(50_000)}{}]}]}]}`)).rejects.toThrow(
      'A process of study 1 has 100003 members, elements, lists and objects in all, more than the 100000 that one may have.',
    );
    await expect(refused(`{"studies":[${'{"title":""},'.repeat(20_000)}{"title":""}]}`)).rejects.toThrow(
      'The document has more than 20000 studies. Divide it.',
    );
  });

  it('is read in time that grows with its length alone, whatever it repeats', { tags: 'slow' }, async () => {
    const none = () => false;
    const many = Array.from({ length: 60_000 }, (_, at) => ({ '@id': `p${at}`, name: `p${at}` }));
    const processes = [many.slice(0, 30_000), many.slice(30_000)].map((inputs) => ({
      inputs: inputs.map(({ '@id': id }) => ({ '@id': id })),
      outputs: [{ '@id': 's' }],
    }));
    const values = Array.from({ length: 9_000 }, (_, at) => ({ category: { '@id': '#c/1' }, value: at }));
    const sample = { '@id': 's', name: 's', characteristics: values };
    const text = JSON.stringify(study({ ...materials([sample], many), processSequence: processes }));
    let last = '';
    const ms = await processorMsOf(async () => {
      const declared = await readDeclared(inOnePiece(text), none);
      for await (const line of isaLines(inOnePiece(text), declared, none)) last = line.toString();
    });
    const { relationships, characteristics } = JSON.parse(last) as { relationships: []; characteristics: { 1: [] } };
    expect([relationships.length, characteristics[1].length]).toEqual([60_000, 9_000]);
    expect(ms).toBeLessThan(5_500);
  });

  it('lists of which no sample is read at once say so in its line: one that repeats a relationship in a comment too', async () => {
    const lists = `[${'[],'.repeat(20_000)}[]]`;
    const sent = await send(
      study(
        materials([
          { name: 'in a comment', comments: [{ name: 'relationships', value: lists }] },
          { name: 'in itself', factorValues: JSON.parse(lists) as unknown },
          { name: 'good' },
        ]),
      ),
    );
    expect(sent.counts).toMatchObject({ created: 1, rejected: 2 });
    const errors = await textOf(intake.results.errors(sent));
    expect(errors.includes('It has 40004 members, elements, lists and objects in all')).toBe(true);
    expect(errors.includes('"column":"/relationships/0"')).toBe(true);
  });

  it('names no more sources and samples, and declares no more, than memory is meant for', {
    tags: 'bounds',
  }, async () => {
    const none = () => false;
    const declared = new Declared(none);
    const part = (kind: 'sample' | 'category', text: Object_) => ({
      kind,
      key: '',
      study: 0,
      wrapped: false,
      text: JSON.stringify(text),
    });
    for (let at = 0; at < 100_000; at++) declared.add(part('sample', {}));
    expect(() => declared.add(part('sample', {}))).toThrow(
      'The document names more than 100000 sources and samples. Divide it, or upload its samples as a sheet or as JSON, a sample on each line.',
    );
    const long = new Declared(none);
    const name = 'x'.repeat(4_000_000);
    const declare = (id: number) => long.add(part('category', { '@id': String(id), characteristicType: name }));
    for (let at = 0; at < 7; at++) declare(at);
    expect(() => declare(8)).toThrow('are too long together. Divide it by study.');
    const empty = await readDeclared(inOnePiece('{"studies":[]}'), none);
    expect([empty.wrapped, empty.studies.size, empty.releaseOf(0)]).toEqual([false, 0, '']);
  });
});

describe('a comment', () => {
  const COMMENT = { name: 'accession', value: 'SAMR1' };
  const SAID = JSON.stringify(COMMENT);
  it.each([
    ['{}', `{"comments":[${SAID}]}`],
    ['{ }', `{"comments":[${SAID}] }`],
    ['{"name": "a"}', `{"comments":[${SAID}],"name": "a"}`],
    ['{"comments": [ ]}', `{"comments": [${SAID} ]}`],
    ['{"a":{"comments":[1]},"comments":[{"name":"n"}]}', `{"a":{"comments":[1]},"comments":[${SAID},{"name":"n"}]}`],
    [
      '{"a":"comments","b":["comments"],"comments":[],"c":[[]]}',
      `{"a":"comments","b":["comments"],"comments":[${SAID}],"c":[[]]}`,
    ],
    ['{"x":"\\"comments\\":[","comments":[7]}', `{"x":"\\"comments\\":[","comments":[${SAID},7]}`],
    ['{"comments":[1],"comments":[]}', `{"comments":[1],"comments":[${SAID}]}`],
    ['{"a":1,"comments":"text"}', `{"a":1,"comments":[${SAID}]}`],
  ])('is put into %s, all else as it was written', (text, wanted) => {
    expect(withComment(text, JSON.parse(text) as Object_, COMMENT)).toBe(wanted);
  });
});
