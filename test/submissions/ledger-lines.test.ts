/** What the ledger of a submission says of each line, however its rows were cut into runs and chunks. */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { addToRuns, emptyChunk } from '../../src/store/ledger-runs.js';
import { planFile } from '../../src/submissions/json-file/plan.js';
import { indexPreview, Preview } from '../../src/submissions/preview.js';
import { indexEarlier, indexLedger, LineIndex } from '../../src/submissions/reading/line-index.js';
import { KEPT_BYTES } from '../../src/submissions/reading/stored-source.js';
import { LedgerReader } from '../../src/submissions/results/ledger-reader.js';
import { readOutcomes, readRejected, readWarned } from '../../src/submissions/results/outcomes.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
import { written } from '../../src/submissions/written.js';
import '../support/seeds.js';

interface Line {
  line: number;
  outcome: 'created' | 'updated' | 'unchanged' | 'rejected';
  /** 0: what a dry run would create. */
  id: number;
  version: number;
  warned: boolean;
  /** The last one of its chunk. */
  last: boolean;
}

const issueOf = (line: number, severity: Issue['severity']): Issue => ({
  code: 'name.used-before',
  message: `about line ${line}`,
  line,
  severity,
});

const lines: fc.Arbitrary<Line[]> = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom('created', 'created', 'updated', 'unchanged', 'rejected'),
      far: fc.boolean(),
      version: fc.integer({ min: 1, max: 2 }),
      warned: fc.boolean(),
      last: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((drawn) => {
    let [line, id] = [1, 0];
    return drawn.map(({ step, outcome, far, version, warned, last }): Line => {
      line += step;
      id += far ? 10 : 1;
      return { line, outcome: outcome as Line['outcome'], id, version, warned, last };
    });
  });

function chunksOf(rows: readonly Line[], dryRun: boolean): LedgerChunk[] {
  const chunks: LedgerChunk[] = [];
  let chunk = emptyChunk(2, 0);
  for (const { line, outcome, id, version, warned, last } of rows) {
    if (outcome === 'rejected') chunk.rejected.push({ line, name: `row ${line}`, issues: [issueOf(line, 'error')] });
    else {
      addToRuns(chunk[outcome], line, dryRun && outcome === 'created' ? 0 : id);
      if (outcome !== 'created') {
        chunk.seen ??= [];
        chunk.seen.push([line, version, 1]);
      }
    }
    if (warned) {
      chunk.warnings ??= [];
      chunk.warnings.push({ line, name: `row ${line}`, issues: [issueOf(line, 'warning')] });
    }
    chunk.toLine = line;
    if (!last) continue;
    chunks.push(chunk);
    chunk = emptyChunk(line + 1, line);
  }
  if (chunk.toLine >= chunk.fromLine) chunks.push(chunk);
  return chunks;
}

async function* ledgerOf(chunks: readonly LedgerChunk[]): AsyncGenerator<LedgerChunk> {
  yield* chunks;
}

const registered = ({ outcome }: Line): boolean => outcome !== 'rejected';

describe('the ledger', () => {
  it('says of each line which sample it got, and of all others none', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), async (rows, dryRun) => {
        const index = new LineIndex(await indexLedger(ledgerOf(chunksOf(rows, dryRun))));
        const known = new Map(
          rows
            .filter(registered)
            .filter(({ outcome }) => !dryRun || outcome !== 'created')
            .map(({ line, id }) => [line, id]),
        );
        const end = (rows.at(-1)?.line ?? 0) + 3;
        for (let line = 0; line <= end; line++) expect(index.idAt(line), `line ${line}`).toBe(known.get(line));
      }),
    );
  });

  it('of several together says of each line what the first that knows it says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { minLength: 1, maxLength: 4 }), async (uploads) => {
        const ledgers = new Map(uploads.map((rows, n) => [`upload ${n}`, chunksOf(rows, false)]));
        const store = {
          earlierUploads: async () => [...ledgers.keys()],
          ledger: (id: string) => ledgerOf(ledgers.get(id) as LedgerChunk[]),
        };
        const index = new LineIndex(
          (await indexEarlier(store, { id: 'own', earlierUpload: 'upload 0' })) ?? new Float64Array(),
        );
        const known = new Map<number, number>();
        for (const { line, id } of uploads.flat().filter(registered)) known.has(line) || known.set(line, id);
        const end = Math.max(...uploads.flat().map(({ line }) => line)) + 3;
        for (let line = 0; line <= end; line++) expect(index.idAt(line), `line ${line}`).toBe(known.get(line));
        expect(await indexEarlier(store, { id: 'own' })).toBeUndefined();
      }),
    );
  });

  it('is read beside the file: at each of its lines what became of it, of what stands behind the last one nothing', async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (rows) => {
        const reader = new LedgerReader(ledgerOf(chunksOf(rows, false)));
        const reported = [];
        for (const { line } of rows) {
          const present = await reader.advance(line);
          const id = present.idAt(line);
          reported.push([line, id, present.isCreatedAt(line), present.rejectedAt(line), present.warningsAt(line)]);
        }
        expect(reported).toEqual(
          rows.map((row) => {
            const { line, outcome, id } = row;
            const good = registered(row);
            const warnings = row.warned ? [issueOf(line, 'warning')] : undefined;
            return [
              line,
              good ? id : undefined,
              outcome === 'created',
              good ? undefined : [issueOf(line, 'error'), ...(warnings ?? [])],
              good ? warnings : undefined,
            ];
          }),
        );
        const behind = (rows.at(-1)?.line as number) + 1;
        const done = await reader.advance(behind);
        const said = rows.map(({ line }) => [
          done.idAt(line),
          done.isCreatedAt(line),
          done.rejectedAt(line),
          done.warningsAt(line),
        ]);
        expect(said).toEqual(rows.map(() => [undefined, false, undefined, undefined]));
        expect(reader.advance(behind + 1)).toBe(reader);
        await reader.close();
      }),
    );
  });

  it('is left where it was, when nobody reads on', async () => {
    let left = false;
    async function* ledger(): AsyncGenerator<LedgerChunk> {
      try {
        yield { ...emptyChunk(2, 4), created: [[2, 70, 3]] };
        throw new Error('nobody asked for the next one');
      } finally {
        left = true;
      }
    }
    const reader = new LedgerReader(ledger());
    expect((await reader.advance(3)).idAt(3)).toBe(71);
    expect(reader.advance(4)).toBe(reader);
    await reader.close();
    expect(left).toBe(true);
  });
});

describe('what a dry run showed', () => {
  it('is of each line the version of its sample, 0 for a new one, and nothing where it was refused', async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (rows) => {
        const index = await indexPreview(ledgerOf(chunksOf(rows, true)));
        const [versions, showed] = [new Preview(index), new Preview(index)];
        for (const row of rows) {
          const { line, outcome, version } = row;
          const shown = outcome === 'created' ? 0 : version;
          expect(versions.versionAt(line)).toBe(registered(row) ? shown : undefined);
          // A row that names a sample is refused again by the store, with its own reason.
          expect(showed.showed(line, true)).toBe(outcome !== 'created');
          expect(showed.showed(line, false)).toBe(outcome === 'created');
        }
        expect(versions.versionAt((rows.at(-1)?.line as number) + 1)).toBeUndefined();
      }),
    );
  });
});

describe('rows beside what became of them', () => {
  const RELATION = 'Comment[bsd_relationship:derived from]';
  const beside = (
    rows: readonly string[],
    ledger: readonly LedgerChunk[],
    of: object = {},
    header = `Sample Name\tx\t${RELATION}`,
    pieces: (text: string) => string[] = (text) => [text],
  ) => {
    const text = [header, ...rows, ''].join('\n');
    const plan = planFile(
      Buffer.from(`${header}\n`),
      { prefix: 'SAMR', unknownColumns: 'ignore', releaseDate: 0 },
      false,
    );
    let [opened, closed] = [0, 0];
    const deps = {
      prefix: 'SAMR',
      store: {
        ledger: async function* () {
          try {
            yield* ledger;
          } finally {
            closed++;
          }
        },
      },
      blobs: {
        open: () => {
          opened++;
          return Readable.from(pieces(text).map((piece) => Buffer.from(piece)));
        },
      } as never,
    };
    const submission = {
      id: 'x',
      blobKey: 'k',
      fileSize: KEPT_BYTES + 1,
      options: {},
      state: 'COMPLETED',
      counts: { rows: 9, created: 1, updated: 0, unchanged: 0, rejected: 8 },
      ...of,
    } as never;
    return { deps, submission, plan, opened: () => opened, closed: () => closed };
  };
  const rejectedAt = (...lines: number[]) =>
    lines.map((line) => ({ line, name: '', issues: [issueOf(line, 'error')] }));
  const rejected = async (given: ReturnType<typeof beside>, characters?: number) => {
    const windows: string[][] = [];
    for await (const rows of readRejected(given.deps, given.submission, given.plan, characters))
      windows.push(rows.map(({ row, issues }) => [row.line, ...row.cells, issues.length].join('|')));
    return windows.flat();
  };
  const ROWS = [
    'parent\tx\t',
    'child\tx\t parent ',
    'orphan\tx\tnobody',
    'short',
    'bare\tx\t  ',
    'again\tx\tlate',
    'late\tx\t',
  ];
  const LEDGER = [
    { ...emptyChunk(2, 7), created: [[2, 7, 1]] as [number, number, number][], rejected: rejectedAt(3, 4, 5, 6, 7) },
    { ...emptyChunk(8, 8), updated: [[8, 9, 1]] as [number, number, number][] },
  ];

  it('name by its accession what was registered, however few of them are held at once', async () => {
    const wanted = ['3|child|x|SAMR7|1', '4|orphan|x|nobody|1', '5|short|1', '6|bare|x|  |1', '7|again|x|SAMR9|1'];
    for (const characters of [undefined, 1, 100_000]) {
      const given = beside(ROWS, LEDGER);
      expect(await rejected(given, characters)).toEqual(wanted);
      expect([given.opened(), given.closed()]).toEqual([2, 2]);
    }
  });

  it('name what was registered, though its name comes again in a row that was refused, and may have no such cell', async () => {
    const ledger: LedgerChunk[] = [{ ...emptyChunk(2, 5), created: [[2, 7, 1]], rejected: rejectedAt(3, 4, 5) }];
    const given = beside(['parent\tx\t', 'child\tx\tparent', 'parent\tx\t', 'two\tx'], ledger);
    expect(await rejected(given)).toEqual(['3|child|x|SAMR7|1', '4|parent|x||1', '5|two|x|1']);
  });

  it('are held until they and what is said of them are as many characters as may be, and looked up together', async () => {
    // Of a row 200, of a cell 16, of what is wrong with it 200, and the characters of its cells and messages.
    const long = 'x'.repeat(300_000);
    const rows = ROWS.slice(0, 3).map((row) => row.replace('x', long));
    const held = 200 + ('child'.length + long.length + ' parent '.length + 3 * 16) + (200 + 'about line 3'.length);
    for (const [characters, opened] of [
      [held, 3],
      [held + 1, 2],
    ] as const) {
      const ledger = [{ ...emptyChunk(2, 7), created: [[2, 7, 1]] as never, rejected: rejectedAt(3, 4) }];
      const given = beside(rows, ledger, {}, undefined, (text) => text.split(/(?<=\n)/));
      expect(await rejected(given, characters)).toEqual([`3|child|${long}|SAMR7|1`, `4|orphan|${long}|nobody|1`]);
      expect(given.opened()).toBe(opened);
    }
  });

  it('with warnings are those that are good, each with its accession where it is registered', async () => {
    const warnings = [3, 5, 9].map((line) => ({ line, name: '', issues: [issueOf(line, 'warning')] }));
    const ledger: LedgerChunk[] = [
      { ...emptyChunk(2, 4), created: [[2, 7, 2]], rejected: rejectedAt(4), warnings: warnings.slice(0, 1) },
      { ...emptyChunk(5, 9), updated: [[6, 1, 1]], warnings: warnings.slice(1) },
    ];
    const warned = async (dryRun: boolean) => {
      const given = beside(ROWS, ledger, { options: { dryRun } }, undefined, (text) => text.split(/(?<=\n)/));
      const seen: unknown[] = [];
      for await (const rows of readWarned(given.deps, given.submission, given.plan)) {
        expect(rows).not.toEqual([]);
        seen.push(...rows.map(({ row, accession, issues }) => [row.line, row.cells[0], accession, issues]));
      }
      expect([given.opened(), given.closed()]).toEqual([1, 1]);
      return seen;
    };
    const of = (line: number) => [issueOf(line, 'warning')];
    expect(await warned(false)).toEqual([
      [3, 'child', 'SAMR8', of(3)],
      [5, 'short', undefined, of(5)],
    ]);
    expect(await warned(true)).toEqual([
      [3, 'child', undefined, of(3)],
      [5, 'short', undefined, of(5)],
    ]);
  });

  it('that repeat one above, where that is one sample, are said to be its', async () => {
    const rows = ['a\tx', 'b\tx', 'a\ty', 'b\ty', 'c\tx', 'c\ty', 'a\tz', 'b\tz'];
    const ledger: LedgerChunk[] = [
      {
        ...emptyChunk(2, 9),
        created: [[2, 7, 1]],
        updated: [[3, 1, 1]],
        unchanged: [[9, 1, 1]],
        rejected: rejectedAt(6, 8),
      },
    ];
    const outcomes = async (oneSamplePerName: boolean) => {
      const given = beside(rows, ledger, {}, 'Sample Name\tx');
      const plan = { ...given.plan, oneSamplePerName };
      const said: string[] = [];
      for await (const each of readOutcomes(given.deps, given.submission, plan as never))
        said.push(...each.map(({ accession, existing, repeats }) => `${accession} ${existing} ${repeats}`));
      return said;
    };
    const none = 'undefined false undefined';
    const own = ['SAMR7 false undefined', 'SAMR1 true undefined'];
    expect(await outcomes(false)).toEqual([...own, none, none, none, none, none, own[1]]);
    expect(await outcomes(true)).toEqual([...own, 'SAMR7 false true', 'SAMR1 true true', none, none, none, own[1]]);
  });

  it('are read once where none refers to another, or none was registered', async () => {
    const none = { counts: { rows: 5, created: 0, updated: 0, unchanged: 0, rejected: 5 } };
    const held = beside(ROWS, LEDGER, none);
    expect((await rejected(held))[0]).toBe('3|child|x| parent |1');
    const plain = beside(['a\tx', 'b\tx'], LEDGER, {}, 'Sample Name\tx');
    expect(await rejected(plain)).toEqual(['3|b|x|1']);
    const blank = beside(['parent\tx\t', 'child\tx\t '], LEDGER);
    expect(await rejected(blank)).toEqual(['3|child|x| |1']);
    expect([held, plain, blank].map(({ opened }) => opened())).toEqual([1, 1, 1]);
    for (const counts of [
      { created: 0, updated: 1 },
      { created: 0, unchanged: 1 },
      { created: 1, updated: 1 },
      { created: 1, unchanged: -1 },
    ]) {
      const given = beside(ROWS, LEDGER, { counts: { updated: 0, unchanged: 0, ...counts } });
      const isNone = Object.values(counts).reduce((sum, count) => sum + count, 0) === 0;
      expect((await rejected(given))[0]).toBe(isNone ? '3|child|x| parent |1' : '3|child|x|SAMR7|1');
    }
  });

  it('are those above the place where the file cannot be read on, where the submission failed for that', async () => {
    const broken = ['parent\tx\t', 'b\t"never closed'];
    const outcomes = async (of: object) => {
      const given = beside(broken, LEDGER, of);
      const lines: string[] = [];
      for await (const rows of readOutcomes(given.deps, given.submission, given.plan))
        lines.push(...rows.map(({ row, accession, existing }) => `${row.line} ${accession} ${existing}`));
      expect(given.closed()).toBe(1);
      return lines;
    };
    const problem = (code: string) => ({ state: 'FAILED', problem: { code, message: '', retryable: false } });
    expect(await outcomes(problem('file.quote-unclosed'))).toEqual(['2 SAMR7 false']);
    expect(await outcomes({ state: 'ACTIVE' })).toEqual(['2 SAMR7 false']);
    for (const other of [problem('file.encoding'), {}])
      await expect(outcomes(other)).rejects.toMatchObject({ code: 'file.quote-unclosed' });
    const damaged = new RegistryError('storage.damaged', 'Damaged.');
    for (const error of [damaged, new Error('away')]) {
      const given = beside(broken, LEDGER, { state: 'ACTIVE' });
      const open = () => {
        throw error;
      };
      await expect(
        readOutcomes({ ...given.deps, blobs: { open } as never }, given.submission, given.plan).next(),
      ).rejects.toBe(error);
    }
  });

  it('get the date of the upload where it became theirs, and none where their sample keeps its own', () => {
    const { plan } = beside([], [], {}, 'Sample Name\tSample Identifier');
    const said = (cells: string[], of: object = {}, options: object = {}) =>
      written(plan, { row: { line: 2, cells }, accession: 'SAMR7', existing: false, ...of }, {
        releaseDate: 0,
        ...options,
      } as never);
    const day = '1970-01-01T00:00:00.000Z';
    expect(said(['a', ''])).toEqual({ accession: 'SAMR7', release: expect.stringContaining('1970-01-01') });
    expect(said(['a'])).toEqual(said(['a', '  ']));
    expect(said(['a', ' SAMR7 '])).toEqual({ accession: 'SAMR7', release: '' });
    expect(said(['a', ''], { existing: true })).toEqual({ accession: 'SAMR7', release: '' });
    expect(said(['a', 'SAMR7'], { existing: true }, { releaseExisting: true }).release).toBe(said(['a']).release);
    expect(said(['a'], { accession: undefined }).accession).toBe('');
    expect(said(['a'], {}, { releaseDate: undefined })).toEqual({ accession: 'SAMR7' });
    expect(Date.parse(said(['a']).release as string)).toBe(Date.parse(day));
    const unnamed = beside([], [], {}, 'Sample Name').plan;
    expect(
      written(unnamed, { row: { line: 2, cells: ['a'] }, accession: 'SAMR7', existing: false }, {
        releaseDate: 0,
      } as never),
    ).toEqual(said(['a']));
  });
});
