/** ISA-JSON in and out: what a document says of its sources and samples, and how accessions come back into it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type IsaContent, isaDocument } from '../../support/isa-document.js';
import { PROOF } from '../../support/proof.js';
import { Random } from '../../support/random.js';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('isa');
});
afterAll(() => service.stop());

interface Commented {
  name: string;
  comments?: { name: string; value: string }[];
}
interface Materials {
  sources: Commented[];
  samples: Commented[];
}
const send = (body: unknown, options: Record<string, string> = {}, by = token) =>
  service.upload(typeof body === 'string' ? body : JSON.stringify(body, null, 2), {
    token: by,
    raw: 'application/json',
    options,
  });
const status = async (id: string) =>
  (await service.get(`/submissions/${id}`, { token })).json<{ counts: Record<string, number>; status: string }>();
const counts = async (answer: Parameters<typeof submissionIdOf>[0]) => (await status(submissionIdOf(answer))).counts;
const receipt = async (id: string) => (await service.get(`/submissions/${id}/receipt`, { token })).json<Receipt>();
const materialsOf = (document: unknown): Materials => {
  const { investigation = document } = document as { investigation?: unknown };
  return (investigation as { studies: [{ materials: Materials }] }).studies[0].materials;
};
const accessionOf = ({ comments = [] }: Commented) =>
  comments.find(({ name }) => name === 'accession')?.value as string;
const read = async (accession: string) =>
  (await service.get(`/samples/${accession}`, { token })).json<
    Record<string, unknown> & { characteristics: unknown }
  >();

interface Receipt {
  targetRepository: string;
  accessions?: { path: Step[]; value: string }[];
  errors?: { path: Step[]; message: string }[];
}
interface Step {
  key: string;
  where?: { key: string; value: string };
}
/** As a broker finds the place that a receipt speaks of. */
const follow = (document: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>((at, { key, where }) => {
    const value = (at as Record<string, unknown>)[key];
    if (!where) return Array.isArray(value) ? value[0] : value;
    const found = (value as Record<string, unknown>[]).filter((one) => one[where.key] === where.value);
    expect(found).toHaveLength(1);
    return found[0];
  }, document);

let tag = 0;
const plants = (more: Partial<IsaContent> = {}) => {
  tag += 1;
  return isaDocument({
    sources: [
      {
        name: `plant ${tag}`,
        values: [
          { name: 'organism', text: 'Arabidopsis thaliana', term: 'http://purl.obolibrary.org/obo/NCBITaxon_3702' },
          { name: 'age', text: '5', unit: 'week' },
        ],
      },
    ],
    samples: [
      {
        name: `leaf ${tag}`,
        from: [`plant ${tag}`],
        values: [
          { name: 'tissue', text: 'leaf' },
          { name: 'note', text: '' },
        ],
      },
      { name: `root ${tag}`, from: [`plant ${tag}`], values: [{ name: 'tissue', text: 'root' }] },
    ],
    ...more,
  });
};

describe('an ISA-JSON document', () => {
  it.each([true, false])(
    'is registered, and comes back as it was with accessions as comments (wrapped: %s)',
    async (wrapped) => {
      const document = plants({ wrapped });
      const text = JSON.stringify(document, null, 2).replace('"size": 1.5', '"size": 1.50');
      const answer = await send(text);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.headers.get('content-type')).toBe('application/json;charset=UTF-8');
      const { sources, samples } = materialsOf(JSON.parse(answer.text));
      for (const one of [...sources, ...samples]) expect(accessionOf(one), one.name).toMatch(/^SAMR\d+$/);
      const without = answer.text.replace(/"comments":\[\{"name":"accession","value":"SAMR\d+"\}\],/g, '');
      expect(without).toBe(text);
      const [plant, leaf] = [sources[0] as Commented, samples[0] as Commented];
      expect(await read(accessionOf(plant))).toMatchObject({
        taxId: 3702,
        release: '2020-01-01T00:00:00.000Z',
        characteristics: {
          organism: [
            { text: 'Arabidopsis thaliana', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_3702'] },
          ],
          age: [{ text: '5', unit: 'week', unitOntologyTerms: ['http://u.org/UO_0'] }],
        },
      });
      const shown = await read(accessionOf(leaf));
      expect(shown).toMatchObject({ relationships: [{ type: 'derived from', target: accessionOf(plant) }] });
      expect(Object.keys(shown.characteristics as object)).toEqual(['tissue']);
    },
  );

  it('changes nothing when its result is sent again, and is the same upload when it comes again', async () => {
    const document = plants();
    const first = await send(document);
    expect(submissionIdOf(await send(document))).toBe(submissionIdOf(first));
    const again = await send(first.text);
    expect(await counts(again)).toMatchObject({ rows: 3, unchanged: 3, created: 0, rejected: 0 });
    expect(again.text).toBe(first.text);
  });

  it('has a receipt whose paths lead a broker to what was registered and to what was not', async () => {
    const document = plants();
    const answer = await send(document);
    const { accessions = [], errors, targetRepository } = await receipt(submissionIdOf(answer));
    expect([targetRepository, errors, accessions.length]).toEqual([new URL(service.url).host, undefined, 3]);
    for (const { path, value } of accessions)
      expect(follow(JSON.parse(answer.text), path)).toMatchObject({ comments: [{ value }] });

    const bad = plants({ publicReleaseDate: 'soon' });
    Object.assign(materialsOf(bad).samples[1] as object, {
      comments: [{ name: 'Release Date', value: '2021-05-01' }],
      derivesFrom: [],
    });
    const partly = await receipt(submissionIdOf(await send(bad)));
    expect(partly.accessions).toHaveLength(1);
    expect(partly.errors?.map(({ path }) => (follow(bad, path) as Commented).name)).toEqual(
      expect.arrayContaining([materialsOf(bad).sources[0]?.name, materialsOf(bad).samples[0]?.name]),
    );
    expect(partly.errors?.[0]?.message).toContain('/release');

    const none = await receipt(submissionIdOf(await send(plants({ publicReleaseDate: 'soon' }))));
    expect([none.accessions, (none.errors ?? []).length > 0]).toEqual([undefined, true]);
    const sheet = await service.upload('Sample Name\tRelease Date\nn\t2020-01-01\n', { token });
    expect((await service.get(`/submissions/${submissionIdOf(sheet)}/receipt`, { token })).status).toBe(406);
  });

  it('derives a sample from what its process took, where it does not say so itself', async () => {
    const document = plants();
    const { samples, sources } = materialsOf(document);
    for (const sample of samples) delete (sample as { derivesFrom?: unknown }).derivesFrom;
    const id = (one: unknown) => ({ '@id': (one as { '@id': string })['@id'] });
    const study = (document as { investigation: { studies: object[] } }).investigation.studies[0] as object;
    Object.assign(study, {
      processSequence: [{ inputs: sources.map(id), outputs: [...samples.map(id), { '@id': '#data/1' }] }],
    });
    const answer = materialsOf(JSON.parse((await send(document)).text));
    for (const sample of answer.samples) {
      expect((await read(accessionOf(sample))).relationships).toMatchObject([
        { type: 'derived from', target: accessionOf(answer.sources[0] as Commented) },
      ]);
    }
  });

  it('takes accessions of ours as a broker writes them, and keeps those of others as what they are', async () => {
    const made = JSON.parse((await send(plants())).text) as object;
    const accession = accessionOf(materialsOf(made).samples[0] as Commented);
    const next = plants();
    const [leaf, root] = materialsOf(next).samples as [Commented, Commented];
    const category = { '@id': '#characteristic_category/accession' };
    const said = (value: string) => ({ category, value: { annotationValue: value } });
    Object.assign(leaf, { characteristics: [said(accession)], derivesFrom: [] });
    Object.assign(root, { characteristics: [said('SAMEA112')], derivesFrom: [] });
    const answer = await send(next);
    expect(await counts(answer)).toMatchObject({ created: 2, updated: 1, rejected: 0 });
    expect(await read(accession)).toMatchObject({ name: leaf.name, characteristics: {} });
    const other = materialsOf(JSON.parse(answer.text)).samples[1] as Commented;
    expect((await read(accessionOf(other))).characteristics).toEqual({ accession: [{ text: 'SAMEA112' }] });
  });

  it('obeys the options of an upload', async () => {
    const dry = await send(plants(), { dryRun: 'true' });
    expect(dry.text).not.toContain('SAMR');
    expect(await counts(dry)).toMatchObject({ rows: 3, created: 3 });
    const commit = await service.send('POST', `/submissions/${submissionIdOf(dry)}/commit`, {}, { token });
    expect(commit.json<{ counts: object }>().counts).toMatchObject({ created: 3 });
    const document = plants();
    Object.assign(materialsOf(document).samples[1] as object, { name: materialsOf(document).samples[0]?.name });
    const atomic = await send(document, { mode: 'atomic' });
    expect(await counts(atomic)).toMatchObject({ created: 0, rejected: 3 });
    const partial = await send(document, { duplicate: 'allow' });
    expect(await counts(partial)).toMatchObject({ created: 2, rejected: 1 });
    const errors = await service.get(`/submissions/${submissionIdOf(partial)}/errors`, { token });
    expect(errors.headers.get('content-type')).toBe('application/x-ndjson');
    expect(errors.text).toContain('name.repeated');
    const undated = await send(plants({ publicReleaseDate: '' }), { releaseDate: '2022-02-02' });
    expect(await read(accessionOf(materialsOf(JSON.parse(undated.text)).sources[0] as Commented))).toMatchObject({
      release: '2022-02-02T00:00:00.000Z',
    });
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, -20), 422, 'cut off'],
    ['broken', (text: string) => text.replace('"assays": [', '"assays": ]'), 422, 'stands where it cannot'],
    [
      'a list in place of a sample',
      (text: string) => text.replace(/"samples": \[/, '"samples": [[], '),
      422,
      'no object',
    ],
    [
      'without samples',
      () => JSON.stringify({ studies: [{ materials: { samples: [] } }] }),
      422,
      'no source and no sample',
    ],
  ])('that is %s is refused whole', async (_, change, code, message) => {
    const before = (await service.get('/samples?size=1&page=0&filter=account:isa', { token })).json<{
      page: { totalElements: number };
    }>();
    const answer = await send(change(JSON.stringify(plants(), null, 2)));
    expect([answer.status, answer.text]).toEqual([code, expect.stringContaining(message)]);
    const after = (await service.get('/samples?size=1&page=0&filter=account:isa', { token })).json<{
      page: { totalElements: number };
    }>();
    expect(after.page.totalElements).toBe(before.page.totalElements);
  });

  it('refers to samples of other registries by their accessions, and registers none of them', async () => {
    tag += 1;
    const far = { name: 'SAMEA95', comments: [{ name: 'accession', value: 'SAMEA95' }] };
    const document = isaDocument({ sources: [far], samples: [{ name: `far ${tag}`, from: ['SAMEA95'] }] });
    const answer = await send(document);
    expect(await counts(answer), answer.text).toMatchObject({ rows: 1, created: 1 });
    const back = materialsOf(JSON.parse(answer.text));
    expect(back.sources[0]?.comments).toEqual(far.comments);
    expect(await read(accessionOf(back.samples[0] as Commented))).toMatchObject({
      relationships: [{ type: 'derived from', target: 'SAMEA95' }],
    });
  });

  it('may say in a comment of its name what the words of a sheet cannot, and what is wrong with that is reported', async () => {
    tag += 1;
    const [reference, odd] = ['[{"url":"x","duo":["DUO:1"]}]', '[{"duo":["DUO:1"]}]'].map((value, at) => ({
      name: `said ${tag} ${at}`,
      comments: [
        { name: 'external DB REF', value: 'y' },
        { name: 'externalReferences', value },
        { name: 'contact', value: 'see the paper' },
        { name: 'publications', value: '[see the paper' },
      ],
    }));
    const answer = await send(isaDocument({ sources: [], samples: [reference, odd] as IsaContent['samples'] }));
    expect(await counts(answer), answer.text).toMatchObject({ created: 1, rejected: 1 });
    const { samples } = materialsOf(JSON.parse(answer.text));
    const shown = await read(accessionOf(samples[0] as Commented));
    expect(shown).toMatchObject({
      externalReferences: [
        { url: 'y', duo: [] },
        { url: 'x', duo: ['DUO:1'] },
      ],
    });
    expect([shown.contact, shown.publications]).toEqual([undefined, undefined]);
    const { errors } = await receipt(submissionIdOf(answer));
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('/externalReferences/1/url') }),
    ]);
  });

  it('with a sample that is no good JSON rejects that one, and gives the others back', async () => {
    const text = JSON.stringify(plants(), null, 2).replace('"name": "leaf', '"name": "twice",\n "name": "leaf');
    const answer = await send(text);
    expect(await counts(answer)).toMatchObject({ created: 2, rejected: 1 });
    const { errors } = await receipt(submissionIdOf(answer));
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('given twice') })]);
  });
});

describe('ISA-JSON out and in', () => {
  const TEXTS = ['liver', ' <b>&"', 'ä😀', '-5', '0012', 'null', '{}', '__proto__'];
  const TERMS = ['http://purl.obolibrary.org/obo/UBERON_0002107', 'EFO:0000311', 'no address', '9606'];
  const filled = (random: Random) => random.pick(TEXTS).trim() || 'x';

  function generated(random: Random, at: number): Record<string, unknown> {
    const characteristics: [string, object[]][] = Array.from({ length: random.below(5) }, (_, n) => [
      `${random.pick(['organism', 'age', '__proto__', 'a/b c', 'ü'])}${n || ''}`,
      Array.from({ length: 1 + random.below(2) }, () => ({
        ...(random.below(4) ? { text: filled(random) } : {}),
        ontologyTerms: Array.from({ length: random.below(3) }, () => random.pick(TERMS)),
        ...(random.below(2)
          ? { unit: filled(random), unitOntologyTerms: random.below(2) ? [random.pick(TERMS)] : [] }
          : {}),
      })),
    ]);
    const records = (most: number) =>
      Array.from({ length: random.below(most + 1) }, () => {
        const record = { Name: filled(random), 'E-mail': 'a@b.c', 'a: b]': 'z' };
        return Object.fromEntries(Object.entries(record).slice(random.below(3)));
      });
    return {
      name: `g${at} ${filled(random)}`,
      release: `20${10 + random.below(10)}-0${1 + random.below(9)}-11T0${random.below(9)}:00:00Z`,
      ...(random.below(2) ? { domain: 'self.x' } : {}),
      ...(random.below(3) === 0 ? { taxId: 10_000 + random.below(9) } : {}),
      characteristics: Object.fromEntries(characteristics),
      relationships:
        at === 0
          ? []
          : Array.from({ length: random.below(3) }, () => ({
              type: random.pick(['derived from', 'same as', 'child: of']),
              ...(random.below(4) === 0 ? { source: 'SAMEA90' } : {}),
              target: random.below(4) === 0 ? 'SAMEA91' : `g${random.below(at)}`,
            })),
      externalReferences: Array.from({ length: random.below(3) }, () => ({
        url: 'https://a.example/?a=<1>&b',
        ...(random.below(3) === 0 ? { duo: ['DUO:0000042', 'DUO:0000011'] } : {}),
      })),
      contact: records(2),
      organization: records(1),
      publications: random.below(2) ? [{ doi: '10.1/x' }, { doi: '10.1/y', pubmed_id: '7' }] : [],
    };
  }

  /** Those that are related name each other, where one alone has the other's number only. */
  function generatedSamples(random: Random, count: number): Record<string, unknown>[] {
    const items = Array.from({ length: count }, (_, at) => generated(random, at));
    const names = items.map(({ name }) => name as string);
    for (const one of items.flatMap(({ relationships }) => relationships as { target: string }[])) {
      if (one.target.startsWith('g')) one.target = names[Number(one.target.slice(1))] as string;
    }
    return items;
  }

  const curate = (accession: string) => {
    const attributesPost = [{ type: 'curated', value: 'by another' }];
    const relationshipsPost = [{ source: 'SAMEA92', type: 'derived from', target: accession }];
    const curation = { attributesPost, relationshipsPost, externalReferencesPost: [{ url: 'x', duo: ['DUO:1'] }] };
    return service.send('POST', `/samples/${accession}/curationlinks`, { curation });
  };

  it('changes no sample that comes back', async () => {
    for (let round = 0; round < (PROOF ? 20 : 3); round++) {
      const owner = `roundtrip-${round}`;
      const by = await service.token(owner);
      const random = new Random(77 + round);
      const items = generatedSamples(random, PROOF ? 100 : 40);
      const made = await service.uploadAndSettle(items.map((item) => JSON.stringify(item)).join('\n'), {
        token: by,
        raw: 'application/x-ndjson',
      });
      expect(made.status.counts).toMatchObject({ created: items.length, rejected: 0 });
      const { sampleNameAccessionPairs } = await service.mapping(made.id, by);
      for (const { sampleAccession } of sampleNameAccessionPairs.slice(0, 5)) await curate(sampleAccession);
      const out = await service.get(`/samples/export?filter=account:${owner}&format=isa-json`, { token: by });
      // A date for new samples registers none of those that the document only refers to.
      const options = { releaseDate: '2020-01-01' };
      const back = await service.uploadAndSettle(out.text, { token: by, raw: 'application/json', options });
      expect(back.status.counts, `round ${round}`).toEqual({
        rows: items.length,
        created: 0,
        updated: 0,
        unchanged: items.length,
        rejected: 0,
      });
    }
  });
});
