/**
 * Each format in which a sample leaves the registry, held to its own schema: JSON ones by ajv, XML ones by libxml2's
 * validator. The schemas in test/formats/schemas are written from the rules of the versions that the table names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SaxesParser } from 'saxes';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FormattedSample } from '../../src/formats/format.js';
import { formatNamed, SAMPLE_FORMATS, type SampleFormat } from '../../src/formats/formats.js';
import type { FormatId } from '../../src/formats/names.js';
import { ROOT } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { Random } from '../support/random.js';

const SAMPLES = PROOF ? 1_000 : 60;
const REGISTRY = 'https://registry.example/base';
const schemaText = (name: string): string => readFileSync(join(ROOT, 'test/formats/schemas', name), 'utf8');

interface XmlLint {
  validateXML(options: object): Promise<{ valid: boolean; errors: { message: string }[] }>;
}
/** libxml2's xmllint; not there, every test of XML fails. */
const VALIDATOR: string = 'xmllint-wasm';
let xmllint: XmlLint;
beforeAll(async () => {
  xmllint = (await import(VALIDATOR)) as XmlLint;
});

const NAUGHTY = [
  '<b>&"\'</b>',
  ']]>',
  'a\tb\nc\r',
  '\u0001\u0008\uFFFE',
  '"quoted"',
  'ä€😀',
  '{}[]',
  '-->',
  '%00',
  '  spaced  ',
];
const NAMES = [
  'organism',
  'tissue',
  'age',
  'disease',
  'collection date',
  'description',
  'title',
  'subject',
  '__proto__',
  'sample type',
];

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;

function generated(random: Random): FormattedSample {
  const text = () => (random.below(3) === 0 ? pick(random, NAUGHTY) : `value ${random.below(1000)}`);
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random.below(most + 1) }, make);
  const accession = `SAMR${1 + random.below(1_000_000)}`;
  const characteristics = Object.create(null) as FormattedSample['sample']['characteristics'];
  for (const name of some(8, () => (random.below(4) === 0 ? text() : pick(random, NAMES)))) {
    characteristics[name] = [
      ...some(2, text).map((value) => ({
        text: value,
        ...(random.below(2) ? { unit: text() } : {}),
        ...(random.below(2)
          ? { ontologyTerms: [pick(random, ['http://purl.obolibrary.org/obo/UBERON_0002107', 'EFO:0000311', text()])] }
          : {}),
      })),
      { ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] },
    ];
  }
  const time = new Date(Date.UTC(1990 + random.below(60), random.below(12), 1 + random.below(28))).toISOString();
  return {
    registry: REGISTRY,
    address: `${REGISTRY}/samples/${accession}`,
    sample: {
      name: text() || 'x',
      accession,
      submissionAccountId: text(),
      ...(random.below(2) ? { taxId: pick(random, [9606, 10090, 999_999_999_999_999]) } : {}),
      status: pick(random, ['PUBLIC', 'PRIVATE', 'SUPPRESSED'] as const),
      release: time,
      update: time,
      submitted: time,
      create: time,
      characteristics,
      submittedVia: 'FILE_UPLOADER',
      ...(random.below(2)
        ? {
            relationships: [
              { source: accession, type: pick(random, ['derived from', 'same as', text()]), target: 'SAMR2' },
            ],
          }
        : {}),
      ...(random.below(2)
        ? { externalReferences: [{ url: pick(random, ['https://a.example/?a=1&b=<2>', text()]), duo: [] }] }
        : {}),
      ...(random.below(2) ? { contact: [{ FirstName: text(), LastName: text() }, { 'E-mail': 'a@b.c' }] } : {}),
      ...(random.below(2) ? { organization: [{ Name: text() }] } : {}),
    },
  };
}

describe('every format in the table', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  addFormats.default(ajv);
  const samples = Array.from({ length: SAMPLES }, (_, seed) => generated(new Random(seed + 1)));

  it.each(
    SAMPLE_FORMATS.filter(({ mediaType }) => mediaType.endsWith('json')).map((format) => [format.id, format] as const),
  )('%s is valid by its schema for generated samples', (id, format) => {
    const validate = ajv.compile(JSON.parse(schemaText(`${id}.schema.json`)) as object);
    for (const sample of samples) {
      const printed = format.one(sample);
      expect(validate(JSON.parse(printed)), `${ajv.errorsText(validate.errors)}\n${printed}`).toBe(true);
    }
  });

  it.each(
    SAMPLE_FORMATS.filter(({ mediaType }) => mediaType === 'application/xml').map(
      (format) => [format.id, format] as const,
    ),
  )('%s is valid by its schema for generated samples', async (id, format) => {
    const xml = samples.map((sample, at) => ({ fileName: `${at}.xml`, contents: format.one(sample) }));
    const found = await xmllint.validateXML({ xml, schema: schemaText(`${id}.xsd`) });
    expect(found.errors.slice(0, 3)).toEqual([]);
    expect(found.valid).toBe(true);
  });

  it('is refused by its validator where a rule is broken', async () => {
    const [sample] = samples as [FormattedSample];
    for (const format of SAMPLE_FORMATS) {
      if (format.mediaType === 'application/xml') {
        const broken = format.one(sample).replace(/(<(?:SAMPLE|BioSample) )/, '$1wrong="1" ');
        const xml = [{ fileName: 'a.xml', contents: broken }];
        const found = await xmllint.validateXML({ xml, schema: schemaText(`${format.id}.xsd`) });
        expect(found.valid, format.id).toBe(false);
      } else {
        const validate =
          ajv.getSchema(`${format.id}`) ?? ajv.compile(JSON.parse(schemaText(`${format.id}.schema.json`)) as object);
        expect(validate({ ...(JSON.parse(format.one(sample)) as object), wrong: 1 }), format.id).toBe(false);
      }
    }
  });
});

describe('many samples in one document', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  addFormats.default(ajv);
  const samples = Array.from({ length: SAMPLES }, (_, seed) => generated(new Random(5_000 + seed)));
  const whole = (id: FormatId): string => {
    const { head, sample, tail } = (formatNamed(id) as SampleFormat).many(REGISTRY);
    return head + samples.map(sample).join('') + tail();
  };
  const compiled = (id: FormatId) => ajv.getSchema(id) ?? ajv.compile(JSON.parse(schemaText(`${id}.schema.json`)));

  it.each(['phenopacket', 'datacite'] as const)('%s is a valid document on each line', (id) => {
    const lines = whole(id).trimEnd().split('\n');
    expect(lines).toHaveLength(samples.length);
    for (const line of lines) expect(compiled(id)(JSON.parse(line)), line).toBe(true);
  });

  it('JSON-LD is one graph of what each sample is by itself', () => {
    const { '@context': context, '@graph': graph } = JSON.parse(whole('jsonld')) as Record<string, object[]>;
    expect(graph).toHaveLength(samples.length);
    for (const [at, node] of (graph ?? []).entries()) {
      const document = { '@context': context, ...node };
      expect(compiled('jsonld')(document)).toBe(true);
      expect(document).toEqual(JSON.parse((formatNamed('jsonld') as SampleFormat).one(samples[at] as FormattedSample)));
    }
  });

  it('ISA-JSON is one investigation in which everything referred to is declared', () => {
    const document = JSON.parse(whole('isa-json')) as Investigation;
    expect(compiled('isa-json')(document), ajv.errorsText(compiled('isa-json').errors)).toBe(true);
    const [study] = document.studies as [Study];
    expect(study.materials.samples).toHaveLength(samples.length);
    const declared = new Set(
      [...study.characteristicCategories, ...study.unitCategories, ...study.materials.sources].map((one) => one['@id']),
    );
    const ontologies = new Set(document.ontologySourceReferences.map(({ name }) => name).concat(''));
    for (const { characteristics, derivesFrom } of study.materials.samples) {
      for (const { category, value, unit } of characteristics) {
        expect(declared).toContain(category['@id']);
        if (unit) expect(declared).toContain(unit['@id']);
        expect(ontologies).toContain(value.termSource);
      }
      for (const source of derivesFrom) expect(declared).toContain(source['@id']);
    }
  });

  it('ISA-JSON says in place what is too much to declare, and is valid all the same', () => {
    const { head, sample, tail } = (formatNamed('isa-json') as SampleFormat).many(REGISTRY);
    const [first] = samples as [FormattedSample];
    const printed = Array.from({ length: 50 }, (_, at) => {
      const name = `${at} ${'n'.repeat(100_000)}`;
      return sample({
        ...first,
        sample: { ...first.sample, characteristics: { [name]: [{ text: 'x', unit: name }] } },
      });
    });
    const document = JSON.parse(head + printed.join('') + tail()) as Investigation;
    expect(compiled('isa-json')(document)).toBe(true);
    expect(document.studies[0]?.characteristicCategories).toHaveLength(39);
    expect(document.studies[0]?.unitCategories.length).toBeLessThan(45);
    const last = document.studies[0]?.materials.samples.at(-1)?.characteristics[0];
    expect(JSON.stringify(last?.category)).toContain('49 nnn');
    expect(JSON.stringify(last?.unit)).toContain('49 nnn');
  });

  it.each(['ena-xml', 'ncbi-xml'] as const)('%s is one valid document', async (id) => {
    const xml = [{ fileName: 'all.xml', contents: whole(id) }];
    const found = await xmllint.validateXML({ xml, schema: schemaText(`${id}.xsd`) });
    expect(found.errors.slice(0, 3)).toEqual([]);
    expect(whole(id).match(/<(?:BioSample|SAMPLE) /g)).toHaveLength(samples.length);
  });

  it('none at all are a document, too', async () => {
    for (const { id, many } of SAMPLE_FORMATS) {
      const { head, tail } = many(REGISTRY);
      const empty = head + tail();
      if (id.endsWith('-xml')) expect(empty).toMatch(/^<\?xml [^>]+>\n<(\w+)>\n<\/\1>\n$/);
      else if (empty !== '') expect(() => JSON.parse(empty), id).not.toThrow();
    }
  });
});

interface Study {
  materials: { samples: Material[]; sources: { '@id': string }[] };
  characteristicCategories: { '@id': string }[];
  unitCategories: { '@id': string }[];
}
interface Investigation {
  studies: Study[];
  ontologySourceReferences: { name: string }[];
}
interface Material {
  characteristics: { category: { '@id': string }; value: { termSource: string }; unit?: { '@id': string } }[];
  derivesFrom: { '@id': string }[];
}

describe('what a format says of a sample', () => {
  const sample: FormattedSample = {
    registry: REGISTRY,
    address: `${REGISTRY}/samples/SAMR7`,
    sample: {
      name: 'liver <1>',
      accession: 'SAMR7',
      submissionAccountId: 'lab-7',
      taxId: 9606,
      status: 'PUBLIC',
      release: '2024-05-01T00:00:00.000Z',
      update: '2024-05-02T00:00:00.000Z',
      submitted: '2024-04-30T00:00:00.000Z',
      create: '2024-04-30T00:00:00.000Z',
      submittedVia: 'JSON_API',
      characteristics: {
        organism: [{ text: 'Homo sapiens', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_9606'] }],
        tissue: [{ text: 'liver', ontologyTerms: ['http://purl.obolibrary.org/obo/UBERON_0002107'] }],
        age: [{ text: '37', unit: 'year' }],
      },
      relationships: [{ source: 'SAMR7', type: 'derived from', target: 'SAMR3' }],
      externalReferences: [{ url: 'https://a.example/1', duo: [] }],
    },
  };
  const printed = (id: string) => formatNamed(id)?.one(sample) ?? '';

  it('in JSON', () => {
    expect(JSON.parse(printed('jsonld'))).toMatchObject({
      '@type': 'BioSample',
      identifier: 'SAMR7',
      taxonomicRange: { identifier: 'NCBITaxon:9606', name: 'Homo sapiens' },
      isBasedOn: [{ '@id': `${REGISTRY}/samples/SAMR3` }],
    });
    expect(JSON.parse(printed('phenopacket'))).toEqual({
      id: 'SAMR7',
      derivedFromId: 'SAMR3',
      description: 'liver <1>; organism: Homo sapiens; tissue: liver; age: 37 year',
      sampledTissue: { id: 'UBERON:0002107', label: 'liver' },
      taxonomy: { id: 'NCBITaxon:9606', label: 'Homo sapiens' },
    });
    expect(JSON.parse(printed('datacite'))).toMatchObject({
      types: { resourceTypeGeneral: 'PhysicalObject' },
      creators: [{ name: 'lab-7' }],
      publicationYear: '2024',
      relatedIdentifiers: [{ relationType: 'IsDerivedFrom' }, { relationType: 'References' }],
    });
  });

  it.each(['derived_from', 'Derived From'])('of its origin, however that is spelled: %s', (type) => {
    const said = {
      ...sample,
      sample: { ...sample.sample, relationships: [{ source: 'SAMR7', type, target: 'SAMR3' }] },
    };
    for (const id of ['jsonld', 'phenopacket', 'datacite']) expect(formatNamed(id)?.one(said), id).toBe(printed(id));
    const { studies } = JSON.parse(formatNamed('isa-json')?.one(said) ?? '');
    expect(studies[0].materials.samples[0].derivesFrom).toEqual([{ '@id': '#source/SAMR3' }]);
  });

  it.each([
    (name: string) => name.replace(' ', '_'),
    (name: string) => name.replace(/ (.)/, (_, letter: string) => letter.toUpperCase()),
    (name: string) => ` ${name.toUpperCase()} `,
  ])('of its characteristics, however their names are spelled (%#)', (spelled) => {
    const characteristics = {
      'scientific name': [{ text: 'Mus musculus' }],
      'organism part': [{ text: 'spleen', ontologyTerms: ['http://purl.obolibrary.org/obo/UBERON_0002106'] }],
      'donor id': [{ text: 'D-7' }],
      'collection date': [{ text: '2024-02-03' }],
      'histological diagnosis': [{ text: 'lymphoma', ontologyTerms: ['http://purl.obolibrary.org/obo/MONDO_0005062'] }],
    };
    const named = (name: (name: string) => string) => ({
      ...sample,
      sample: {
        ...sample.sample,
        characteristics: Object.fromEntries(Object.entries(characteristics).map(([own, said]) => [name(own), said])),
      },
    });
    const documentOf = (id: string) => JSON.parse(formatNamed(id)?.one(named(spelled)) ?? '');
    expect(documentOf('phenopacket')).toMatchObject({
      individualId: 'D-7',
      taxonomy: { label: 'Mus musculus' },
      sampledTissue: { id: 'UBERON:0002106' },
      histologicalDiagnosis: { id: 'MONDO:0005062' },
    });
    expect(documentOf('datacite').dates).toContainEqual({ date: '2024-02-03', dateType: 'Collected' });
    expect(documentOf('jsonld').taxonomicRange).toMatchObject({ name: 'Mus musculus' });
  });

  it('of the name that says it best, and of the next where that says nothing', () => {
    const individual = (characteristics: FormattedSample['sample']['characteristics']) =>
      JSON.parse(formatNamed('phenopacket')?.one({ ...sample, sample: { ...sample.sample, characteristics } }) ?? '')
        .individualId;
    expect(individual({ donor: [{ text: 'D' }], subject: [{ text: 'S' }] })).toBe('S');
    expect(individual({ subject: [{ ontologyTerms: ['EFO:1'] }], donor: [{ text: 'D' }] })).toBe('D');
  });

  it.each(['ena-xml', 'ncbi-xml'])('in %s, read by another parser', (id) => {
    const texts: string[] = [];
    const attributes: string[] = [];
    const parser = new SaxesParser();
    parser.on('text', (text) => void texts.push(text));
    parser.on('opentag', (tag) => void attributes.push(...Object.values(tag.attributes).map(String)));
    parser.write(printed(id)).close();
    for (const said of ['liver <1>', 'Homo sapiens', '37', 'liver']) expect(texts).toContain(said);
    expect([...texts, ...attributes]).toEqual(expect.arrayContaining(['SAMR7', '9606', 'year', 'tissue', 'age']));
  });
});
