import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nearest } from '../../src/checklists/nearest.js';
import { openChecklists } from '../../src/checklists/open.js';
import type { Characteristic } from '../../src/registry/samples/sample.js';
import { ROOT } from '../support/output.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'checklists-'));
  folders.push(folder);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const sample = (characteristics: Record<string, Characteristic[] | string>) => ({
  name: 'S1',
  release: '2024-01-01T00:00:00.000Z',
  characteristics: Object.fromEntries(
    Object.entries(characteristics).map(([name, value]) => [
      name,
      typeof value === 'string' ? [{ text: value }] : value,
    ]),
  ),
});

const human = {
  organism: 'human gut metagenome',
  'host body site': 'gut',
  'collection date': '2024-11-21',
  'geographic location (country and/or sea)': 'Germany',
};

describe('the shipped checklists', () => {
  const rules = openChecklists();

  it('are minimal, plant, pathogen and human-associated, and all compile', async () => {
    expect(rules.list().map(({ id }) => id)).toEqual(['human-associated', 'minimal', 'pathogen', 'plant']);
    for (const { id } of rules.list()) expect(await rules.problemsOf(sample({}), id)).not.toEqual([]);
    for (const { title, description } of rules.list())
      expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
  });

  it('are schemas, as those of the folder are asked to be', () => {
    openChecklists(join(ROOT, 'src/checklists/shipped')).compileFolder();
  });

  it('minimal asks for an organism, in either spelling of the tables of the field, and nothing else', async () => {
    expect(await rules.problemsOf(sample({ organism: 'Homo sapiens' }), 'minimal')).toEqual([]);
    expect(await rules.problemsOf(sample({ Organism: 'Homo sapiens' }), 'minimal')).toEqual([]);
    const [problem, ...others] = await rules.problemsOf(sample({ age: '3' }), 'minimal');
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ dataPath: '/characteristics/organism', code: 'checklist.missing' });
    expect(problem?.message).toContain('organism or Organism is required by the checklist minimal');
  });

  it('every example that a checklist gives passes it', async () => {
    for (const { id } of rules.list()) {
      const filled = Object.fromEntries(
        rules.fields(id).map((field) => [
          field.name,
          [
            {
              text: field.example ?? field.allowedValues?.[0] ?? '',
              ...(field.unitRequired && { unit: field.allowedUnits?.[0] ?? '' }),
            },
          ],
        ]),
      );
      expect(await rules.problemsOf(sample(filled), id), id).toEqual([]);
    }
  });

  it('finds every problem of a sample at once, with allowed values and the nearest one', async () => {
    const problems = await rules.problemsOf(
      sample({
        organism: 'human gut metagenome',
        'host sex': 'femal',
        'host age': [{ text: '37 y', unit: 'year' }],
        'collection date': '21/11/2024',
        'geographic location (country and/or sea)': 'germany',
      }),
      'human-associated',
    );
    expect(problems.map(({ dataPath, code, suggestion }) => ({ dataPath, code, suggestion }))).toEqual(
      expect.arrayContaining([
        { dataPath: '/characteristics/host body site', code: 'checklist.missing', suggestion: undefined },
        { dataPath: '/characteristics/host sex/0/text', code: 'checklist.value', suggestion: 'female' },
        { dataPath: '/characteristics/host age/0/text', code: 'checklist.form', suggestion: '37' },
        { dataPath: '/characteristics/host age/0/unit', code: 'checklist.unit', suggestion: 'years' },
        { dataPath: '/characteristics/collection date/0/text', code: 'checklist.form', suggestion: '2024-11-21' },
        {
          dataPath: '/characteristics/geographic location (country and~1or sea)/0/text',
          code: 'checklist.value',
          suggestion: 'Germany',
        },
      ]),
    );
    expect(problems).toHaveLength(6);
    expect(problems.find(({ characteristic }) => characteristic === 'host sex')).toMatchObject({
      value: 'femal',
      message:
        '"femal" is not an allowed value of host sex: female, hermaphrodite, male, neuter, other, not applicable, not collected, not provided, restricted access.',
    });
  });

  it('a date that can be read in two ways gets no suggestion', async () => {
    const [problem] = await rules.problemsOf(sample({ ...human, 'collection date': '3/4/2024' }), 'human-associated');
    expect(problem).toMatchObject({ code: 'checklist.form', value: '3/4/2024' });
    expect(problem).not.toHaveProperty('suggestion');
  });

  it('a missing unit names those allowed', async () => {
    const [problem] = await rules.problemsOf(sample({ ...human, 'host height': '172' }), 'human-associated');
    expect(problem).toMatchObject({ code: 'checklist.unit', part: 'unit', allowedValues: ['cm', 'm', 'mm'] });
    expect(problem?.message).toContain('host height needs a unit: cm, m, mm');
    expect(problem).not.toHaveProperty('suggestion');
  });

  it('a missing unit is suggested where it stands behind the number', async () => {
    const suggested = async (characteristics: object, id: string) =>
      (await rules.problemsOf(sample({ ...human, ...characteristics }), id))
        .filter(({ code }) => code === 'checklist.unit')
        .map(({ suggestion }) => suggestion);
    expect(await suggested({ 'host height': '172cm' }, 'human-associated')).toEqual(['cm']);
    expect(await suggested({ 'host height': '1.72 M' }, 'human-associated')).toEqual(['m']);
  });

  it.each([
    ['Y', ['yes', 'no'], 'yes'],
    ['TRUE', ['yes', 'no', 'not collected'], 'yes'],
    ['0', ['true', 'false'], 'false'],
    ['f', ['female', 'male', 'other'], 'female'],
    ['F', ['female', 'false'], undefined],
    ['yes', ['present', 'absent'], undefined],
  ])('%s where one of %j is allowed: %s is meant', (value, allowed, meant) => {
    expect(nearest(value, allowed)).toBe(meant);
  });
});

describe('a folder of checklists', () => {
  const draft07 = (id: string, body: object) => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: id,
    ...body,
  });

  it('is read beside the shipped ones; a checklist is found by short id, $id and file name, without regard to case', () => {
    const folder = folderOf({
      'D99__lab.json': draft07('https://lab.example/schemas/lab-samples/2.1.0', { title: 'Lab', required: ['name'] }),
    });
    const rules = openChecklists(folder);
    expect(rules.list().find(({ id }) => id === 'lab-samples')).toMatchObject({
      version: '2.1.0',
      source: 'directory',
      title: 'Lab',
    });
    for (const name of ['lab-samples', 'LAB-SAMPLES', 'd99__lab', 'https://lab.example/schemas/lab-samples/2.1.0']) {
      expect(rules.get(name)).toMatchObject({ title: 'Lab' });
    }
  });

  it('replaces a shipped checklist of the same id', async () => {
    const rules = openChecklists(
      folderOf({ 'minimal.json': draft07('minimal', { title: 'Ours', required: ['name'] }) }),
    );
    expect(rules.list().filter(({ id }) => id === 'minimal')).toHaveLength(1);
    expect(await rules.problemsOf(sample({}), 'minimal')).toEqual([]);
  });

  it('a missing unit is suggested where one alone is allowed', async () => {
    const depth = { items: { required: ['text', 'unit'], properties: { unit: { enum: ['m'] } } } };
    const folder = folderOf({
      'a.json': draft07('dives', { properties: { characteristics: { properties: { depth } } } }),
    });
    const problems = await openChecklists(folder).problemsOf(sample({ depth: '3' }), 'dives');
    expect(problems).toMatchObject([{ code: 'checklist.unit', part: 'unit', suggestion: 'm' }]);
  });

  it('several versions: the highest has the short id', () => {
    const folder = folderOf({
      'a.json': draft07('https://x/y/lab/1.9.0', { title: 'old' }),
      'b.json': draft07('https://x/y/lab/1.10.0', { title: 'new' }),
    });
    const rules = openChecklists(folder);
    expect(rules.get('lab')).toMatchObject({ title: 'new' });
    expect(rules.get('lab-1.9.0')).toMatchObject({ title: 'old' });
  });

  it('checks $async schemas in the other member spelling, and answers only when the verdict is there', async () => {
    const folder = folderOf({
      'a.json': draft07('spelled', {
        $async: true,
        required: ['attributes'],
        properties: {
          attributes: {
            required: ['age', 'organism'],
            properties: {
              age: {
                items: {
                  $async: true,
                  required: ['units'],
                  properties: { value: { pattern: '^\\d+$' }, units: { enum: ['years', 'days'] } },
                },
              },
              organism: {
                items: {
                  required: ['value', 'terms'],
                  properties: { terms: { items: { required: ['url'], properties: { url: { format: 'uri' } } } } },
                },
              },
            },
          },
        },
      }),
    });
    const rules = openChecklists(folder);
    const good = sample({
      age: [{ text: '3', unit: 'years' }],
      organism: [{ text: 'Mus musculus', ontologyTerms: ['http://purl.obolibrary.org/obo/NCBITaxon_10090'] }],
    });
    expect(await rules.problemsOf(good, 'spelled')).toEqual([]);
    const bad = await rules.problemsOf(
      sample({ age: [{ text: 'x', unit: 'year' }], organism: [{ text: 'M', ontologyTerms: ['no uri'] }] }),
      'spelled',
    );
    expect(bad.map(({ dataPath }) => dataPath).sort()).toEqual([
      '/characteristics/age/0/text',
      '/characteristics/age/0/unit',
      '/characteristics/organism/0/ontologyTerms/0',
    ]);
    expect((await rules.problemsOf(sample({}), 'spelled')).map(({ dataPath }) => dataPath)).toEqual([
      '/characteristics/age',
      '/characteristics/organism',
    ]);
  });

  it('2020-12 schemas, references between files and rules across characteristics hold', async () => {
    const folder = folderOf({
      'base.json': {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://lab.example/base',
        $defs: { word: { type: 'string', pattern: '^[a-z]+$' } },
      },
      'uses.json': {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://lab.example/uses',
        properties: {
          characteristics: {
            properties: {
              kind: { prefixItems: [{ properties: { text: { $ref: 'https://lab.example/base#/$defs/word' } } }] },
            },
            dependentRequired: { kind: ['owner'] },
          },
        },
      },
    });
    const rules = openChecklists(folder);
    const problems = await rules.problemsOf(sample({ kind: 'ABC' }), 'uses');
    expect(problems.map(({ dataPath, suggestion }) => [dataPath, suggestion])).toEqual([
      ['/characteristics/kind/0/text', 'abc'],
      ['/characteristics/owner', undefined],
    ]);
    expect(problems[1]?.message).toContain('because kind is given');
  });

  it('characteristics called constructor and __proto__ are names like any other', async () => {
    const rules = openChecklists(
      folderOf({
        'p.json': draft07('proto', { properties: { characteristics: { required: ['constructor', '__proto__'] } } }),
      }),
    );
    expect(await rules.problemsOf(sample({}), 'proto')).toHaveLength(2);
    const both = JSON.parse('{"__proto__":[{"text":"a"}],"constructor":[{"text":"b"}]}');
    expect(await rules.problemsOf({ name: 'S', characteristics: both }, 'proto')).toEqual([]);
  });

  it('every file that is no usable checklist is named at the start', () => {
    expect(() => openChecklists(folderOf({ 'bad.json': '{', 'list.json': [] }))).toThrow(/bad\.json.*list\.json/s);
    expect(() => openChecklists(join(tmpdir(), 'no-such-folder-of-checklists'))).toThrow(/no folder/);
    expect(() =>
      openChecklists(folderOf({ 'ref.json': draft07('ref', { $ref: 'https://elsewhere/x' }) })).compileFolder(),
    ).toThrow(/ref\.json/);
    expect(() => openChecklists(folderOf({ 'p.json': draft07('p', { pattern: '(' }) })).compileFolder()).toThrow(
      /p\.json/,
    );
    expect(() => openChecklists(folderOf({ 'a.json': draft07('same', {}), 'b.json': draft07('same', {}) }))).toThrow(
      /a\.json and b\.json/,
    );
  });

  it('an unknown checklist is an error that names the known ones', async () => {
    const rules = openChecklists();
    await expect(rules.problemsOf(sample({}), 'nosuch')).rejects.toMatchObject({
      code: 'checklist.unknown',
      message: expect.stringContaining('human-associated, minimal, pathogen, plant'),
    });
  });
});

describe('which checklist holds', () => {
  const rules = openChecklists();
  it("is the sample's own, else the option, else the setting, else none", () => {
    const own = { checklist: [{ text: 'plant' }] };
    expect(rules.chosenFor(own, { option: 'minimal', fallback: 'pathogen' })).toBe('plant');
    expect(rules.chosenFor({}, { option: 'minimal', fallback: 'pathogen' })).toBe('minimal');
    expect(rules.chosenFor(undefined, { fallback: 'pathogen' })).toBe('pathogen');
    expect(rules.chosenFor({}, {})).toBeUndefined();
  });
});
