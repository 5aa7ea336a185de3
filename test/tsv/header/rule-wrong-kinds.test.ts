import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { planOf, refusal, table } from '../read-sheet.js';

describe('files of other kinds are named', () => {
  it.each([
    ['SampleTab without its table', 'SampleTab', '[MSI]\nSubmission Title\tx\n'],
    ['investigation', 'investigation', 'ONTOLOGY SOURCE REFERENCE\nTerm Source Name\tx\n'],
    ['SampleTab in its other form', 'SampleTab', ' \tMSI \nx\ty\n'],
    ['SampleTab by its title', 'SampleTab', 'x\tsubmission_title\n'],
    ['JSON', 'JSON', '{"name": "a",\n "release": "2024-05-01"}\n'],
    ['JSON, an array', 'JSON', '[{"name": "a"}]\n'],
    ['JSON, an array on several lines', 'JSON', '[\n {"name": "a"}]\n'],
    ['JSON, an array of numbers', 'JSON', '[ -1, 2]\n'],
    ['HTML', 'web page', '<!DOCTYPE html>\n<html/>\n'],
    ['XML', 'XML', '<?xml version="1.0"?>\n<SAMPLE_SET/>\n'],
    ['FASTA', 'FASTA', '>seq1\nACGT\n'],
    [
      'a pointer of Git LFS',
      'git lfs pull',
      'version https://git-lfs.github.com/spec/v1\noid sha256:4b2d\nsize 3020\n',
    ],
    ['one of git-annex', 'git annex get', '../.git/annex/objects/X1/7k/MD5E-s3--ab.tsv/MD5E-s3--ab.tsv\n'],
    ['YAML', 'YAML', '# samples\n- name: a\n  organism: Mus musculus\n- name: b\n'],
    ['YAML of several parts', 'YAML', '---\nsamples:\n  - name: a\n'],
    ['columns set one below the other', 'by blanks', 'Tube   Organ\nT 1    left lung\nT 2    liver\n'],
    ['words in columns', 'by blanks', 'sample_name organism age\nr1 Mus 3\nr2 Mus 4\n'],
    ['a table as R writes it', 'sep = "\\t"', '"organism" "age"\n"r 1" "Mus musculus" 3\n"r 2" "Mus musculus" 4\n'],
  ])('%s', async (_, word, text) => {
    const { code, message, line } = await refusal(text, { header: { releaseDate: 0 } });
    expect(code).toBe('file.wrong-kind');
    expect(message).toContain(word);
    expect(typeof line).toBe('number');
  });

  it.each([
    ['a workbook', 'workbook', Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), deflateRawSync('x')])],
    ['an old workbook', '.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
    ['gzip', 'gzip', gzipSync('Sample Name\tRelease Date\n')],
    ['PDF', 'PDF', Buffer.from('%PDF-1.7\n')],
    ['PNG', 'PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
  ])('%s, by its first bytes', async (_, word, bytes) => {
    const { code, message } = await refusal(bytes);
    expect(code).toBe('file.wrong-kind');
    expect(message).toContain(word);
  });

  it.each([
    ['headers in brackets', '[tube]\t[organ]\na\tliver\n'],
    ['a brace inside', 'tube {1}\torgan [x]\na\tliver\n'],
    ['a sign inside', 'a<b\tx>y\nliver\tlung\n'],
    ['a word that begins like a section', 'MSIX\tx\nliver\tlung\n'],
    ['a word that ends like a section', 'my SCD\tx\nliver\tlung\n'],
    ['one column of two words', 'Tube number\nT 1\nT 2\n'],
    ['one column of many words', 'What was taken\nleft lung of 7\nliver\n'],
    ['one column with a colon', 'Tube: number\nT 1\nT 2\n'],
    ['one row below a header', 'Tube   Organ\nT 1    liver\n'],
  ])('a table is not taken for one by %s', async (_, text) => {
    expect((await refusal(text, { header: { releaseDate: 0 } })).code).toBe('file.header');
  });

  it('bytes full of NULs are no text', async () => {
    expect((await refusal(Buffer.alloc(5000))).code).toBe('file.wrong-kind');
    expect((await refusal(Buffer.alloc(3_000_000))).code).toBe('file.wrong-kind');
    expect((await refusal('Sample\0Name\tRelease Date\na\t2024-05-01\n')).code).toBe('file.wrong-kind');
  });

  it('an ISA assay table with a Sample Name is taken for what it is asked to be', () => {
    const plan = planOf(table(['Sample Name', 'Assay Name'], ['a', 'b']), { releaseDate: 0 });
    expect(plan.notStored).toEqual(['Assay Name']);
  });
});
