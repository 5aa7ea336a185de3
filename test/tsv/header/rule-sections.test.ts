/** Files in sections, each behind a row such as `[Data]` or `SAMPLES`: the sample sheets of sequencers, the metadata sheets of GEO. */
import { describe, expect, it } from 'vitest';
import { planOf, readSheet, table } from '../read-sheet.js';

const OPTIONS = { header: { releaseDate: 0, unknownColumns: 'characteristics' } } as const;
const namesIn = async (sheet: string): Promise<string[]> =>
  (await readSheet(sheet, OPTIONS)).samples.map(({ name }) => name);

const V2 = [
  '[Header],,,',
  'FileFormatVersion,2,,',
  '[Reads],,,',
  'Read1Cycles,151,,',
  ',,,',
  '[BCLConvert_Settings],,,',
  'SoftwareVersion,4.1.5,,',
  '[BCLConvert_Data],,,',
  'Lane,Sample_ID,Index,Index2',
  '1,S1,ATTACTCG,TATAGCCT',
  '1,S2,TCCGGAGA,ATAGAGGC',
  ',,,',
  '[Cloud_Settings],,,',
  'GeneratedVersion,1.5.0,,',
  '[Cloud_Data],,,',
  'Sample_ID,ProjectName,LibraryName,',
  'S1,mice,S1_lib,',
].join('\r\n');

describe('a sheet in sections', () => {
  it('has the samples of the section of its header, and none of those behind it', async () => {
    expect(await namesIn(V2)).toEqual(['S1', 'S2']);
    expect(planOf(V2, OPTIONS.header)).toMatchObject({ headerLine: 9, inSection: 'bracketed' });
  });

  it.each([
    ['its names stand first', 'Sample_ID,Index', 'S1,AT'],
    ['its names are ours', 'Sample Name,Index', 'S1,AT'],
    ['its names are in the second column', 'Index,Sample Name', 'AT,S1'],
  ])('ends where the next one begins, where %s', async (_, header, row) => {
    expect(await namesIn(`[Data],\n${header}\n${row}\n[Settings],\nAdapter,CTGT\nother,x\n`)).toEqual(['S1']);
  });

  it('has rows of which a cell looks like the beginning of one, beside others', async () => {
    expect(await namesIn('[Data]\nSample Name,Index\n[a],AT\nb,[c]\n[d],\ne,x\n')).toEqual(['[a]', 'b']);
  });

  it.each([
    ['[Settings]', '[Data]'],
    ['STUDY', 'SAMPLES'],
  ])('may have any number of rows in sections above: %s', async (other, own) => {
    const settings = Array.from({ length: 60 }, (_, at) => `Key${at},v`).join('\n');
    expect(await namesIn(`${other},\n${settings}\n${own},\nSample_ID,Index\nS1,AT\n${other},\nx,y\n`)).toEqual(['S1']);
  });

  it.each([
    ['[Data]', '[Settings]'],
    ['SAMPLES', 'PROTOCOLS'],
  ])('may begin with remarks: %s', async (own, other) => {
    const sheet = `${own},\n# of ours,\n"# in quotes, and long",\nSample Name,x\nS1,AT\n${other},\ngrowth protocol,y\n`;
    expect(await namesIn(sheet)).toEqual(['S1']);
  });

  it('ends with the sign by which DOS ends a file, which is no sample', async () => {
    for (const end of ['\x1a', '\x1a\n', '\t\x1a'])
      expect(await namesIn(`Sample Name\tx\na\tv\n${end}`), JSON.stringify(end)).toEqual(['a']);
    expect(await namesIn('Sample Name\tx\na\tv\n\x1ab\tv\n')).toHaveLength(2);
  });

  it('is none without such a row right above its header', async () => {
    const rows = [
      ['Sample Name', 'x'],
      ['a', 'v'],
      ['[b]', ''],
      ['c', 'v'],
    ];
    for (const above of ['', 'Our samples\n', '[Data]\nOur samples\n', '[a][b]\n', '[Data]\tv\n']) {
      expect(planOf(above + table(...rows), OPTIONS.header).inSection, above).toBeUndefined();
      expect(await namesIn(above + table(...rows)), above).toEqual(['a', '[b]', 'c']);
    }
  });
});

describe('a metadata sheet of GEO', () => {
  const BEHIND = [
    ['PROTOCOLS'],
    ['# those that apply to all'],
    ['growth protocol', 'in the dark'],
    ['*library construction protocol', 'by hand'],
    ['DATA PROCESSING PIPELINE'],
    ['data processing step', 'trimmed'],
    ['PROCESSED DATA FILES'],
    ['file name', 'file type'],
    ['a.txt', 'counts'],
    ['RAW FILES'],
    ['1.fq', 'fastq'],
    ['PAIRED-END EXPERIMENTS'],
    ['file name 1', 'file name 2'],
  ];
  const sheetOf = (name: string, behind: string[][], above: string[][] = [['SAMPLES']]): string =>
    table(
      ['STUDY'],
      ['*title', 'Mice'],
      ...above,
      [name, '*title', '**tissue', 'molecule'],
      ['G1', 'one', 'liver', 'RNA'],
      ['G2'],
      ['PROTOCOLS', 'of a sample', '', ''],
      ...behind,
    );

  it.each(['Sample name', '*library name', 'library name'])('has its samples by %s, and no others', async (name) => {
    const { samples, rejected, plan } = await readSheet(sheetOf(name, BEHIND), OPTIONS);
    expect(rejected).toEqual([]);
    expect(samples.map((each) => each.name)).toEqual(['G1', 'G2', 'PROTOCOLS']);
    expect(samples[0]?.content.characteristics).toMatchObject({
      title: [{ text: 'one' }],
      tissue: [{ text: 'liver' }],
    });
    expect(plan).toMatchObject({ profile: { name: 'geo' }, inSection: 'geo' });
  });

  it.each(
    BEHIND.filter(([first]) => first === first?.toUpperCase() && !first?.startsWith('#')).map(
      ([first]) => first as string,
    ),
  )('ends at %s, whichever section is the next', async (first) => {
    const from = BEHIND.findIndex(([text]) => text === first);
    expect(await namesIn(sheetOf('library name', BEHIND.slice(from)))).toEqual(['G1', 'G2', 'PROTOCOLS']);
  });

  it('has as many contributors as there are', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ['contributor', `A, B${at}`]);
    expect(await namesIn(sheetOf('*library name', BEHIND, [...many, ['SAMPLES']]))).toEqual(['G1', 'G2', 'PROTOCOLS']);
  });

  it('is none where nothing says that its samples are a section: what stands below them are rows', async () => {
    const rows = [
      ['Sample Name', 'x'],
      ['a', 'v'],
      ['PROTOCOLS', ''],
      ['c', 'v'],
    ];
    for (const above of ['', 'Samples\n', 'SAMPLES\nOur samples\n', 'SAMPLES\tv\n', '[Data]\n'])
      expect(await namesIn(above + table(...rows)), above).toEqual(['a', 'PROTOCOLS', 'c']);
    expect(await namesIn(`SAMPLES\n${table(['Sample Name', 'x'], ['a', 'v'], ['[b]'], ['c', 'v'])}`)).toEqual([
      'a',
      '[b]',
      'c',
    ]);
  });
});
