/** Files in sections, each behind a row such as `[Data]`: the sample sheets of sequencers. */
import { describe, expect, it } from 'vitest';
import { planOf, readSheet, table } from './read-sheet.js';

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
    expect(planOf(V2, OPTIONS.header)).toMatchObject({ headerLine: 9, inSection: true });
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
