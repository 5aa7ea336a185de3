/** What is learnt of an uploaded file from its bytes alone, wherever its blocks end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReadable } from '../../src/submissions/reading/check-readable.js';
import { watchFor } from '../../src/submissions/reading/mentions.js';
import { readSubmission } from '../../src/submissions/reading/read-submission.js';
import type { StoreQuestions } from '../../src/submissions/reading/read-task.js';
import type { TextRange } from '../../src/submissions/reading/stored-source.js';
import { HEAD_BYTES, readHead, watchUpload } from '../../src/submissions/uploads/upload-head.js';
import { RowReader } from '../../src/tsv/bytes/row-reader.js';
import type { SheetPlan } from '../../src/tsv/header/columns.js';
import { DataRows } from '../../src/tsv/rows/data-rows.js';
import { RECEIPT_END, RECEIPT_START } from '../../src/tsv/rows/receipt.js';
import '../support/seeds.js';
import { inMemoryUsedAgain } from '../tsv/read-sheet.js';

async function* blocksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const end = at + (sizes[n % sizes.length] as number);
    yield bytes.subarray(at, end);
    at = end;
  }
}

async function gathered(blocks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const block of blocks) all.push(block);
  return Buffer.concat(all);
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });

describe('a word is found in bytes that pass', () => {
  it('wherever the blocks end, and nothing of the bytes is lost', async () => {
    const text = fc.array(fc.constantFrom('a', 'ab', '"accession"', '"acc', 'ession"', '{'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, sizes, async (parts, cut) => {
        const bytes = Buffer.from(parts.join(''));
        const watched = watchFor(blocksOf(bytes, cut), '"accession"');
        expect(await gathered(watched.bytes)).toEqual(bytes);
        expect(watched.seen()).toBe(bytes.includes('"accession"'));
      }),
    );
  });

  it('as soon as its last block has come', async () => {
    const watched = watchFor(blocksOf(Buffer.from('{"relationships":[]}'), [5]), '"relationships"');
    const seen: boolean[] = [];
    for await (const _ of watched.bytes) seen.push(watched.seen());
    expect(seen).toEqual([false, false, false, true]);
  });
});

describe('a sheet can be read without being parsed', () => {
  const utf8 = { encoding: 'utf-8', delimiter: '\t' } as SheetPlan;
  /** As a stored file, and as it was seen when it came, which must be the same. */
  const readable = async (bytes: Buffer, cut: number[], plan = utf8) => {
    const stored = await checkReadable(() => inMemoryUsedAgain(blocksOf(bytes, cut)), plan);
    const upload = watchUpload(inMemoryUsedAgain(blocksOf(bytes, cut)), 1, () => {});
    for await (const _ of upload.source);
    if (plan === utf8) expect(upload.arePlain()).toBe(stored === 'readable');
    expect(await checkReadable(noBytes, plan, true)).toBe(plan === utf8 ? 'readable' : 'needs-parsing');
    return stored;
  };
  const noBytes = (): never => {
    throw new Error('Was read once more.');
  };
  const letters = fc.array(fc.constantFrom('a', '\t', '\n', 'é', '‰', '𝒳', '\u{10FFFF}'), { maxLength: 20 });

  it('where it is UTF-8 without a quote, wherever the blocks end', async () => {
    await fc.assert(
      fc.asyncProperty(letters, sizes, async (parts, cut) => {
        expect(await readable(Buffer.from(parts.join('')), cut)).toBe('readable');
      }),
    );
  });

  it('and not where a byte is missing, is another, or is a quote', async () => {
    const broken = fc.constantFrom([0x22], [0xff], [0x80], [0xc3], [0xe2, 0x80], [0xf0, 0x9d, 0x92], [0xc0, 0xaf]);
    await fc.assert(
      fc.asyncProperty(letters, broken, letters, sizes, async (before, bytes, behind, cut) => {
        const whole = [Buffer.from(before.join('')), Buffer.from(bytes), Buffer.from(behind.join(''))];
        expect(await readable(Buffer.concat(whole), cut)).toBe('needs-parsing');
      }),
    );
  });

  it('and not where a receipt has no end, as it is read row by row, wherever the blocks end', async () => {
    const names = ['sample', RECEIPT_START, RECEIPT_END];
    const cell = fc.constantFrom('', ' ', 'a', ...names, ` ${RECEIPT_END}`, `${RECEIPT_END} `, `${RECEIPT_END} x`);
    const line = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join('\t'));
    const lines = fc.array(line, { maxLength: 8 });
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(
        lines,
        ends,
        fc.boolean(),
        fc.oneof(sizes, fc.array(fc.constant(10_000), { minLength: 1 })),
        async (drawn, end, isEnded, cut) => {
          const text = ['Sample Name\tRelease Date', ...drawn].join(end) + (isEnded ? end : '');
          const rows = new DataRows(new RowReader('\t'), { header: ['Sample Name'], nameColumn: 0, headerEnd: 1 });
          rows.reader.load(text, true);
          while (rows.next());
          const isClosed = (): boolean => {
            try {
              rows.requireClosedReceipts();
              return true;
            } catch {
              return false;
            }
          };
          if (!isClosed()) expect(await readable(Buffer.from(text), cut)).toBe('needs-parsing');
          else if (!text.includes('RECEIPT')) expect(await readable(Buffer.from(text), cut)).toBe('readable');
        },
      ),
    );
  });

  it('and a whole receipt costs no parsing', async () => {
    const text = `Sample Name\nx\n\n${RECEIPT_START}\t\nCreated\t1\n\t${RECEIPT_END}\t\r\n`;
    expect(await readable(Buffer.from(text), [1_000])).toBe('readable');
  });

  it.each([
    [{ encoding: 'windows-1252', delimiter: '\t' }],
    [{ encoding: 'utf-8', delimiter: ',' }],
    [{ encoding: 'utf-8', delimiter: ';' }],
  ])('and not as %o', async (plan) => {
    expect(await readable(Buffer.from('a\n'), [1], plan as SheetPlan)).toBe('needs-parsing');
  });
});

describe('a stored file that was seen as it came', () => {
  const bytes = Buffer.from(
    `Sample Name\tRelease Date\n${['x', 'y', 'z'].map((name) => `${name}\t2024-01-01\n`).join('')}`,
  );
  const options = {
    mode: 'partial',
    update: 'replace',
    dryRun: false,
    duplicate: 'reuse',
    unknownColumns: 'ignore',
  } as const;
  const task = {
    fileSize: bytes.length,
    prefix: 'SAMR',
    account: 'lab',
    admin: false,
    batchRows: 10,
    accepted: 0,
    cursor: 0,
  };
  const ask: StoreQuestions = {
    ownersOf: async () => new Map(),
    knownKeys: async () => ({ samples: new Map(), keys: new Map() }),
    reserve: async () => 1,
    openRelationships: async () => 0,
    storedForEdit: async () => [],
  };

  it.each([
    [{}, 2],
    [{ arePlain: true as const }, 1],
  ])('with %j is passed through %i times', async (seen, times) => {
    let passed = 0;
    const open = (range?: TextRange) => {
      if (range?.passing) passed++;
      return blocksOf(bytes, [1_000]);
    };
    const asked = { ...task, registers: true, options: { ...options, ...seen } };
    let rows = 0;
    for await (const batch of readSubmission(open, asked, ask)) rows += batch.count;
    expect([rows, passed]).toEqual([3, times]);
  });
});

describe('the head of an upload', () => {
  const long = Buffer.alloc(HEAD_BYTES + 5_000, 'abcdefghijk');
  it.each([
    ['shorter than one', long.subarray(0, 700), 300],
    ['of just its length', long.subarray(0, HEAD_BYTES), 65_536],
    ['longer', long, 65_536],
    ['longer in one block', long, long.length],
    ['longer, whose blocks end within it', long, 70_000],
  ])('is its first megabyte: of a file %s', async (_, bytes, size) => {
    const upload = watchUpload(blocksOf(bytes, [size]), 1, () => {});
    expect((await gathered(upload.source)).equals(bytes)).toBe(true);
    expect(upload.head().equals(bytes.subarray(0, HEAD_BYTES))).toBe(true);
  });

  it('stays what it was when the block is used for the next bytes', async () => {
    const block = Buffer.from('first');
    async function* reused(): AsyncGenerator<Buffer> {
      yield block;
      block.write('other');
    }
    const upload = watchUpload(reused(), 1, () => {});
    for await (const _ of upload.source);
    expect(upload.head().toString()).toBe('first');
  });

  it.each([
    [99, 10, []],
    [100, 10, [100]],
    [101, 101, [101]],
    [5_000, 64, [128]],
  ])('of %i bytes, %i at a time, says once that there are 100: after %j', async (length, size, after) => {
    const said: number[] = [];
    let came = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const block of blocksOf(Buffer.alloc(length, 'a'), [size])) {
        came += block.length;
        yield block;
      }
    }
    for await (const _ of watchUpload(counted(), 100, () => said.push(came)).source);
    expect(said).toEqual(after);
  });

  it('is asked of a stored file by its end', async () => {
    const asked: unknown[] = [];
    const head = await readHead((range) => {
      asked.push(range);
      return blocksOf(Buffer.from('abcdef'), [4]);
    });
    expect([head.toString(), asked]).toEqual(['abcdef', [{ end: 1024 * 1024 }]]);
  });
});
