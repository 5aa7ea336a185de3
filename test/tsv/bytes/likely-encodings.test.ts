/** What text may be that is not UTF-8, named with a cell as it would read. */
import { describe, expect, it } from 'vitest';
import { decodingOf } from '../../../src/tsv/bytes/encoding.js';
import { likelyEncodings } from '../../../src/tsv/bytes/likely-encodings.js';
import { refusal } from '../read-sheet.js';

/** Heads of sheets as spreadsheet programs of these countries save them, in base64: encoding, a cell of it, bytes. */
const SHEETS: [encoding: string, cell: string, bytes: string][] = [
  ['shift_jis', 'サンプル名', 'g1SDk4N2g4uWvCyM9opKk/oskLaVqI7tLJROl+4KjJ+RzDEsMjAyNC8wMy8wMSxIb21vIHNhcGllbnMsMzUK'],
  ['shift_jis', '組織', 'U2FtcGxlIE5hbWUJUmVsZWFzZSBEYXRlCZFnkEQKQTEJMjAyNC0wMS0wMQmKzJGfCg=='],
  ['euc-jp', 'サンプル名', 'pbWl86XXpevMviy4+LOrxvwswLjKqrzvCrihws4xLDIwMjQvMDMvMDEsSG9tbyBzYXBpZW5zCg=='],
  ['gb18030', '样品名称', '0fnGt8P7s8Yst6KyvMjVxtoszu/W1izE6sHkCrjO1OAxLDIwMjQvMDMvMDEsSG9tbyBzYXBpZW5zLDM1Cg=='],
  ['gb18030', '组织', 'U2FtcGxlIE5hbWUJUmVsZWFzZSBEYXRlCdfp1q8KQTEJMjAyNC0wMS0wMQm4zgo='],
  ['big5', '樣品名稱', 'vMurfqZXutkspOm0wSyqq7rYCqh4xaYxLDIwMjQvMDMvMDEsSG9tbyBzYXBpZW5zCg=='],
  ['euc-kr', '샘플 이름', 'u/nHwyDAzLinLLOvwqUswb4KsKMxLDIwMjQvMDMvMDEsSG9tbyBzYXBpZW5zCg=='],
  ['windows-1251', 'Имя образца', 'yOz/IO7h8ODn9uA7xODy4DvS6uDt/ArPMTsyMDI0LTAxLTAxO8/l9+Xt/Ao='],
  ['koi8-r', 'Имя образца', '6c3RIM/C0sHaw8E75MHUwTv0y8HO2ArwMTsyMDI0LTAxLTAxO/DF3sXO2Ao='],
  ['windows-1250', 'Tkáň', 'TuF6ZXYgdnpvcmt1O0RhdHVtO1Rr4fIKVjE7MjAyNC0wMS0wMTtq4XRyYSwgnmx16Ao='],
  ['windows-1253', 'Δείγμα', 'xOXf4+zhO8fs5fHv7Oft3+EKxDE7MjAyNC0wMS0wMQo='],
  ['windows-1254', 'karaciğer', '1nJuZWsgYWT9O1RhcmloO0Rva3UK1jE7MjAyNC0wMS0wMTtrYXJhY2nwZXIK'],
  ['windows-1252', 'Größe', 'UHJvYmU7R2V3aWNodCAoZyk7R3L232UKUDE7MTtncm/fCg=='],
  ['windows-1252', "Nom de l'échantillon", 'Tm9tIGRlIGwn6WNoYW50aWxsb247RGF0ZQpFMTsyMDI0LTAxLTAxCg=='],
  ['windows-1252', 'Temp (°C)', 'U2FtcGxlIE5hbWUJUmVsZWFzZSBEYXRlCVRlbXAgKLBDKQpBCTIwMjQtMDEtMDEJNQo='],
  ['windows-1252', 'vol (µl)', 'U2FtcGxlIE5hbWUJUmVsZWFzZSBEYXRlCXZvbCAotWwpCkEJMjAyNC0wMS0wMQk1Cg=='],
  ['windows-1252', '“a” – 5 ‰', 'IG5hbWUJbm90ZQpBCZNhlCCWIDUgiQo='],
  ['macintosh', "Nom de l'échantillon", 'Tm9tIGRlIGwnjmNoYW50aWxsb247RGF0ZQpFMTsyMDI0LTAxLTAxO3Ryj3MK'],
  ['macintosh', 'Größe', 'UHJvYmU7R3Kap2UKUDE7Z3Jvpwo='],
  ['ibm850', 'München', 'U2FtcGxlIE5hbWUJT3J0CkEJTYFuY2hlbgo='],
  ['ibm850', 'Drüse', 'UHJvYmU7R2V3ZWJlCjE7RHKBc2UK'],
  ['ibm850', 'Größe', 'UHJvYmU7R3KU4WUKMTtncm/hCg=='],
  ['ibm850', "Nom de l'échantillon", 'Tm9tIGRlIGwngmNoYW50aWxsb247RGF0ZQpFMTsyMDI0LTAxLTAxCg=='],
  ['ibm850', 'Prøve', 'UHKbdmU7Uptkb3ZyZQoxO2Jshgo='],
  ['ibm850', 'vol (µl)', 'U2FtcGxlIE5hbWUJdm9sICjmbCkKQQk1Cg=='],
  ['ibm850', 'Temp (°C)', 'U2FtcGxlIE5hbWUJVGVtcCAo+EMpCkEJNQo='],
];

const NOISE = Buffer.from(Array.from({ length: 600 }, (_, at) => 0x80 + ((at * 89) % 128)));

const likely = (bytes: Buffer) =>
  likelyEncodings(bytes, (part, encoding) => decodingOf(encoding).decode(Buffer.from(part)));

describe('a text that is not UTF-8', () => {
  it.each(SHEETS)('may be %s, in which a cell reads %s', (encoding, cell, bytes) => {
    const found = likely(Buffer.from(bytes, 'base64'));
    expect(found).toContainEqual({ encoding, example: cell });
    expect(found.length).toBeLessThanOrEqual(4);
    expect(new Set(found.map(({ example }) => example)).size, 'each reads in another way').toBe(found.length);
  });

  it.each(
    SHEETS.filter(([encoding]) => !['euc-kr', 'euc-jp', 'windows-1250', 'windows-1254', 'ibm850'].includes(encoding)),
  )('is most likely %s, in which a cell reads %s', (encoding, cell, bytes) => {
    expect(likely(Buffer.from(bytes, 'base64'))[0]).toEqual({ encoding, example: cell });
  });

  it('of an old program has words in code page 850 that are none in any other', () => {
    const words = SHEETS.filter(
      ([encoding, cell]) => encoding === 'ibm850' && ['München', 'Drüse', 'Prøve'].includes(cell),
    );
    for (const [encoding, cell, bytes] of words)
      expect(likely(Buffer.from(bytes, 'base64'))).toEqual([{ encoding, example: cell }]);
  });

  it('is looked at from the first line on that is more than ASCII, however far down, and no further than 64 KiB', () => {
    const [, cell, bytes] = SHEETS[0] as (typeof SHEETS)[0];
    const row = 'S1\t2024-01-01\tliver\n';
    const sheet = Buffer.concat([
      Buffer.from(row.repeat(100_000)),
      Buffer.from(bytes, 'base64'),
      Buffer.alloc(9_000_000, row),
      Buffer.of(0xff),
    ]);
    expect(likely(sheet)).toEqual([{ encoding: 'shift_jis', example: cell }]);
  });

  it('may be none of them', () => {
    expect(likely(Buffer.alloc(0))).toEqual([]);
    expect(likely(Buffer.from('plain'))).toEqual([]);
    expect(likely(Buffer.from([0x41, 0xff, 0, 0xfe]))).toEqual([]);
    expect(likely(NOISE)).toEqual([]);
  });

  it('is refused with what it may be', async () => {
    const [, , bytes] = SHEETS[1] as (typeof SHEETS)[0];
    const { message } = await refusal(Buffer.from(bytes, 'base64'));
    expect(message).toBe(
      'Line 1, cell 3: the byte 0x91 at byte offset 25 is not valid utf-8. Save the file as UTF-8, or say what it is in with the option encoding: encoding=shift_jis if a cell reads "組織".',
    );
    const { message: unknown } = await refusal(NOISE);
    expect(unknown).toMatch(
      /say what it is in with the option encoding, e\.g\. encoding=windows-1252 or encoding=macintosh\.$/,
    );
  });
});
