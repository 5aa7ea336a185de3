/** Which column of a foreign sheet names its samples. */
import { describe, expect, it } from 'vitest';
import { proposeRows } from './propose-text.js';

/** Headers of the columns that name the samples, with how sure that is. */
const named = (...rows: string[]): string[] =>
  proposeRows(rows).columns.flatMap(({ header, meaning, confidence }) =>
    meaning?.as === 'name' ? [`${header}, ${confidence}`] : [],
  );
const why = (...rows: string[]): string | undefined =>
  proposeRows(rows).columns.find(({ meaning }) => meaning?.as === 'name')?.why;

describe('the header Sample Identifier', () => {
  it('of accessions, as a result has it, names no samples', () => {
    expect(named('tube|organ|Sample Identifier', 't1|liver|SAMR2', 't2|liver|SAMR3')).toEqual(['tube, low']);
    expect(named('tube|organ|Sample Identifier', 't1|liver|', 't2|liver|')).toEqual(['tube, low']);
  });

  it('and any other of accessions of this registry names none, either', () => {
    expect(named('specimen|organ', 'SAMR2|liver', 'SAMR3|liver')).toEqual([]);
    expect(named('specimen|tube|organ', 'SAMR2|t1|liver', 'SAMR3|t2|liver')).toEqual(['tube, low']);
  });

  it("of somebody else's names does", () => {
    expect(named('Sample Identifier|organ', 'SAMR2|liver', 'X-2|liver')).toEqual(['Sample Identifier, high']);
    expect(named('Sample Identifier|organ', 'X-1|liver', 'X-2|liver')).toEqual(['Sample Identifier, high']);
  });
});

describe('a form whose rows are numbered before they are filled in', () => {
  it('names its samples by the column that those filled in have', () => {
    const form = ['Lfd. Nr.|Probe|Gewebe', '1|a|Leber', '2|b|Haut'];
    expect(named(...form, '3||', '4||', '5||')).toEqual(['Probe, high']);
  });
});

it('a header that speaks of samples within a word comes before others, and one of who or what takes them does not', () => {
  const first = (header: string) => named(`${header}|uuid|organ`, 'x y|0f-1|liver', 'z w|0f-2|liver')[0];
  expect([first('labsampleid'), first('core samples')]).toEqual(['labsampleid, middle', 'core samples, middle']);
  expect([first('sampler'), first('sampled by')]).toEqual(['uuid, low', 'uuid, low']);
});

describe('a number of an inventory that is there twice', () => {
  it.each(['Inv.-Nr.', 'Inventarnummer', 'Catalogue No.', 'accession number', 'Kat.-Nr.'])(
    'comes before a column that is different by chance: %s',
    (header) => {
      const rows = ['A 1|sherd|Cologne|1921', 'A 2|bone|Bonn|1922', 'A 2|tooth|Trier|1923', 'A 4|pin|Mainz|1924'];
      expect(named(`${header}|Object|Place|Year`, ...rows)).toEqual([`${header}, low`]);
    },
  );

  it('comes behind one that names samples, and is none where most are the same', () => {
    expect(named('Inv.-Nr.|Label', 'A 1|a', 'A 2|b', 'A 2|c')).toEqual(['Label, middle']);
    const parts = named('Inv.-Nr.|Part|Place', 'A 1|1|Bonn', 'A 2|1|Bonn', 'A 2|2|Trier');
    expect(parts).toEqual(['Inv.-Nr., low', 'Part, low']);
    expect(named('Inv.-Nr.|Object', 'A 1|pin', 'A 1|bone', 'A 1|tooth', 'A 2|sherd')).toEqual(['Object, low']);
  });
});

describe('what has names of its own, and is no sample', () => {
  it.each([
    'common_name',
    'vernacularName',
    'institutionID',
    'Site name',
    'filename',
    'File name 2',
    'file_name_F',
    'locality_id',
    'Locality Name',
    'eventID',
    'scientificNameID',
    'sampleSizeUnit',
    'sampler_name',
  ])('comes last: %s', (header) => {
    expect(named(`${header}|uuid|organ`, 'x y|0f-1|liver', 'z w|0f-2|liver')).toEqual(['uuid, low']);
    expect(named(`${header}|organ`, 'x y|liver', 'z w|liver')).toEqual([`${header}, low`]);
  });

  it.each(['cell_line_name', 'Animal name', 'name', 'Accession number'])('%s does not', (header) => {
    expect(named(`organ|${header}|site`, 'liver|x y|a', 'lung|z w|b')[0]).toMatch(`${header}, `);
  });
});

describe('a column whose header says that it names samples', () => {
  it.each([
    ['a word for samples', 'specimen', 'high'],
    ['in French', "nom de l'échantillon", 'high'],
    ['the laboratory', 'Lab ID', 'high'],
    ['with a dot', 'Proben-Nr.', 'high'],
    ['in one word', 'labelOfSample', 'high'],
  ])('by %s', (_, header, confidence) => {
    expect(named(`box|${header}`, 'b1|x', 'b2|y')).toEqual([`${header}, ${confidence}`]);
  });

  it('is one of several: the first that has a value in each row, and none twice', () => {
    const rows = ['sample|specimen|probe|organ', 'a|1x|p|liver', 'a|2x|q|liver'];
    expect(named(...rows)).toEqual(['specimen, middle']);
    expect(why(...rows)).toBe('The header says that it names samples; so does that of 2 other columns.');
    expect(why('sample|specimen', 'a|x', 'b|x')).toBe(
      'The header says that it names samples; so does that of another column.',
    );
    expect(why('sample|organ', 'a|x', 'b|x')).toBe(
      'The header says that it names samples; each row has a value, none twice.',
    );
  });

  it('is proposed although names repeat, where nothing else could name the rows', () => {
    const rows = ['sample|organ', 'a|liver', 'a|liver'];
    expect(named(...rows)).toEqual(['sample, low']);
    expect(why(...rows)).toBe(
      'The header says that it names samples, but a row is without a value or has that of another row.',
    );
    expect(named('sample|organ|barcode', 'a|liver|x1', 'a|liver|x2')).toEqual(['barcode, low']);
    expect(named('sample|organ')).toEqual(['sample, low']);
    expect(why('Sample Name|sample', 'a|x')).toBe('This is the header for names of samples.');
  });
});

describe('where no column has a value in each row and none twice, one whose header speaks of names', () => {
  const rows = (values: readonly string[]): string[] => values.map((value) => `cod|${value}|9`);

  it.each([
    ['one twice', 'gc_sample_id', ['g1', 'g2', 'g2', 'g3']],
    ['one missing', 'labsampleid', ['L1', 'NULL', 'L3']],
    ['many missing, as of the rows of other forms', 'tube_barcode', ['', 'B1', '', 'B2', '']],
    ['each several times, as of the files of a sample', 'core sample id', ['c1', 'c1', 'c1', 'c2', 'c2', 'c2']],
    ['numbers', 'bird_sample_no', ['12', '17', '17']],
  ])('is proposed, with what is wrong: %s', (_, header, values) => {
    const sheet = [`species|${header}|mass`, ...rows(values)];
    expect(named(...sheet)).toEqual([`${header}, low`]);
    expect(why(...sheet)).toBe(
      'The header says that it names something, but a row is without a value or has that of another row.',
    );
  });

  it.each([
    ['the same in all rows', 'gc_sample_id', ['g1', 'g1']],
    ['groups of rows', 'strain', ['wild', 'wild', 'ko', 'ko']],
    ['groups of samples', 'sample class', ['soil', 'soil', 'air', 'air']],
    ['names of something else', 'eventID', ['e1', 'e1', 'e2']],
    ['nothing that names', 'jar', ['j1', 'j1', 'j2']],
    ['nothing at all', 'gc_sample_id', ['', '']],
    ['accessions of this registry', 'old_sample_id', ['SAMR1', 'SAMR2', 'SAMR2']],
  ])('is not where it has %s', (_, header, values) => {
    expect(named(`species|${header}|mass`, ...rows(values))).toEqual([]);
  });

  it('speaks of samples rather than of anything else', () => {
    expect(named('alias|gc_sample_id|mass', 'a|g1|9', 'b|g2|9', 'b|g2|9')).toEqual(['gc_sample_id, low']);
  });
});

describe('a column that has a value in each row, and none twice', () => {
  it('names the samples where no header says so, for sure only by a word for names in front of the others', () => {
    expect(named('barcode|organ', 'x1|liver', 'x2|liver')).toEqual(['barcode, middle']);
    expect(named('organ|alias', 'liver|x1', 'lung|x2')).toEqual(['alias, low']);
    expect(named('alias|barcode', 'x1|y1', 'x2|y2')).toEqual(['alias, middle']);
    expect(named('title|label', 'x1|y1', 'x2|y2')).toEqual(['title, low']);
    expect(named('jar|organ', 'x1|liver', 'x2|liver')).toEqual(['jar, low']);
    expect(why('jar|organ', 'x1|liver', 'x2|liver')).toBe('Each row has a value here, and none twice.');
  });

  it.each([
    ['days', '2024-05-01', '2024-05-02'],
    ['days of another form', '1.5.2024', '2.5.2024'],
    ['measurements', '1.5', '-2,75'],
    ['whole numbers', '12', '17'],
    ['shares', '4.60%', '<10 %'],
    ['measurements of which some are below what can be measured', '<0.05', '> 2'],
    ['times of day', '03:00', '14:05:30'],
    ['accessions of archives', 'SAMEA12', 'SRR1'],
    ['our accessions', 'SAMR12', 'SAMR13'],
    ['addresses', 'https://a.example/1', 'http://a.example/2'],
    ['long texts', 'x'.repeat(61), 'y'.repeat(61)],
    ['texts of which one is long', 'x'.repeat(61), 'y'],
  ])('of %s names nothing', (_, one, other) => {
    expect(named('jar|organ', `${one}|liver`, `${other}|liver`)).toEqual([]);
  });

  it('of texts of 60 characters, or of numbers under a word for names, does', () => {
    expect(named('jar|organ', `${'x'.repeat(60)}|liver`, `${'y'.repeat(60)}|liver`)).toEqual(['jar, low']);
    expect(named('barcode|organ', '4012|liver', '4017|liver')).toEqual(['barcode, middle']);
  });

  it('without a header, with a unit or with a meaning of its own names nothing', () => {
    expect(named('|organ|box', 'x1|liver|b', 'x2|liver|b')).toEqual([]);
    expect(named('barcode (kg)|organ', '12|liver', '17|liver')).toEqual([]);
    expect(named('Characteristics[barcode]|organ', 'x1|liver', 'x2|liver')).toEqual([]);
  });

  it('that counts the rows names them only by a word for what it numbers, where nothing else does', () => {
    expect(named('Pool No|organ', '1|liver', '2|liver')).toEqual(['Pool No, low']);
    expect(named('id|organ', '7|liver', '8|liver')).toEqual(['id, low']);
    expect(named('pool id|jar|organ', '1|x|liver', '2|y|liver')).toEqual(['jar, low']);
    expect(named('animal number|organ', '1|liver', '2|liver')).toEqual(['animal number, low']);
    expect(why('animal number|organ', '1|liver', '2|liver')).toBe('Each row has a value here, and none twice.');
    expect(named('Row No|organ', '1|liver', '2|liver')).toEqual([]);
    expect(named('No|organ', '1|liver', '2|liver')).toEqual([]);
    expect(named('jar|organ', '1|liver', '2|liver')).toEqual([]);
  });
});

describe('species without their genus', () => {
  it.each([
    ['genus|species|barcode', ['Rosa|canina|b1', 'Rosa|rugosa|b2'], 'characteristic, low'],
    ['Genus|Species|barcode', ['Rosa|canina L.|b1', 'Rosa|nova-angliae|b2'], 'characteristic, low'],
    ['genus|species|barcode', ['Rosa|Rosa canina|b1', 'Rosa|Rosa rugosa|b2'], 'characteristic organism, high'],
    ['family|species|barcode', ['Rosaceae|canina|b1', 'Rosaceae|rugosa|b2'], 'characteristic organism, middle'],
  ])('are no organism beside it: %s', (header, rows, expected) => {
    const { columns, lacks } = proposeRows([header, ...rows]);
    const { meaning, confidence } = columns[1] as (typeof columns)[number];
    expect(
      `${[meaning?.as, meaning?.as === 'characteristic' ? meaning.name : undefined].filter(Boolean).join(' ')}, ${confidence}`,
    ).toBe(expected);
    expect(lacks.includes('organism')).toBe(expected === 'characteristic, low');
  });
});

describe('a header in another alphabet or language', () => {
  it.each([
    ['Номер образца', 'Вид'],
    ['样品编号', '物种'],
    ['標本番号', '生物種'],
    ['サンプル名', '学名'],
    ['시료번호', '종'],
    ['Κωδικός δείγματος', 'Είδος'],
    ['Nr próbki', 'Gatunek'],
    ['Örnek No', 'Tür'],
    ['رقم العينة', 'النوع'],
    ['מספר דגימה', 'מין'],
    ['Prøve nr.', 'Art'],
  ])('that says what %s does names the samples, wherever it stands', (name, organism) => {
    const rows = [`${organism}|x|${name}`, 'Mus musculus|a|001', 'Rattus norvegicus|b|002', 'Apis mellifera|c|003'];
    expect(named(...rows)).toEqual([`${name}, high`]);
  });

  it.each([
    '2021/05/03',
    '2021.5.3',
    '2021年5月3日',
    '2021년 5월 3일',
    '3 mars 2020',
    '3. März 2020',
    '2008/07/15 07:00:00+00',
  ])('or none: a day such as %s names nothing', (day) => {
    const other = day.replace('3', '4').replace('15', '16');
    expect(named('sampledate|jar', `${day}|t1`, `${other}|t2`)).toEqual(['jar, low']);
  });
});
