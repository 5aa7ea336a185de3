import { describe, expect, it } from 'vitest';
import { planOf, readSheet, refusal, table } from '../read-sheet.js';

const ROW = ['a', '2024-05-01', 'v'];
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

describe('headers', () => {
  it.each([
    ['Sample Name', 'Release Date', 'Characteristics[Organism]'],
    ['sample_name', 'RELEASE DATE', 'characteristic [Organism]'],
    ['SampleName', 'release__date', 'CHARACTERISTICS[ Organism ]'],
    [' Sample  Name ', 'Release_Date', 'Characteristic[Organism]'],
    ['\ufeff\ufeffSample\u200bName', 'Release\u00a0Da\u00adte\u200e', '\u2060Charac\u00adteristic\u200b[Organism]'],
  ])('are compared without case, blanks, underscores and what nobody sees: %s, %s, %s', async (...header) => {
    const { samples } = await readSheet(table(header, ROW));
    expect({ ...samples[0]?.content.characteristics }).toEqual({ Organism: [{ text: 'v' }] });
  });

  it('are so for every mark that nobody sees', async () => {
    const marks = [
      0xad,
      0x61c,
      0x200b,
      0x200e,
      0x200f,
      0x2060,
      0x2063,
      0xfeff,
      ...range(0x202a, 5),
      ...range(0x2066, 4),
    ];
    for (const mark of marks.map((code) => String.fromCodePoint(code))) {
      const header = [`${mark}Sample${mark} Name`, `Release Date${mark}`, `cell${mark} ty${mark}pe${mark}`];
      const { samples } = await readSheet(table(header, ROW), { header: { unknownColumns: 'characteristics' } });
      expect(Object.keys(samples[0]?.content.characteristics ?? {}), encodeURI(mark)).toEqual(['cell type']);
    }
  });

  it.each([
    ['cell\u00a0type', 'cell type'],
    ['\u2003cell\u202ftype', 'cell type'],
    ['cell\r\n\u200btype', 'cell type'],
    ['نیم\u200cفاصله', 'نیم\u200cفاصله'],
    ['\u200b', '\u200b'],
  ])('the plain header %j calls its characteristic %j', async (header, name) => {
    const sheet = table(['Sample Name', 'Release Date', `"${header}"`], ROW);
    const { samples } = await readSheet(sheet, { header: { unknownColumns: 'characteristics' } });
    expect(Object.keys(samples[0]?.content.characteristics ?? {})).toEqual([name]);
  });

  it('may name their characteristic behind a colon, as GEO has it', async () => {
    const header = ['Sample Name', 'Release Date', 'characteristics: strain', 'Characteristic:Age [years]'];
    const { samples, plan } = await readSheet(table(header, ['a', '2024-05-01', 'C57BL/6', '6']));
    expect({ ...samples[0]?.content.characteristics }).toEqual({
      strain: [{ text: 'C57BL/6' }],
      'Age [years]': [{ text: '6' }],
    });
    expect(plan.fromPlainHeaders).toEqual([]);
    await expect(refusal(table(['Sample Name', 'Release Date', 'Characteristics: '], ROW))).resolves.toMatchObject({
      code: 'file.header',
    });
  });

  it('that a program has numbered because they repeat mean what they meant', async () => {
    const header = [
      ...['Sample Name', 'Release Date', 'Characteristics[organism]', 'Term Source REF', 'Term Accession Number'],
      ...['Characteristics[age]', 'Unit', 'Term Source REF.1', 'Term Accession Number.1'],
      ...['Characteristics[age].1', 'Unit.1', 'Comment[external DB REF]', 'Comment[external DB REF].1'],
    ];
    const cells = ['a', '2024-05-01', 'human', 'NCBITaxon', '9606', '3', 'year', 'UO', '36', '5', 'week', 'r1', 'r2'];
    const { plan, samples } = await readSheet(table(header, cells), {
      header: { unknownColumns: 'characteristics' },
    });
    expect({ ...samples[0]?.content.characteristics }).toEqual({
      organism: [{ text: 'human', ontologyTerms: ['NCBITaxon:9606'] }],
      age: [
        { text: '3', unit: 'year', unitOntologyTerms: ['UO:36'] },
        { text: '5', unit: 'week' },
      ],
    });
    expect(samples[0]?.content.externalReferences).toHaveLength(2);
    expect(plan.fromPlainHeaders).toEqual([]);
    expect(plan.header).toEqual(header);
  });

  it('with numbers of their own are kept as they are, however many', async () => {
    const header = ['Sample Name', 'Release Date', 'pH.1', 'Sample Name.1', 'Unit.b', `x${'.1'.repeat(20_000)}`];
    const { plan, samples } = await readSheet(table(header, ['a', '2024-05-01', '1', '2', '3', '4']), {
      header: { unknownColumns: 'characteristics' },
    });
    expect(plan.fromPlainHeaders).toEqual(header.slice(2));
    expect(Object.keys(samples[0]?.content.characteristics ?? {})).toEqual(header.slice(2));
  });

  it('stand in any order', async () => {
    const { samples } = await readSheet(
      table(
        ['Characteristics[x]', 'Sample Identifier', 'Release Date', 'Sample Name'],
        ['v', 'SAMR7', '2024-05-01', 'a'],
      ),
    );
    expect(samples[0]).toMatchObject({ name: 'a', id: 7, release: '2024-05-01T00:00:00.000Z', packed: 'v' });
  });

  it('the name inside brackets is kept as written, whatever it is', async () => {
    const names = ['Mixed Case_name', '__proto__', 'constructor', 'a[b]', 'α (β): γ', 'toString'];
    const header = ['Sample Name', 'Release Date', ...names.map((name) => `Characteristics[${name}]`)];
    const { samples } = await readSheet(table(header, ['a', '2024-05-01', ...names]));
    expect(Object.entries(samples[0]?.content.characteristics ?? {})).toEqual(
      names.map((name) => [name, [{ text: name }]]),
    );
  });

  it.each(['Sample Name', 'Sample Identifier', 'Release Date'])(
    'two columns of %s refuse the file, naming both',
    async (title) => {
      const { code, message, line } = await refusal(
        table(['Sample Name', 'Release Date', 'Sample Identifier', title.toLowerCase()], ['a', '2024-05-01', '', 'b']),
      );
      expect({ code, line }).toEqual({ code: 'file.header', line: 1 });
      expect(message).toContain(title);
      expect(message).toMatch(/columns [ABC] and D/);
    },
  );

  it('no Sample Name: the file is refused with what was found', async () => {
    const { code, message, column } = await refusal(table(['name', 'Release Date', 'tissue'], ROW));
    expect({ code, column }).toEqual({ code: 'file.header', column: 'Sample Name' });
    expect(message).toContain('Found: name, Release Date, tissue.');
  });

  it('neither name nor date: both are asked for at once', async () => {
    const { message } = await refusal(table(['id', 'tissue'], ['a', 'b']));
    expect(message).toContain('neither a Sample Name nor a Release Date');
  });

  it('no Release Date and no releaseDate option: the file is refused with the fix', async () => {
    const { code, message } = await refusal(table(['Sample Name', 'Characteristics[x]'], ['a', 'v']));
    expect(code).toBe('file.header');
    expect(message).toContain('releaseDate');
  });

  it.each([
    ['Characteristics', 'Characteristics[name]'],
    ['Characteristics[]', 'Characteristics[name]'],
    ['Characteristics[organism', 'Characteristics[name]'],
    ['Comment[bsd_relationship:]', 'Comment[bsd_relationship:type]'],
    ['Comment[publication: ]', 'Comment[publication:member]'],
  ])('a bracket that is missing or empty is reported, not dropped: %s', async (header, form) => {
    const { code, message, column } = await refusal(table(['Sample Name', 'Release Date', header], ROW));
    expect({ code, column }).toEqual({ code: 'file.header', column: header });
    expect(message).toContain(form);
    expect(message).toContain('column C');
  });

  it('a header row longer than 1 MiB, or none within it, refuses the file', async () => {
    const long = `Sample Name\tRelease Date\t${'x'.repeat(1024 * 1024)}\na\t2024-05-01\n`;
    expect(await refusal(long)).toMatchObject({ code: 'file.header', line: 1 });
    expect((await refusal('x'.repeat(1024 * 1024 + 5))).message).toContain('1 MiB');
  });

  it.each(['# remark', 'MSI', 'a\tb\t\tc\t\n\tx\ty\tz\tw'])(
    'a header below 10 000 rows is not looked for: %j',
    async (row) => {
      const above = (rows: number): string => `MSI\n${`${row}\n`.repeat((rows - 1) / row.split('\n').length)}`;
      const sheet = '[SCD]\nSample Name\tRelease Date\tCharacteristics[x]\na\t2024-05-01\tx\n';
      expect(await refusal(above(10_001) + sheet)).toMatchObject({
        code: 'file.header',
        message: expect.stringContaining('among the first 10000 rows'),
      });
      expect(planOf(above(9_997) + sheet).headerLine).toBe(9_999);
    },
  );

  it('more columns than are read refuse the file', async () => {
    const header = ['Sample Name', 'Release Date', ...Array.from({ length: 100_000 }, () => 'c')];
    const { code, message } = await refusal(table(header, ROW));
    expect(code).toBe('file.header');
    expect(message).toContain('16384');
  });

  it('an empty header in the middle shifts nothing', async () => {
    const { samples, plan } = await readSheet(
      table(
        ['Sample Name', 'Characteristics[x]', '', 'Characteristics[y]', 'Release Date', ''],
        ['a', 'x', 'lost', 'y', '2024-05-01', ''],
      ),
    );
    expect({ ...samples[0]?.content.characteristics }).toEqual({ x: [{ text: 'x' }], y: [{ text: 'y' }] });
    expect(plan.notStored).toEqual(['C (no header)', 'F (no header)']);
  });

  it('the plan is plain data', () => {
    const plan = planOf(table(['Sample Name', 'Release Date', 'Comment[submission_contact:email]'], ROW));
    expect(structuredClone(plan)).toEqual(JSON.parse(JSON.stringify(plan)));
  });
});
