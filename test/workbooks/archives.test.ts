/** Archives that cannot be read or must not be: each is refused by a code that is documented, in words that say what to do. */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { readHeader } from '../../src/tsv/header/header.js';
import { convertWorkbook } from '../../src/workbooks/convert.js';
import { isGzip, isPackage } from '../../src/workbooks/kind.js';
import { PROOF } from '../support/proof.js';
import { BAD_ARCHIVES } from './bad-archives.js';
import { removeScratch, scratch } from './raw-workbook.js';

/** Of each kind, drawn by its number. */
const EACH = PROOF ? 6 : 2;
const CODES = ['file.wrong-kind', 'file.not-understood', 'file.too-large', 'file.empty'];

afterAll(removeScratch);

/** What an upload of these bytes is answered with. The text that is read is let go but for its head. */
async function refusal(bytes: Buffer): Promise<{ code: string; message: string; textBytes: number }> {
  const path = scratch('upload');
  writeFileSync(path, bytes);
  const head: Buffer[] = [];
  let size = 0;
  try {
    const write = async (piece: Buffer): Promise<void> => {
      if (size < 65_536) head.push(piece);
      size += piece.length;
    };
    if (isPackage(bytes) || isGzip(bytes)) await convertWorkbook(path, {}, () => undefined, write);
    else await write(bytes);
    readHeader(Buffer.concat(head), { prefix: 'SAMR', unknownColumns: 'characteristics', releaseDate: 0 }, true);
  } catch (error) {
    if (error instanceof RegistryError) return { code: error.code, message: error.message, textBytes: size };
    throw error;
  }
  throw new Error(`It was read: ${Buffer.concat(head).toString().slice(0, 200)}`);
}

describe('an archive', () => {
  it.each(BAD_ARCHIVES)('with %s is refused', async (_, words, make, each = EACH) => {
    for (let at = 0; at < each; at++) {
      const { code, message, textBytes } = await refusal(make(at));
      expect(CODES, message).toContain(code);
      expect(message, `number ${at}`).toMatch(words);
      expect(message).toMatch(/[.] (Pack|Unpack|Save|Compress|Upload|Put|Take)\b/);
      expect(message.length, message).toBeLessThan(600);
      expect(/\p{Cc}/u.test(message)).toBe(false);
      expect(textBytes).toBeLessThan(70 * 1024 * 1024);
    }
  });
});
