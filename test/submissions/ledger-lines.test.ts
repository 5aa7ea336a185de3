/** What the ledger of a submission says of each line, however its rows were cut into runs and chunks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { addToRuns, emptyChunk } from '../../src/store/ledger-runs.js';
import { indexPreview, Preview } from '../../src/submissions/preview.js';
import { indexEarlier, indexLedger, LineIndex } from '../../src/submissions/reading/line-index.js';
import { LedgerReader } from '../../src/submissions/results/ledger-reader.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
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
