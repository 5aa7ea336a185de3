/** Names of uploaded files, and of the results that come back for them. */
import { describe, expect, it } from 'vitest';
import { cleanName, resultName, shortName } from '../../../src/http/uploads/file-names.js';

describe('the name under which an upload is kept', () => {
  it.each([
    ['a.tsv', 'a.tsv'],
    ['/home/me/plate 7.xlsx', 'plate 7.xlsx'],
    ['C:\\lab\\plate.csv', 'plate.csv'],
    [' \u0000a\u202e.tsv\r\n', 'a.tsv'],
    ['größe.tsv', 'größe.tsv'],
    ['', 'samples.tsv'],
    ['/', 'samples.tsv'],
  ])('of %j is %j', (sent, kept) => {
    expect(cleanName(sent)).toBe(kept);
  });

  it('has 255 characters at most: none of them halved, and its endings kept', () => {
    const most = 'x'.repeat(255);
    expect(cleanName(most)).toBe(most);
    expect(cleanName(`${most}.tsv.gz`)).toBe(`${'x'.repeat(248)}.tsv.gz`);
    expect(cleanName(`${most}y`)).toBe(most);
    expect(cleanName(`x${'😀'.repeat(300)}.xlsx`)).toBe(`x${'😀'.repeat(249)}.xlsx`);
    expect(shortName('a.b.c.d.e', 8)).toBe('a..c.d.e');
    expect(shortName('ab.x y', 5)).toBe('ab.x ');
    expect(shortName(`abc.${'d'.repeat(13)}`, 5)).toBe('abc.d');
  });
});

describe('the result of an upload', () => {
  const sheet = (fileName: string) => resultName({ fileName, columns: {} });
  const lines = (fileName: string) => resultName({ fileName, columns: { json: 'array' } });
  const isa = (fileName: string) =>
    resultName({ fileName, columns: { json: 'x' }, options: { readAs: { isa: true } } });

  it.each([
    'a.tsv',
    'a.xlsx',
    'a.XLS',
    'a.xlsm',
    'a.ods',
    'a.csv',
    'a.tsv.gz',
    'a.csv.zip',
    'a.zip',
    'a.GZ',
    'a.xls.gz',
  ])('that is a sheet is a table with tabs, and called so: %s', (name) => {
    expect(sheet(name)).toBe('a.tsv');
  });

  it('keeps a name that says nothing else', () => {
    expect(
      [
        'a',
        'a.txt',
        'a.txt.gz',
        'a.csv.txt',
        'axlsx',
        'a.xlsx.tsv',
        'plate 7.5.zip',
        'a.gz.tsv',
        'plate.old 7.zip',
      ].map(sheet),
    ).toEqual([
      'a',
      'a.txt',
      'a.txt',
      'a.csv.txt',
      'axlsx',
      'a.xlsx.tsv',
      'plate 7.5.tsv',
      'a.gz.tsv',
      'plate.old 7.tsv',
    ]);
  });

  it('of samples as JSON has one on each line, and of ISA-JSON is such a document', () => {
    expect(['a.json', 'a.ndjson', 'a.jsonl', 'a.json.gz', 'a.zip'].map(lines)).toEqual([
      'a.ndjson',
      'a.ndjson',
      'a.jsonl',
      'a.ndjson',
      'a.ndjson',
    ]);
    expect(['i.json', 'i.isa.json', 'i.json.gz', 'i.zip'].map(isa)).toEqual([
      'i.json',
      'i.isa.json',
      'i.json',
      'i.json',
    ]);
  });
});
