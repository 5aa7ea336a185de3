/** Forms mark which columns must be filled: `Sample Name*`, `*Organism`, `Tissue (optional)`. The mark is no part of the name. */
import { describe, expect, it } from 'vitest';
import { unmarkedHeaders } from '../../../src/tsv/header/header-name.js';
import { planOf, readSheet, table } from '../read-sheet.js';
import { numbered, resultOf } from '../result-of.js';

const header = { unknownColumns: 'characteristics' } as const;
const ROW = ['S1', '2024-05-01', 'Homo sapiens', '34', 'liver'];
const PLAIN = ['Sample Name', 'Release Date', 'Organism', 'Age (years)', 'Characteristics[Tissue]'];
const read = (names: string[]) => readSheet(table(names, ROW), { ...numbered, header });

const MARKS: Record<string, (name: string) => string> = {
  'a star behind': (name) => `${name}*`,
  'a star in front': (name) => `* ${name}`,
  'two stars': (name) => `${name} **`,
  'a full-width star': (name) => `${name}＊`,
  'a word in brackets': (name) => `${name} (Required)`,
  'a star and a word': (name) => `*${name} (mandatory)`,
  'a word of another language': (name) => `${name} (Pflichtfeld)`,
};

describe.each(Object.entries(MARKS))('columns marked by %s', (_, marked) => {
  it('are read as those without, whichever of them are marked beside one of ours', async () => {
    const { samples: plain } = await read(PLAIN);
    for (const some of [
      [0, 1, 2, 3, 4],
      [0, 2],
      [1, 3],
      [4, 3],
    ]) {
      const { samples, rejected, plan } = await read(
        PLAIN.map((name, at) => (some.includes(at) ? marked(name) : name)),
      );
      expect([rejected, samples[0]?.content, plan.notStored], some.join()).toEqual([[], plain[0]?.content, []]);
      expect([samples[0]?.name, samples[0]?.release]).toEqual([plain[0]?.name, plain[0]?.release]);
    }
  });

  it('come back as they were written, and as no others', async () => {
    const result = await resultOf(table(PLAIN.map(marked), ROW), { ...numbered, header });
    expect(result.split(/\r?\n/)[0]).toBe([...PLAIN.map(marked), 'Sample Identifier'].join('\t'));
  });

  it('are so too where one of them was said to name the samples', () => {
    const names = ['Specimen', 'Organism', 'Site'].map(marked);
    const options = { ...header, releaseDate: 0, nameColumn: marked('Specimen') };
    expect(characteristicsOf(planOf(table(names, ['S1', 'Mus musculus', 'lab']), options))).toEqual([
      'Organism',
      'Site',
    ]);
  });
});

describe('a star is part of the header', () => {
  it.each([
    ['where none of ours has one', ['Sample Name', 'HLA-A*', 'HLA-A'], ['HLA-A*', 'HLA-A']],
    ['where it tells its column from another', ['Sample Name*', 'HLA-A*', 'HLA-A'], ['HLA-A*', 'HLA-A']],
    ['where the column would not be stored without', ['Sample Name*', 'Date*', 'Organism*'], ['Date*', 'Organism']],
    ['where it is all that there is', ['Sample Name*', '***', 'Organism*'], ['***', 'Organism']],
  ])('%s', (_, names, stored) => {
    const plan = planOf(table(names, ['S1', 'a', 'b']), { ...header, releaseDate: 0 });
    expect(characteristicsOf(plan)).toEqual(stored);
  });

  it('where Release Date stands beside it, as in a result of before', () => {
    const names = ['*sample_name', '*organism', '*Release Date', 'Release Date', 'Sample Identifier'];
    const plan = planOf(table(names, ['S1', 'Mus musculus', '2024', '2024-01-01', '']), header);
    expect([plan.releaseColumn, characteristicsOf(plan)]).toEqual([3, ['organism', 'Release Date']]);
    const marked = planOf(table(['*sample_name', '*Release Date'], ['S1', '2024-01-01']), header);
    expect([marked.profile?.name, marked.releaseColumn]).toEqual(['ncbi', 1]);
  });
});

it.each(['Sample ID*', '* Sample ID', 'Sample_ID (Required)'])('%s names samples, unless a Sample Name does', (id) => {
  const row = ['S1', 'Mus musculus', 'N1'];
  const plan = planOf(table([id, 'Organism*', 'Site'], row), { ...header, releaseDate: 0 });
  expect([plan.profile?.name, plan.nameColumn]).toEqual(['by-sample-id', 0]);
  for (const name of ['Sample Name', 'Sample Name*', 'sample_name (required)']) {
    const ours = planOf(table([id, 'Organism', name], row), { ...header, releaseDate: 0 });
    expect([ours.profile, ours.nameColumn]).toEqual([undefined, 2]);
  }
});

it('words in brackets are marks of forms alone, and names may hold them', () => {
  const isNames = (column: number) => column === 0;
  const names = ['Id (required)', 'Diet (high fat)', 'Characteristics[optional]', '(optional)', 'Stain (optional) '];
  expect(unmarkedHeaders(names, isNames)).toEqual([
    'Id',
    'Diet (high fat)',
    'Characteristics[optional]',
    '(optional)',
    'Stain',
  ]);
});

const characteristicsOf = ({ layout }: ReturnType<typeof planOf>): string[] =>
  layout.characteristics.map(({ name }) => name);
