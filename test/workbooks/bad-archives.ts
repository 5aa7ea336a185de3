/**
 * Archives that cannot be read or must not be, of many sorts: what the refusal says, and what makes another for each
 * number, below `each` where they are costly.
 */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Random } from '../support/random.js';
import { type RawEntry, rawZip } from './raw-zip.js';

const MIB = 1024 * 1024;
const TABLE = (tag: string): string => `Sample Name\tRelease Date\torgan\n${tag}\t2024-01-01\tliver\n`;

/** Text that unpacks to 66 MiB: zeros, blank lines, one sheet over and over, one endless cell. */
const FILLS = ['\0', '\n', 'a\t2024-01-01\tb\n', 'x'];
interface Long {
  zipped: { packed: Buffer; size: number; crc: number };
}
/** Each when it is first asked for: to pack one takes half a second. */
const packedBefore = new Map<string, Long>();
function long(at: number): Long {
  const fill = FILLS[at % FILLS.length] as string;
  const before = packedBefore.get(fill);
  if (before) return before;
  const block = Buffer.alloc(MIB, fill);
  const text = Buffer.concat([Buffer.from(TABLE('bomb')), ...Array<Buffer>(66).fill(block)]);
  const made = { zipped: { packed: deflateRawSync(text), size: text.length, crc: crc32(text) } };
  packedBefore.set(fill, made);
  return made;
}

/** For those who are not held up while these are made. */
export function packBombs(kinds: number): void {
  for (let at = 0; at < kinds; at++) long(at);
}

const gzipOf = ({ packed, size, crc }: Long['zipped']): Buffer => {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(size, 4);
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), packed, end]);
};
const pick = <T>(choices: readonly T[], at: number): T => choices[at % choices.length] as T;
const zip = (...entries: RawEntry[]): Buffer => rawZip(entries);
const table = (tag: string, more: Partial<RawEntry> = {}): RawEntry => ({
  name: 'table.tsv',
  data: TABLE(tag),
  ...more,
});
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ 0x55;
  return copy;
};
const random = (at: number, length: number): Buffer => {
  const draw = new Random(20_261_123 + at);
  return Buffer.from(Array.from({ length }, () => draw.below(256)));
};
/** A table that hardly compresses, so that there is much to damage. */
const wide = (at: number): string =>
  TABLE(`w${at}`) + random(at, 600).toString('hex').replace(/.{40}/g, '$&\t2024-01-01\tx\n');

export const BAD_ARCHIVES: [sort: string, words: RegExp, make: (at: number) => Buffer, each?: number][] = [
  ['a gzip bomb', /unpacks to more than 300 times/, (at) => gzipOf(long(at).zipped), 1],
  [
    'a zip bomb',
    /part (s_t\.txt|a\/b\.csv) .*more than 300 times/,
    (at) => zip({ name: pick(['s_t.txt', 'a/b.csv'], at), ...long(at).zipped }),
    1,
  ],
  [
    'a bomb of many names for the same bytes',
    /several are tables of samples \(t0\.tsv, /,
    (at) =>
      zip(
        { name: 't0.tsv', ...long(at).zipped },
        ...Array.from({ length: 4 + at }, (_, n) => ({ name: `t${n + 1}.tsv`, ...long(at).zipped, sharing: 0 })),
      ),
    1,
  ],
  [
    'a part that says it is smaller',
    /part table\.tsv .*damaged \(too many bytes/,
    (at) => zip(table('less', { size: 1 + at })),
  ],
  [
    'a part that says it is larger',
    /part table\.tsv .*damaged \(not enough bytes/,
    (at) => zip(table('more', { size: pick([100_000, 2 ** 31, 2 ** 32 - 2], at) })),
  ],
  [
    'a good table beside one whose header cannot be read',
    /several are tables of samples \(good\.tsv, bad\.(tsv|csv)\)/,
    (at) =>
      zip(
        table('good', { name: 'good.tsv' }),
        pick(
          [
            { name: 'bad.tsv', data: 'Sample Name\torgan\tSample Name\nS1\tliver\tS1\n' },
            { name: 'bad.csv', data: 'Sample Name,Release Date,Release Date\nS1,2024-01-01,2024-01-01\n' },
            { name: 'bad.tsv', data: 'Sample Name\tCharacteristics[organism\nS1\tHomo sapiens\n' },
          ],
          at,
        ),
      ),
  ],
  [
    'an archive in an archive',
    /1 file \(\d\.zip\); none is a table/,
    (at) => {
      let inner = zip(table('nested'));
      for (let depth = 0; depth <= at; depth++) inner = zip({ name: `${depth}.zip`, data: inner });
      return inner;
    },
  ],
  [
    'an archive that is called a table',
    /This is a (zip|gzip) archive/,
    (at) => zip({ name: 'table.tsv', data: at % 2 ? gzipSync(TABLE(`g${at}`)) : zip(table(`z${at}`)) }),
  ],
  [
    'a compressed archive',
    /This is a (zip|gzip) archive/,
    (at) => gzipSync(pick([zip(table(`a${at}`)), gzipSync(TABLE(`b${at}`))], at)),
  ],
  [
    'a path that leads outside',
    /(relative|absolute) path: .*t\.tsv|relative path: a\/\.\./,
    (at) =>
      zip(
        table('path', {
          name: pick(['../t.tsv', 'a/../../t.tsv', '/etc/t.tsv', 'C:/t.tsv', '..\\..\\t.tsv', 'a/..'], at),
        }),
      ),
  ],
  [
    'two parts of one name',
    /two parts called table\.tsv/i,
    (at) => zip(table('one'), table('two', { name: pick(['table.tsv', 'TABLE.tsv', 'Table.TSV'], at) })),
  ],
  [
    'an archive that was cut short',
    /no whole zip package|list of parts/,
    (at) =>
      ((bytes) => bytes.subarray(0, Math.floor((bytes.length * (at + 1)) / 12)))(
        zip({ name: 't.tsv', data: wide(at) }),
      ),
  ],
  [
    'a compressed table that was cut short',
    /damaged or was cut short/,
    (at) => ((bytes) => bytes.subarray(0, Math.floor((bytes.length * (at + 1)) / 12)))(gzipSync(wide(at))),
  ],
  [
    'a part with a wrong byte',
    /part t\.tsv .*damaged/,
    (at) => flipped(zip({ name: 't.tsv', data: wide(at) }), 60 + at * 30),
  ],
  [
    'a stored part with a wrong byte',
    /part t\.tsv .*damaged \(its checksum is another\)/,
    (at) => flipped(zip({ name: 't.tsv', data: wide(at), packed: Buffer.from(wide(at)), method: 0 }), 100 + at * 30),
  ],
  [
    'a compressed table with a wrong byte',
    /damaged or was cut short/,
    (at) => flipped(gzipSync(wide(at)), 40 + at * 30),
  ],
  [
    'a part with a password',
    /password|encryption/,
    (at) => zip(table('locked', { flags: pick([1, 0x41, 0x801], at) })),
  ],
  [
    'a part compressed in a way of its own',
    /part table\.tsv .*compression method: \d+/,
    (at) => zip(table('other', { method: pick([1, 6, 9, 12, 14, 93, 95, 99], at) })),
  ],
  [
    'a list of parts that cannot be',
    /list of parts|65535 parts|no whole zip package/,
    (at) =>
      rawZip(
        [table('list')],
        pick([{ directoryAt: 2 ** 31 }, { count: 7 }, { count: 65_535 }, { commentLength: 9 }], at),
      ),
  ],
  [
    'more parts than are read',
    /2000\d parts; at most 20000/,
    (at) =>
      rawZip(Array.from({ length: 20_001 + at }, (_, n) => ({ name: `${n}`, packed: Buffer.alloc(0), method: 0 }))),
  ],
  [
    'nothing',
    /empty|0 files/,
    (at) => pick([rawZip([]), gzipSync(''), zip({ name: 'folder/' }), zip({ name: 't.tsv' })], at),
  ],
  [
    'no table',
    /[1-6] files? \(p0\.pdf.*none is a table/,
    (at) =>
      zip(
        ...Array.from({ length: at + 1 }, (_, n) => ({
          name: `p${n}.${pick(['pdf', 'png', 'exe', 'json'], n)}`,
          data: random(n, 50),
        })),
      ),
  ],
  [
    'several tables',
    /[2-7] files, of which several .*\(t0\.tsv, t1\.tsv/,
    (at) => zip(...Array.from({ length: at + 2 }, (_, n) => table(`t${n}`, { name: `t${n}.tsv` }))),
  ],
  [
    'an investigation file that is too long',
    /part i_a\.txt .*more than 16 MiB/,
    (at) => zip({ name: 's_a.txt', data: TABLE(`i${at}`) }, { name: 'i_a.txt', ...long(at).zipped }),
  ],
  [
    'another compression',
    /This is an? (bzip2|xz|zstd|7z) archive/,
    (at) =>
      Buffer.concat([
        Buffer.from(
          pick(
            [
              [0x42, 0x5a, 0x68],
              [0xfd, 0x37, 0x7a, 0x58, 0x5a],
              [0x28, 0xb5, 0x2f, 0xfd],
              [0x37, 0x7a, 0xbc, 0xaf],
            ],
            at,
          ),
        ),
        random(at, 200),
      ]),
  ],
];
