/**
 * Whatever form a sheet of another archive or program came in, its result goes back in as it is and changes nothing.
 *
 * | came in as | went back as | asked in |
 * |---|---|---|
 * | text, a workbook: every look-alike | text or a workbook, the other one of the other form; in the proof both | foreign-sheets.test.ts |
 * | text: real files of other kinds | text; every fourth, in the proof all, a workbook | foreign-sheets.test.ts |
 * | gzip, zip, text with commas: a dozen look-alikes, in the proof all | text, gzip, zip, the workbook of the result | here, each pair of forms once |
 * | ISA-Tab as zip | all four | here |
 * | real study tables as text | text | updates.test.ts |
 * | real study tables as text | the workbook of the result | here |
 * | text, a workbook: a kept profile's sheet | text, a workbook | import-profiles.test.ts |
 * | ISA-JSON | JSON | ../http/isa-json.test.ts |
 *
 * @module-tag slow
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, fixturesIn, withoutFixtures } from '../support/fixtures.js';
import { PROOF } from '../support/proof.js';
import { SharedServer } from '../support/shared-server.js';
import { asText, LOOK_ALIKES } from '../tsv/header/look-alikes.js';
import { removeScratch, zip } from '../workbooks/raw-workbook.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('results-go-back');
});
afterAll(removeScratch);

const RELEASED = { releaseDate: '2031-01-01' };
type Form = 'text' | 'gzip' | 'zip' | 'a workbook';

async function put(text: Buffer, form: Exclude<Form, 'a workbook'>): Promise<Buffer> {
  if (form === 'gzip') return gzipSync(text);
  return form === 'text' ? text : readFileSync(await zip({ 'result/sheet.txt': text, 'readme.pdf': '%PDF' }));
}

async function goesBack(
  bytes: Buffer | string,
  backAs: readonly Form[],
  { name = 'theirs', options = RELEASED as Record<string, string>, account = '' },
): Promise<number> {
  const token = await server.token(account.replaceAll(/\W+/g, '-').toLowerCase());
  const { id, status } = await server.uploadAndSettle(bytes, { name, options, token });
  const { created, rejected } = status.counts;
  expect(created).toBeGreaterThan(0);
  const result = async (format: string) =>
    (await server.get(`/submissions/${id}/result?format=${format}`, { token })).bytes;
  const text = await result('tsv');
  for (const form of backAs) {
    const back = form === 'a workbook' ? await result('xlsx') : await put(text, form);
    const again = await server.uploadAndSettle(back, { name: 'again', token });
    const counts = { created: 0, updated: 0, unchanged: created, rejected };
    expect(again.status.counts, `${form}: ${JSON.stringify(again.status.issues)}`).toMatchObject(counts);
  }
  return created;
}

/** Twelve are every pair of a form in and a form back. */
const packed = LOOK_ALIKES.slice(0, PROOF ? undefined : 12);

describe('the result of', () => {
  it.each(packed.map((each, at) => [each.kind, each, at] as const))(
    '%s, packed or with commas',
    async (kind, sheet, at) => {
      const text = asText(sheet.rows);
      const options = { ...RELEASED, ...sheet.options };
      // Each kind of sheet in one form and back in another; over the kinds, every pair of forms.
      const [form, delimiter] = (
        [
          ['gzip', '\t'],
          ['zip', '\t'],
          ['text', ','],
        ] as const
      )[at % 3] as readonly [Exclude<Form, 'a workbook'>, string];
      const back = (['zip', 'text', 'gzip', 'a workbook'] as const)[at % 4] as Form;
      const bytes = await put(Buffer.from(text.replaceAll('\t', delimiter)), form);
      expect(await goesBack(bytes, [back], { options, account: `packed ${kind}` })).toBe(sheet.names.length);
    },
  );

  it('an ISA-Tab archive, in every form', async () => {
    const files = {
      'i_mice.txt': 'STUDY\nStudy File Name\t"s_mice.txt"\nStudy Public Release Date\t"2031-05-06"\n',
      's_mice.txt':
        '"Source Name"\t"Characteristics[organism]"\t"Term Source REF"\t"Term Accession Number"\t"Protocol REF"\t"Sample Name"\t"Characteristics[age]"\t"Unit"\n' +
        '"d1"\t"Mus musculus"\t"NCBITaxon"\t"10090"\t"collection"\t"m 1"\t"8"\t"week"\n' +
        '"d1"\t"Mus musculus"\t"NCBITaxon"\t"10090"\t"collection"\t"m ""2"""\t"9"\t"week"\n',
      'a_mice.txt': 'Sample Name\tAssay Name\nm 1\ta\n',
    };
    const bytes = readFileSync(await zip(files));
    expect(await goesBack(bytes, ['text', 'gzip', 'zip', 'a workbook'], { options: {}, account: 'isa' })).toBe(2);
  });
});

describe.skipIf(withoutFixtures('results of real study tables'))('the result of a real study table', () => {
  it.each(fixturesIn('isa'))('%s, as a workbook', async (name) => {
    await goesBack(fixture(`isa/${name}`), ['a workbook'], { account: name });
  });
});
