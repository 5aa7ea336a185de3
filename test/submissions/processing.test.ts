/** How a claimed submission is worked: batch for batch, handed back, taken over, interrupted, and ended once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { receivedError, sentError } from '../../src/registry/sent-error.js';
import { processSubmission } from '../../src/submissions/processing/process-submission.js';
import type { ProcessingDependencies } from '../../src/submissions/processing/processing.js';
import { isFinal, type Submission } from '../../src/submissions/submission.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { Uploads } from '../../src/submissions/uploads/uploads.js';
import { createSample } from '../many-machines/store-samples.js';
import { Intake, RULES, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());
beforeEach(() => {
  intake.events = {};
});

let sheets = 0;
const sheet = (rows: number, bad: readonly number[] = []): string => {
  sheets++;
  return sheetOf(
    ['Sample Name', 'Release Date', 'organism'],
    ...Array.from({ length: rows }, (_, at) => [`s${sheets} ${at}`, bad.includes(at) ? 'never' : '2020-01-01', 'x']),
  );
};
const claimed = async (id: string, leaseMs = 60_000): Promise<Claim> => {
  for (const lane of ['small', 'large'] as const) {
    const claim = await intake.store.claimNext({
      lane,
      worker: 'first',
      leaseMs,
      ...RULES,
      maxAttempts: 5,
      outsideMs: 1e9,
    });
    if (claim?.submission.id === id) return claim;
  }
  throw new Error(`nothing waits of ${id}`);
};
const never = new AbortController().signal;
/** The store as it is, some of its methods otherwise. */
const otherwise = (changes: Partial<ProcessingDependencies['store']>): ProcessingDependencies => ({
  ...intake.processing,
  store: { ...intake.store, ...changes },
  rules: { maxAttempts: 5, outsideMs: 1e9 },
});

describe('a submission', () => {
  it('is applied batch by batch, and whoever watches hears of it', async () => {
    const reported: string[] = [];
    intake.events = {
      applied: ({ cursor, state }, rows, ms) =>
        void reported.push(`${rows} rows to line ${cursor}, ${state}, ${ms >= 0}`),
      ended: ({ id, state }) => void reported.push(`${id} ${state}`),
      failed: () => void reported.push('failed'),
      claimLost: () => void reported.push('lost'),
    };
    const { id } = await intake.send(sheet(8, [4]));
    expect(reported).toEqual([
      '3 rows to line 4, ACTIVE, true',
      '4 rows to line 8, ACTIVE, true',
      '1 rows to line 9, COMPLETED_WITH_ERRORS, true',
      `${id} COMPLETED_WITH_ERRORS`,
    ]);
    expect(intake.announced.filter((announced) => announced === id)).toHaveLength(1);
  });

  it('is handed back between two batches when its worker stops, and goes on behind the last one', async () => {
    const { submission } = await intake.accept(sheet(8));
    const stopping = new AbortController();
    intake.events = { applied: () => stopping.abort() };
    await processSubmission(intake.processing, await claimed(submission.id), stopping.signal);
    const between = await intake.found(submission.id);
    expect(between).toMatchObject({ state: 'ACTIVE', phase: 'QUEUED', cursor: 4, counts: { rows: 3 } });
    expect([between.leaseUntil, between.setbacks]).toEqual([undefined, undefined]);
    expect(await textOf(intake.results.result(between))).toContain('\nProcessing\tup to line 4 so far;');
    const whole = await intake.ended(submission.id);
    expect(whole).toMatchObject({ state: 'COMPLETED', counts: { rows: 8, created: 8 }, attempts: 2, cursor: 9 });
  });

  it('that was cancelled meanwhile ends where it is', async () => {
    const { submission } = await intake.accept(sheet(8));
    let ended: Submission | undefined;
    intake.events = {
      applied: ({ id, state }) => void (state === 'ACTIVE' && intake.store.cancel(id)),
      ended: (present) => {
        ended = present;
      },
    };
    await intake.ended(submission.id);
    const present = await intake.found(submission.id);
    expect(present.state).toBe('CANCELLED');
    expect(present.counts.created).toBeGreaterThanOrEqual(3);
    expect(present.counts.created).toBeLessThan(8);
    expect(ended).toMatchObject({ id: submission.id, state: 'CANCELLED' });
    expect(intake.announced).toContain(submission.id);
  });

  describe('whose rows name rows further down', () => {
    const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let files = 0;
    /** Each of the first six rows names the fifth behind it, and all a sample that is there. */
    const chain = (present: string, bad: readonly number[] = []): string => {
      files++;
      const header =
        'Sample Name\tRelease Date\tComment[bsd_relationship:derived from]\tComment[bsd_relationship:same as]\n';
      const cells = rows.map((at) => [
        `chain ${files} ${at}`,
        bad.includes(at) ? 'never' : '2020-01-01',
        at < 6 ? `chain ${files} ${at + 5}` : '',
        present,
      ]);
      return header + cells.map((row) => `${row.join('\t')}\n`).join('');
    };
    const present = async (): Promise<string> => {
      const { sampleNameAccessionPairs: pairs } = JSON.parse(
        await textOf(intake.results.mapping(await intake.send(sheet(1)))),
      );
      return pairs[0].sampleAccession;
    };
    /** Of the samples of the file in order: the targets that they name, beside the one that all do. */
    const targets = async (submission: Submission, besides: string): Promise<string[][]> => {
      const { sampleNameAccessionPairs: pairs } = JSON.parse(await textOf(intake.results.mapping(submission)));
      const found: string[][] = [];
      for (const { sampleAccession } of pairs) {
        const record = await intake.store.readSample(Number(sampleAccession.slice('SAMR'.length)));
        const { relationships } = record?.sample.content ?? { relationships: [] };
        expect(relationships).toContainEqual({ type: 'same as', target: besides });
        found.push(relationships.map(({ target }) => target).filter((target) => target !== besides));
      }
      return found;
    };
    const accessions = async (submission: Submission): Promise<string[]> =>
      JSON.parse(await textOf(intake.results.mapping(submission))).sampleNameAccessionPairs.map(
        ({ sampleAccession }: { sampleAccession: string }) => sampleAccession,
      );

    it('and that was cancelled before these leaves none that names them, and is made whole by the same file', async () => {
      const besides = await present();
      const file = chain(besides);
      const { submission } = await intake.accept(file);
      await intake.oneBatch();
      expect(await intake.store.cancel(submission.id)).toMatchObject({ state: 'ACTIVE', cancelRequested: true });
      const cancelled = await intake.ended(submission.id);
      expect(cancelled).toMatchObject({ state: 'CANCELLED', counts: { rows: 3, created: 3, updated: 0 } });
      expect(intake.announced).toContain(submission.id);
      expect(await targets(cancelled, besides)).toEqual([[], [], []]);
      const again = await intake.send(file);
      expect(again).toMatchObject({ state: 'COMPLETED', counts: { created: 9, updated: 3 } });
      const all = await accessions(again);
      expect(await targets(again, besides)).toEqual(rows.map((at) => (at < 6 ? [all[at + 5]] : [])));
      expect(all.slice(0, 3)).toEqual(await accessions(cancelled));
    });

    it.each([
      ['while a worker has it', true],
      ['by whoever comes next, whatever stops it on the way', false],
    ])('is cancelled %s, batch for batch', async (_, working) => {
      const besides = await present();
      const { submission } = await intake.accept(chain(besides));
      if (working) {
        intake.events = { applied: ({ id, counts }) => void (counts.created === 6 && intake.store.cancel(id)) };
        await intake.work();
        intake.events = {};
      } else {
        await intake.oneBatch();
        await intake.oneBatch();
        const rung = intake.rung.length;
        const uploads = new Uploads(intake.uploads);
        await uploads.cancel(submission.id, { account: 'ada', admin: false });
        expect(intake.rung.slice(rung), 'nobody else looks for it at once').toEqual([submission.id]);
      }
      const steps = await intake.batchForBatch(submission.id);
      expect(steps).toBeGreaterThanOrEqual(working ? 0 : 2);
      const cancelled = await intake.found(submission.id);
      expect(cancelled).toMatchObject({ state: 'CANCELLED', counts: { created: 6 } });
      const all = await accessions(cancelled);
      expect(await targets(cancelled, besides)).toEqual([[all[5]], [], [], [], [], []]);
      const undone = await intake.undo(cancelled);
      expect(undone).toMatchObject({ state: 'COMPLETED', counts: { updated: 6, rejected: 0 } });
    });

    it('and of which too many are refused ends with none that names those behind', async () => {
      const besides = await present();
      const ended = await intake.send(chain(besides, [3, 4]), { maxRejected: '1' });
      expect(ended).toMatchObject({ state: 'FAILED', problem: { code: 'file.too-many-rejected' } });
      expect(ended.counts.created).toBe(3);
      expect(await targets(ended, besides)).toEqual([[], [], []]);
    });

    it('and that ends so reads nothing more of the file when its worker is lost before the end is written', async () => {
      const besides = await present();
      const { submission } = await intake.accept(chain(besides, [3, 4]), { maxRejected: '24%' });
      const lost = () => Promise.reject(new Error('the store is away'));
      await intake.work(otherwise({ finish: lost }));
      expect(await intake.found(submission.id)).toMatchObject({ state: 'ACTIVE', cursor: 12 });
      intake.clock.now += 3 * 60_000;
      for (let times = 0; times < 3 && !isFinal((await intake.found(submission.id)).state); times++) {
        await intake.work(otherwise({}));
        intake.clock.now += 60_000;
      }
      const ended = await intake.found(submission.id);
      expect(ended).toMatchObject({
        state: 'FAILED',
        problem: { code: 'file.too-many-rejected' },
        counts: { rows: 8, created: 3, rejected: 5 },
      });
      expect(await targets(ended, besides)).toEqual([[], [], []]);
    });
  });

  it.each([
    [20_000, 'small'],
    [10, 'large'],
  ] as const)(
    'with too many refused rows ends before the batch that has them (small below %i bytes: %s)',
    async (bytes, lane) => {
      intake.limits = { bytes, rows: 200 };
      const sent = await intake.send(sheet(9, [3, 4]), { maxRejected: '1' });
      intake.limits = { bytes: 20_000, rows: 200 };
      expect(sent).toMatchObject({
        lane,
        state: 'FAILED',
        counts: { rows: 8, created: 3, rejected: 5 },
        problem: { code: 'file.too-many-rejected', line: 9 },
      });
      const { rejected } = JSON.parse(await textOf(intake.results.errorsJson(sent))) as {
        rejected: { line: number; issues: { code: string; message: string }[] }[];
      };
      expect(rejected.map(({ line, issues }) => [line, issues[0]?.code])).toEqual([
        [5, 'release.invalid'],
        [6, 'release.invalid'],
        [7, 'row.held-back'],
        [8, 'row.held-back'],
        [9, 'row.held-back'],
      ]);
      expect(rejected[2]?.issues[0]?.message).toBe(
        'Nothing wrong with this row, but so many others are refused that the upload ended before it.',
      );
    },
  );

  it('sent as all or nothing registers nothing where one row is bad', async () => {
    const sent = await intake.send(sheet(5, [4]), { mode: 'atomic' });
    expect(sent).toMatchObject({ state: 'FAILED', counts: { rows: 5, created: 0, rejected: 5 } });
    const { rejected } = JSON.parse(await textOf(intake.results.errorsJson(sent))) as {
      rejected: { line: number; issues: { message: string }[] }[];
    };
    expect(rejected.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect(rejected[0]?.issues[0]?.message).toBe(
      'Nothing wrong with this row, but other rows of the file need fixing and it was sent as all or nothing.',
    );
    expect((await intake.send(sheet(5), { mode: 'atomic' })).counts).toMatchObject({ created: 5, rejected: 0 });
  });
});

describe('all or nothing', () => {
  const issuesOf = async (submission: Submission): Promise<string[]> => {
    const { rejected } = JSON.parse(await textOf(intake.results.errorsJson(submission))) as {
      rejected: { line: number; issues: { code: string }[] }[];
    };
    return rejected.map(({ line, issues }) => `${line} ${issues[0]?.code}`);
  };
  const HEADER = ['Sample Name', 'Release Date', 'Sample Identifier', 'organism'];
  const naming = (...accessions: string[]): string =>
    sheetOf(HEADER, ...accessions.map((accession, at) => [`n${++sheets} ${at}`, '2020-01-01', accession, 'x']));
  /** Hands back after each batch, and does something before the next. */
  const interrupted = async (id: string, meanwhile: () => Promise<unknown>, least = 4): Promise<Submission> => {
    const stopping = new AbortController();
    intake.events = { applied: () => stopping.abort() };
    await processSubmission(intake.processing, await claimed(id), stopping.signal);
    expect((await intake.found(id)).cursor).toBeGreaterThanOrEqual(least);
    expect((await intake.found(id)).state).toBe('ACTIVE');
    intake.events = {};
    await meanwhile();
    return await intake.ended(id);
  };
  const accessionBehind = async (rows: number): Promise<string> => {
    const text = await textOf(intake.results.mapping(await intake.send(sheet(1))));
    return `SAMR${Number(/SAMR(\d+)/.exec(text)?.[1]) + rows}`;
  };

  it('stays nothing for whoever goes on, though what was wrong is right by then', async () => {
    const later = await accessionBehind(1);
    const { submission } = await intake.accept(naming('', '', '', later, '', '', '', ''), { mode: 'atomic' });
    const ended = await interrupted(submission.id, () => createSample(intake.store, 'ada', Date.UTC(2020, 0, 1)));
    expect(ended).toMatchObject({ state: 'FAILED', counts: { rows: 8, created: 0, updated: 0, rejected: 8 } });
    expect((await intake.store.readSample(Number(later.slice(4))))?.sample.version).toBe(1);
  });

  it.each([
    ['of new samples', 3, [3]],
    ['of as many new samples as others', 2, [1, 3]],
  ])('goes on with the rest where rows %s are registered, whatever is said of them by then', async (_, rows, named) => {
    const present = [...(await textOf(intake.results.mapping(await intake.send(sheet(2))))).matchAll(/SAMR\d+/g)].map(
      ([one]) => one,
    );
    const file = naming(...Array.from({ length: 8 }, (__, row) => present[named.indexOf(row)] ?? ''));
    const { submission } = await intake.accept(file, { mode: 'atomic' });
    const { store, batchRows } = intake;
    const findOwners = store.findOwners;
    intake.batchRows = rows;
    const ended = await interrupted(
      submission.id,
      async () => {
        Object.assign(store, { findOwners: async () => new Map() });
      },
      rows + 1,
    ).finally(() => {
      Object.assign(store, { findOwners });
      intake.batchRows = batchRows;
    });
    expect(ended.counts).toMatchObject({ created: 8 - named.length, updated: named.length, rejected: 0 });
  });

  const HEADS = ['Sample Name', 'Release Date', 'Comment[bsd_relationship:derived from]'];
  it.each([
    ['a sheet', (rows: string[][]) => sheetOf(HEADS, ...rows), {}],
    [
      'a file of JSON',
      (rows: string[][]) =>
        rows
          .map(([name = '', release = '', target = '']) => {
            const relationships = target === '' ? [] : [{ source: name, type: 'derived from', target }];
            return `${JSON.stringify({ name, release, relationships })}\n`;
          })
          .join(''),
      {},
    ],
    ['a sheet whose relationships may wait', (rows: string[][]) => sheetOf(HEADS, ...rows), { relationships: 'later' }],
  ] as const)('lets no row of %s mean a sample that a refused row would be by now', async (_, fileOf, options) => {
    const later = await accessionBehind(30);
    const names = Array.from({ length: 9 }, () => `d${++sheets}`);
    const rows = names.map((name, at) => [
      name,
      '2020-01-01',
      at === 0 ? later : at === 7 ? (names[0] as string) : at === 8 ? (names[1] as string) : '',
    ]);
    const { submission } = await intake.accept(fileOf(rows), options);
    const ended = await interrupted(
      submission.id,
      async () => {
        while (`SAMR${await createSample(intake.store, 'ada', 0)}` !== later);
      },
      3,
    );
    const mapped = [...(await textOf(intake.results.mapping(ended))).matchAll(/SAMR(\d+)/g)].map(([, id]) =>
      Number(id),
    );
    const targets = (await intake.store.sampleRecords(mapped)).map(({ sample }) =>
      sample.content.relationships.map(({ target }) => target),
    );
    // The first row was refused; the last but one names it, the last names the second.
    const isOpen = 'relationships' in options;
    expect(ended.counts).toMatchObject({ created: isOpen ? 8 : 7, rejected: isOpen ? 1 : 2 });
    expect(targets.filter((each) => each.length > 0)).toEqual([[`SAMR${mapped[0]}`]]);
  });

  it('is nothing where the store refuses a row that looked good, which alone says why', async () => {
    const { submission } = await intake.accept(naming('', '', 'SAMR900', '', ''), { mode: 'atomic' });
    // When the file was looked at, there was such a sample.
    const findOwners = async (ids: readonly number[]) => new Map(ids.map((id) => [id, 'ada']));
    await processSubmission(otherwise({ findOwners }), await claimed(submission.id), never);
    const ended = await intake.found(submission.id);
    expect(ended).toMatchObject({ state: 'FAILED', counts: { rows: 5, created: 0, rejected: 5 } });
    expect(await issuesOf(ended)).toEqual([
      '2 row.held-back',
      '3 row.held-back',
      '4 identifier.unknown',
      '5 row.held-back',
      '6 row.held-back',
    ]);
  });

  it('ends a commit whose sample is written between its look and its first row', async () => {
    const text = await textOf(intake.results.mapping(await intake.send(sheet(2))));
    const accessions = [...text.matchAll(/SAMR\d+/g)].map(([one]) => one);
    const dry = await intake.send(naming(...accessions), { mode: 'atomic', dryRun: true });
    const { submission } = await intake.acceptCommit(dry);
    let writes = 0;
    const deps = otherwise({
      applyBatch: async (...batch) => {
        if (writes++ === 0) await intake.send(naming(accessions[1] as string));
        return intake.store.applyBatch(...batch);
      },
    });
    await processSubmission(deps, await claimed(submission.id), never);
    expect(await intake.found(submission.id)).toMatchObject({
      state: 'FAILED',
      counts: { rows: 0, updated: 0 },
      problem: {
        code: 'conflict',
        message:
          'The sample of one row was changed since the dry run (line 3), and it was sent as all or nothing: nothing was written. Make a new dry run.',
      },
    });
  });
});

describe('processing that is interrupted', () => {
  const run = async (deps: ProcessingDependencies): Promise<{ present: Submission; claim: Claim }> => {
    const { submission } = await intake.accept(sheet(5));
    const claim = await claimed(submission.id);
    await processSubmission(deps, claim, never);
    return { present: await intake.found(submission.id), claim };
  };

  it('by a service that is away counts as a setback from outside, and is tried again', async () => {
    const away = new RegistryError('service.unavailable', 'The store cannot be reached now; try again in a minute.');
    const { present } = await run(otherwise({ applyBatch: () => Promise.reject(away) }));
    expect(present).toMatchObject({
      state: 'ACTIVE',
      setbacks: { outside: 1, itself: 0, reason: 'The store cannot be reached now; try again in a minute.' },
    });
    expect((await intake.ended(present.id)).state).toBe('COMPLETED');
  });

  it('by a machine that has no files left counts as one from outside, in the thread that reads, too', async () => {
    const full = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    for (const error of [full, receivedError(sentError(full))]) {
      const { present } = await run(otherwise({ applyBatch: () => Promise.reject(error) }));
      expect(present).toMatchObject({ state: 'ACTIVE', setbacks: { outside: 1, itself: 0 } });
      intake.clock.now += 60_000;
      expect((await intake.ended(present.id)).state).toBe('COMPLETED');
    }
  });

  it('by a fault of its own counts as one, and is quoted by a number', async () => {
    const failed: unknown[] = [];
    intake.events = { failed: (claim, error, id) => void failed.push(claim.submission.id, error, id) };
    const broken = new Error('a fault of the program');
    const { present } = await run(otherwise({ applyBatch: () => Promise.reject(broken) }));
    expect(present.setbacks).toMatchObject({ outside: 0, itself: 1 });
    expect(failed.slice(0, 2)).toEqual([present.id, broken]);
    expect(present.setbacks?.reason).toContain(
      `Something went wrong here after line 0. Send the file again to go on; if it happens again, quote ${failed[2]}.`,
    );
    intake.clock.now += 60_000;
    expect((await intake.ended(present.id)).state).toBe('COMPLETED');
  });

  it('ends with its reason when it is given up', async () => {
    const ended: string[] = [];
    intake.events = { ended: ({ id }) => void ended.push(id) };
    const full = new RegistryError('storage.full', 'The disk is full.');
    const deps = { ...otherwise({ applyBatch: () => Promise.reject(full) }), rules: { maxAttempts: 1, outsideMs: 0 } };
    const { present } = await run(deps);
    expect(present).toMatchObject({
      state: 'FAILED',
      problem: { code: 'storage.full', message: 'The disk is full.', retryable: true },
    });
    expect([ended, intake.announced.at(-1)]).toEqual([[present.id], present.id]);
    const again = await intake.store.retry(present.id);
    expect(again?.state).toBe('ACTIVE');
    expect((await intake.ended(present.id)).state).toBe('COMPLETED');
  });

  it('by the fault of its file ends, and is not tried again', async () => {
    const { present } = await run(
      otherwise({
        applyBatch: () => Promise.reject(new RegistryError('file.too-many-open', 'It leaves too much open.')),
      }),
    );
    expect(present).toMatchObject({ state: 'FAILED', problem: { code: 'file.too-many-open', retryable: false } });
  });

  it('by another worker that took over writes nothing more', async () => {
    let [lost, failed] = [0, 0];
    intake.events = { claimLost: () => void lost++, failed: () => void failed++ };
    const gone = new RegistryError('claim.lost', 'Another worker has it.');
    const { present } = await run(otherwise({ applyBatch: () => Promise.reject(gone) }));
    expect([present.state, present.setbacks, lost, failed]).toEqual(['ACTIVE', undefined, 1, 0]);
    intake.clock.now += 120_000;
    await intake.work({ ...intake.processing, rules: { maxAttempts: 5, outsideMs: 1e9 } });
  });

  it('by a store that cannot even note it is left to its lease', async () => {
    const reported: unknown[] = [];
    intake.events = { failed: (_, error) => void reported.push(error) };
    const away = new Error('no store');
    const { present } = await run(
      otherwise({ applyBatch: () => Promise.reject(away), setBack: () => Promise.reject(away) }),
    );
    expect(present.state).toBe('ACTIVE');
    expect(reported).toEqual([away, away]);
  });

  it('keeps its lease meanwhile', async () => {
    const { submission } = await intake.accept(sheet(3));
    const claim = await claimed(submission.id);
    let beats = 0;
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const deps = {
      ...otherwise({
        heartbeat: async (beaten, { leaseMs }) => {
          expect([beaten, leaseMs]).toEqual([claim, 30]);
          if (++beats === 3) release();
          return intake.found(submission.id);
        },
        findNamed: async () => {
          await slow;
          return new Map();
        },
      }),
      leaseMs: 30,
    };
    await processSubmission(deps, claim, never);
    expect(beats).toBeGreaterThanOrEqual(3);
    expect((await intake.found(submission.id)).state).toBe('COMPLETED');
  });

  it('loses no upload to hints that cannot be had, or to a bell that cannot be rung', async () => {
    const away = () => Promise.reject(new Error('away'));
    const { present } = await run({ ...otherwise({ findNamed: away }), queue: { ...intake.queue, announce: away } });
    expect(present.state).toBe('COMPLETED');
  });
});

describe('large files', () => {
  it('are read apart where there is a place for it, small ones are not', async () => {
    const apart: string[] = [];
    const readApart: ProcessingDependencies['readApart'] = (source) => {
      apart.push(source.key);
      throw new RegistryError('file.encoding', 'Read apart.');
    };
    const small = await intake.accept(sheet(3));
    intake.limits = { bytes: 10, rows: 200 };
    const large = await intake.accept(sheet(3));
    intake.limits = { bytes: 20_000, rows: 200 };
    for (const { submission } of [small, large])
      await processSubmission({ ...intake.processing, readApart }, await claimed(submission.id), never);
    expect(apart).toEqual([large.submission.blobKey]);
    expect((await intake.found(small.submission.id)).state).toBe('COMPLETED');
    expect((await intake.found(large.submission.id)).problem).toMatchObject({ code: 'file.encoding' });
  });

  it('are read here where there is none', async () => {
    intake.limits = { bytes: 10, rows: 200 };
    const sent = await intake.send(sheet(4));
    intake.limits = { bytes: 20_000, rows: 200 };
    expect(sent).toMatchObject({ lane: 'large', state: 'COMPLETED', counts: { created: 4 } });
  });
});
