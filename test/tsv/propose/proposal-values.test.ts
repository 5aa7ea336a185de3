/** What the values of a foreign column say of it: words of a checklist, no value, examples, organisms. */
import { describe, expect, it } from 'vitest';
import { proposeColumn, proposeRows, taken, targetOf } from './propose-text.js';

/** What the column is taken for, and how sure that is. */

describe('words that a checklist allows', () => {
  const values = (header: string, ...texts: string[]): unknown => proposeColumn(header, texts).meaning;

  it('are read in any case, in whatever order they come', () => {
    expect(values('smoker', 'yes', 'Yes', 'YES', 'NO')).toEqual({
      as: 'characteristic',
      values: { Yes: 'yes', NO: 'no' },
    });
    expect(values('smoker', 'yes', 'no')).toEqual({ as: 'characteristic' });
  });

  it('of a sex are known in two languages, and without a checklist', () => {
    expect(values('Sex', 'M', 'f', 'w', 'Männlich', 'weiblich', 'FEMALE', 'male')).toEqual({
      as: 'characteristic',
      name: 'sex',
      values: { M: 'male', f: 'female', w: 'female', Männlich: 'male', weiblich: 'female', FEMALE: 'female' },
    });
    expect(values('host sex', 'M')).toEqual({ as: 'characteristic', values: { M: 'male' } });
    expect(values('unisex', 'M')).toEqual({ as: 'characteristic' });
    expect(values('sex ratio', 'M')).toEqual({ as: 'characteristic' });
    expect(values('Sex', 'constructor')).toEqual({ as: 'characteristic', name: 'sex' });
  });

  it('are not looked for among more than 50 different values', () => {
    const texts = Array.from({ length: 50 }, (_, at) => (at === 0 ? 'M' : `sex ${at}`));
    expect(values('Sex', ...texts)).toHaveProperty('values', { M: 'male' });
    expect(values('Sex', ...texts, 'f')).toEqual({ as: 'characteristic', name: 'sex' });
  });

  it('are all named where they are five', () => {
    expect(proposeColumn('smoker', ['q1', 'q2', 'q3', 'q4', 'q5']).why).toContain(
      'no word for q1, q2, q3, q4, q5; it has',
    );
  });

  it('are named, five and no more, where some texts are none', () => {
    const { why } = proposeColumn('smoker', ['on Sundays', 'x'.repeat(41), 'q1', 'q2', 'q3', 'q4']);
    expect(why).toBe(
      `The checklist human-associated has a field smoker. The checklist human-associated has no word for on Sundays, ${'x'.repeat(40)}, q1, q2, q3 …; it has yes, no.`,
    );
  });
});

describe('words for no value', () => {
  it.each([
    '-',
    '?',
    '.',
    'NA',
    'n/a',
    'NaN',
    'null',
    'none',
    'nd',
    'n.d.',
    'k.A.',
    'missing',
    'unknown',
    'not collected',
    'restricted access',
    ' Not Available ',
  ])('%s is none of the values', (word) => {
    expect(proposeColumn('frozen', [word, '2024-05-01'])).toMatchObject({ examples: ['2024-05-01'] });
    expect(proposeColumn('frozen', [word, '2024-05-01']).why).toBe('Its values are dates.');
  });

  it.each(['n', 'missing link', 'not so', 'banana', 'x-', '..'])('%s is a value', (text) => {
    expect(proposeColumn('frozen', [text]).examples).toEqual([text]);
  });
});

it('examples are the first three different values, cut where they are long', () => {
  expect(proposeColumn('text', ['b', 'a', 'b', 'c', 'd']).examples).toEqual(['b', 'a', 'c']);
  expect(proposeRows(['sample|text', 'a', 'b|x']).columns[1]?.examples).toEqual(['x']);
  expect(proposeColumn('text', ['x'.repeat(80), 'y'.repeat(81)]).examples).toEqual([
    'x'.repeat(80),
    `${'y'.repeat(79)}…`,
  ]);
});

describe('names of organisms', () => {
  it.each([
    'Homo sapiens',
    'Homo_sapiens',
    'Escherichia coli K-12',
    'Bacillus sp. 7',
    'soil metagenome',
    'Human',
    'mouse',
    'RAT',
    'Zika virus',
    'Influenza A Virus (H1N1)',
  ])('%s is one: high where the header agrees', (text) => {
    expect(taken('Species', text)).toBe('characteristic organism, high');
    expect(proposeColumn('Species', [text]).why).toBe(
      'The header speaks of the organism, and its values are names of organisms.',
    );
  });

  it.each([
    'frisches Gewebe',
    'Frisches Gewebe',
    'not so',
    'human liver',
    'the rat',
    'E coli',
    'virus',
    'Xanthium',
    'metagenome 3',
  ])('%s does not look like one', (text) => {
    expect(taken('Species', text)).toBe('characteristic organism, middle');
    // German for a kind of anything.
    expect(taken('Art', text)).toBe('characteristic organism, low');
    expect(proposeColumn('Species', [text]).why).toBe(
      'The header speaks of the organism; not all values look like its scientific name.',
    );
  });

  it('may be missing', () => {
    expect(taken('Species', '')).toBe('characteristic organism, middle');
    expect(proposeColumn('Species', ['']).why).toBe('The header speaks of the organism; the rows looked at are empty.');
  });

  it('in several columns leave open which is meant', () => {
    const { columns } = proposeRows(['sample|Organism|Species', 'a|Homo sapiens|Mus musculus']);
    expect(columns.slice(1).map((column) => [targetOf(column), column.confidence, column.why])).toEqual([
      ['characteristic organism', 'low', 'Several columns speak of the organism.'],
      ['characteristic Species', 'low', 'Several columns speak of the organism.'],
    ]);
    expect(proposeRows(['sample|Characteristics[Organism]|Species', 'a|x|y']).columns.map(targetOf)).toEqual([
      'name',
      'characteristic Organism',
      'characteristic Species',
    ]);
  });
});
