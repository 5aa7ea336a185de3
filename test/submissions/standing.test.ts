/** A whole export, night after night: what it has no more, who carries it out, and what is left alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { decideStanding, isPlan, planOptions, withdrawsMissing } from '../../src/submissions/standing/standing.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { Intake, RULES, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const sheet = (keys: readonly number[], value = 'x', bad: readonly number[] = []): string =>
  sheetOf(
    ['Sample Name', 'Barcode', 'Characteristics[value]', 'Release Date'],
    ...keys.map((key) => [`tube ${key}`, `B-${key}`, value, bad.includes(key) ? 'never' : '2020-01-01']),
  );
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const STANDING = { key: 'Barcode', standing: 'lims', missing: 'withdraw' } as const;

interface Missing {
  missing: { accession: string; key?: string; name: string }[];
}
const missingOf = async (submission: Submission, most?: number): Promise<Missing['missing']> =>
  (JSON.parse(await textOf(intake.results.missing(submission, most))) as Missing).missing;
const statusOf = async (account: string, key: string) => {
  const id = (await intake.store.findKey({ account, space: 'lims', key })) as number;
  return (await intake.store.readSample(id))?.sample.adminStatus;
};
const lines = async (submission: Submission): Promise<string[]> =>
  (await textOf(intake.results.result(submission))).split('\n').map((line) => line.replaceAll(submission.id, '{id}'));

/** Sends the export; answers the plan and its commit by itself. */
async function night(account: string, file: string, options: Partial<UploadOptions> = {}) {
  const plan = await intake.send(file, { ...STANDING, commit: 'auto', maxMissing: '3', ...options }, { account });
  const commit = plan.standing?.commit === undefined ? undefined : await intake.ended(plan.standing.commit);
  return { plan, commit };
}

describe('an export', () => {
  it('is planned when the one before it is carried out, however soon it comes', async () => {
    const options = { ...STANDING, commit: 'auto', maxMissing: '3' } as const;
    const accepted: Submission[] = [];
    for (const file of [sheet(upTo(10), 'a'), sheet(upTo(11).slice(1), 'b'), sheet(upTo(12).slice(2), 'c')]) {
      accepted.push((await intake.accept(file, options, { account: 'pair' })).submission);
    }
    const counts: Submission['counts'][] = [];
    for (const { id } of accepted) {
      const plan = await intake.ended(id);
      const commit = await intake.ended(plan.standing?.commit as string);
      expect([commit.state, commit.standing]).toEqual(['COMPLETED', { withdrawn: plan.standing?.missing, left: 0 }]);
      expect(commit.counts).toEqual(plan.counts);
      counts.push(commit.counts);
    }
    expect(counts).toMatchObject([
      { created: 10, updated: 0 },
      { created: 1, updated: 9 },
      { created: 1, updated: 9 },
    ]);
    expect(await Promise.all(['B-0', 'B-1', 'B-2'].map((key) => statusOf('pair', key)))).toEqual([
      'MISSING',
      'MISSING',
      undefined,
    ]);
  });

  it('is planned, carried out by itself below its ceiling, and withdraws what it has no more', async () => {
    const first = await night('auto', sheet(upTo(10)));
    expect(first.plan).toMatchObject({
      state: 'COMPLETED',
      options: { dryRun: true, commit: 'auto' },
      counts: { rows: 10, created: 10 },
      standing: { decision: 'COMMITTED', samples: 0, missing: 0 },
    });
    expect(first.commit).toMatchObject({
      state: 'COMPLETED',
      counts: { rows: 10, created: 10 },
      standing: { withdrawn: 0, left: 0 },
      options: { commitOf: { submissionId: first.plan.id, automatic: true }, dryRun: false },
    });
    const second = await night('auto', sheet([0, 1, 2, 3, 5, 7, 9]));
    expect(second.plan.standing).toMatchObject({ decision: 'COMMITTED', samples: 10, missing: 3 });
    const found = await missingOf(second.plan);
    expect(found.map(({ key, name }) => [key, name])).toEqual([
      ['B-4', 'tube 4'],
      ['B-6', 'tube 6'],
      ['B-8', 'tube 8'],
    ]);
    expect(await missingOf(second.plan, 2)).toEqual(found.slice(0, 2));
    expect(await missingOf(second.commit as Submission)).toEqual(found);
    expect(second.commit).toMatchObject({ counts: { rows: 7, unchanged: 7 }, standing: { withdrawn: 3, left: 0 } });
    expect(await lines(second.plan)).toEqual(
      expect.arrayContaining([
        'Standing sheet\tlims',
        'Missing\t3\tof 10 samples; GET /submissions/{id}/missing lists them',
        `Plan\tCOMMITTED\tsubmission ${second.commit?.id}`,
      ]),
    );
    expect(await lines(second.commit as Submission)).toEqual(
      expect.arrayContaining(['Standing sheet\tlims', 'Withdrawn\t3\tmissing samples']),
    );
    expect((await lines(second.commit as Submission)).filter((line) => line.startsWith('Left\t'))).toEqual([]);
    expect([await statusOf('auto', 'B-4'), await statusOf('auto', 'B-5')]).toEqual(['MISSING', undefined]);
    // What was withdrawn before and stays away is not missing once more; what comes back is there again.
    const third = await night('auto', sheet([0, 1, 2, 3, 4, 5, 7]));
    expect(third.plan.standing).toMatchObject({ decision: 'COMMITTED', samples: 8, missing: 1 });
    expect([await statusOf('auto', 'B-4'), await statusOf('auto', 'B-6'), await statusOf('auto', 'B-9')]).toEqual([
      undefined,
      'MISSING',
      'MISSING',
    ]);
    await intake.undo(third.commit as Submission);
    expect([await statusOf('auto', 'B-4'), await statusOf('auto', 'B-9')]).toEqual(['MISSING', undefined]);
  });

  it('stops above its ceiling, and says why; a commit by hand carries it out all the same', async () => {
    await night('stops', sheet(upTo(10)));
    const { plan, commit } = await night('stops', sheet(upTo(6)));
    expect(commit).toBeUndefined();
    expect(plan.standing).toMatchObject({ decision: 'STOPPED', samples: 10, missing: 4 });
    const why = `Nothing was changed: 4 samples are missing from the export, and maxMissing=3 allows 3 of 10 samples. Look at what is missing and what would change; if the export is right, commit the plan by hand (POST /submissions/${plan.id}/commit), otherwise send the whole export again.`;
    expect(plan.standing?.message).toBe(why);
    expect(await lines(plan)).toContain(`Plan\tSTOPPED\t${why.replaceAll(plan.id, '{id}')}`);
    expect(await statusOf('stops', 'B-9')).toBeUndefined();
    expect((await intake.commit(plan)).standing).toEqual({ withdrawn: 4, left: 0 });
    expect(await statusOf('stops', 'B-9')).toBe('MISSING');
  });

  it('that ends within a row stops, wherever it was cut, and sets back, creates and withdraws nothing', async () => {
    const whole = sheet(upTo(6));
    await night('cut', whole);
    const versions = async () =>
      Promise.all(
        upTo(6).map(async (key) => {
          const id = (await intake.store.findKey({ account: 'cut', space: 'lims', key: `B-${key}` })) as number;
          const sample = (await intake.store.readSample(id))?.sample;
          return [sample?.version, sample?.adminStatus];
        }),
      );
    const before = await versions();
    const start = whole.indexOf('tube 4');
    const decisions = new Set<string>();
    for (let end = start + 1; end < whole.indexOf('2020-01-01', start); end++) {
      const text = whole.slice(0, end);
      for (const missing of ['withdraw', 'report'] as const) {
        const { plan, commit } = await night('cut', text, { missing, maxMissing: '100%' });
        expect([plan.standing?.decision, commit], text.slice(start)).toEqual(['STOPPED', undefined]);
        expect(plan.standing?.message).toContain(
          'the file ends within the row of line 6, as one that was cut off does',
        );
        decisions.add(plan.counts.rejected > 0 ? 'refused' : 'taken');
      }
    }
    expect(decisions.size).toBe(2);
    expect(await versions()).toEqual(before);
    const short = `${whole.slice(0, start)}tube 4\tB-4\n`;
    expect((await night('cut', short)).plan.standing).toMatchObject({ decision: 'COMMITTED', missing: 1 });
  });

  it('waits for a commit by hand, and leaves what was changed after the plan', async () => {
    await night('hand', sheet(upTo(8)));
    const { plan, commit } = await night('hand', sheet(upTo(5)), { commit: 'hand' });
    expect([plan.standing?.decision, commit]).toEqual(['WAITING', undefined]);
    expect(await lines(plan)).toContain('Plan\tWAITING\t');
    await intake.send(
      sheetOf(
        ['Sample Identifier', 'Sample Name', 'Release Date'],
        [(await missingOf(plan))[1]?.accession as string, 'by hand', '2020-01-01'],
      ),
      {},
      { account: 'hand' },
    );
    const done = await intake.commit(plan);
    expect(done.standing).toEqual({ withdrawn: 2, left: 1 });
    expect(await lines(done)).toContain('Left\t1\tmissing samples that were changed after the plan');
    expect((await missingOf(done)).map(({ key }) => key)).toEqual(['B-5', 'B-7']);
  });

  const statuses = (account: string) => Promise.all(upTo(8).map((key) => statusOf(account, `B-${key}`)));
  const whole = Array(8).fill(undefined);

  it('that is older than the one carried out last is not committed by hand, until that is taken back', async () => {
    await night('older', sheet(upTo(8)));
    const { plan } = await night('older', sheet(upTo(5), 'y'), { maxMissing: '2' });
    expect(plan.standing?.decision).toBe('STOPPED');
    const { commit: newer } = await night('older', sheet(upTo(8)));
    expect(newer?.counts).toMatchObject({ unchanged: 8 });
    await expect(intake.commit(plan)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('A later export of this standing sheet was carried out by submission'),
      detail: { extra: { submissionId: newer?.id } },
    });
    expect(await statuses('older')).toEqual(whole);
    await intake.undo(newer as Submission);
    const done = await intake.commit(plan);
    expect(done).toMatchObject({ counts: { updated: 5 }, standing: { withdrawn: 3 } });
    await night('older', sheet(upTo(8)));
    expect((await intake.commit(plan)).id).toBe(done.id);
  });

  it('whose commit by hand is behind a later export changes nothing', async () => {
    const { plan } = await night('behind', sheet(upTo(8)), { commit: 'hand' });
    const options = { ...STANDING, commit: 'auto' } as const;
    const { submission: later } = await intake.accept(sheet(upTo(7)), options, { account: 'behind' });
    const { submission } = await intake.acceptCommit(plan);
    expect(await intake.ended(submission.id)).toMatchObject({
      state: 'FAILED',
      counts: { rows: 0 },
      problem: { code: 'conflict', retryable: false },
    });
    expect((await intake.found(later.id)).standing?.decision).toBe('COMMITTED');
  });

  it.each([0, 1])(
    'that failed and goes on behind a later one changes nothing more, its plan or its commit: %i',
    async (behind) => {
      const account = `goes on ${behind}`;
      await night(account, sheet(upTo(8)));
      const options = { ...STANDING, commit: 'auto', maxMissing: '9' } as const;
      const { submission: plan } = await intake.accept(sheet(upTo(4)), options, { account });
      const failing = behind ? ((await intake.ended(plan.id)).standing?.commit as string) : plan.id;
      const claim = (await intake.store.claimNext({ lane: 'small', worker: 'w', leaseMs: 1000, ...RULES })) as Claim;
      expect(claim.submission.id).toBe(failing);
      await intake.store.finish(claim, { code: 'storage.full', message: 'm', retryable: true });
      await night(account, sheet(upTo(8)));
      const resumed = intake.store.retry(failing);
      // A commit is held to what wrote rows in its key space since, before it is let on.
      if (behind) await expect(resumed).rejects.toThrow('send it again');
      else await resumed;
      const problem = { code: behind ? 'storage.full' : 'conflict' };
      expect(await intake.ended(failing)).toMatchObject({ state: 'FAILED', problem });
      expect(await statuses(account)).toEqual(whole);
    },
  );

  it.each<[string, Partial<UploadOptions> | undefined]>([
    ['from the first night on', undefined],
    ['behind an upload without keys', {}],
    ['behind an upload with them that is no such sheet', { key: 'Barcode', keySpace: 'lims' }],
  ])('that stays the same is known by its keys when outcomes of earlier nights are gone, %s', async (what, first) => {
    const account = `kept ${what}`;
    const file = sheet(upTo(5), what);
    if (first) await intake.send(file, first, { account });
    for (let n = 0; n < 3; n++) {
      const { plan, commit } = await night(account, file);
      const counts = n === 0 && !first ? { created: 5 } : { created: 0, unchanged: 5 };
      expect([plan, commit], `night ${n}`).toMatchObject([{ counts }, { state: 'COMPLETED', counts }]);
      intake.clock.now += 60_000;
      expect(await intake.store.forgetLedgers(intake.clock.now)).toBeGreaterThan(0);
    }
  });

  it('whose first night is undone registers anew, as the keys of what was withdrawn are gone', async () => {
    const file = sheet(upTo(5), 'first');
    const { commit } = await night('first', file);
    await night('first', file);
    await intake.undo(commit as Submission);
    expect((await night('first', file)).commit?.counts).toMatchObject({ created: 5 });
    expect(await Promise.all(upTo(5).map((key) => statusOf('first', `B-${key}`)))).toEqual(Array(5).fill(undefined));
  });

  it('of which a refused row has a key does not miss that sample; one without key may be any of them', async () => {
    await night('refused', sheet(upTo(8)));
    const keyed = await night('refused', sheet(upTo(8), 'x', [2]));
    expect(keyed.plan).toMatchObject({ counts: { rejected: 1 }, standing: { decision: 'COMMITTED', missing: 0 } });
    const keyless = sheet(upTo(8)).replace('\tB-2\t', '\t\t');
    const { plan } = await night('refused', keyless);
    expect(plan.standing).toMatchObject({ decision: 'STOPPED', missing: 1 });
    expect(plan.standing?.message).toContain(
      '1 refused rows have no key, so that they may be some of the 1 missing samples',
    );
  });

  it('leaves a sample whose key was given while it was planned: its row is refused, and it is not missing', async () => {
    await night('given', sheet(upTo(5)));
    const { submission } = await intake.accept(sheet([0, 1, 2, 20]), STANDING, { account: 'given' });
    let given = false;
    await intake.batchForBatch(submission.id, async () => {
      if (given || (await intake.found(submission.id)).cursor < 5) return;
      const draft = { name: 'tube 20', release: 0, content: emptyContent() };
      const sample = { draft, account: 'given', author: 'given', via: 'JSON_API', placeholder: false } as const;
      given = 'created' in (await intake.store.createWithKey(sample, { account: 'given', space: 'lims', key: 'B-20' }));
    });
    const done = await intake.commit(await intake.found(submission.id));
    expect([done.counts.rejected, done.standing]).toEqual([1, { withdrawn: 2, left: 1 }]);
    expect(await Promise.all(['B-3', 'B-20'].map((key) => statusOf('given', key)))).toEqual(['MISSING', undefined]);
  });

  it.each([
    ['beside rows that stay', [0, 1, 2, 20], ''],
    ['beside rows that change', [0, 1, 2, 20], 'y'],
  ])(
    'sent as all or nothing changes and withdraws nothing when a key was given since its plan, %s',
    async (what, keys, value) => {
      const account = `all ${what}`;
      await night(account, sheet(upTo(5)));
      const options = { ...STANDING, mode: 'atomic', commit: 'hand', maxMissing: '5' } as const;
      const plan = await intake.send(sheet(keys, value || 'x'), options, { account });
      expect(plan.standing).toMatchObject({ decision: 'WAITING', missing: 2 });
      const draft = { name: 'tube 20', release: 0, content: emptyContent() };
      const sample = { draft, account, author: account, via: 'JSON_API', placeholder: false } as const;
      await intake.store.createWithKey(sample, { account, space: 'lims', key: 'B-20' });
      intake.batchRows = 10;
      const done = await intake.commit(plan).finally(() => {
        intake.batchRows = 3;
      });
      expect(done).toMatchObject({
        state: 'FAILED',
        counts: { created: 0, updated: 0 },
        problem: { code: 'conflict' },
      });
      expect(done.problem?.message).toMatch(
        /it was sent as all or nothing: nothing was written\. Send the export again\.$/,
      );
      expect(await Promise.all(['B-3', 'B-4'].map((key) => statusOf(account, key)))).toEqual([undefined, undefined]);
    },
  );

  it('reports what is missing and withdraws nothing where that was not asked for', async () => {
    await night('report', sheet(upTo(8)));
    const { plan, commit } = await night('report', sheet(upTo(6), 'y'), { missing: 'report' });
    expect(plan.standing).toMatchObject({ decision: 'COMMITTED', missing: 2 });
    expect(commit).toMatchObject({ counts: { updated: 6 }, state: 'COMPLETED' });
    expect([commit?.standing, await statusOf('report', 'B-7')]).toEqual([undefined, undefined]);
  });

  it('is planned and nothing more where a dry run was asked for', async () => {
    const { plan, commit } = await night('dry', sheet(upTo(3)), { dryRun: true });
    expect([plan.standing?.decision, plan.options.commit, commit]).toEqual(['WAITING', undefined, undefined]);
  });

  it('whose worker stops between its batches is planned and carried out to its end by the next one', async () => {
    intake.batchRows = 2;
    await night('resumed', sheet(upTo(12)), { maxMissing: '9' });
    const { submission } = await intake.accept(
      sheet(upTo(3)),
      { ...STANDING, commit: 'auto', maxMissing: '9' },
      { account: 'resumed' },
    );
    expect(await intake.batchForBatch(submission.id)).toBeGreaterThan(3);
    const plan = await intake.found(submission.id);
    expect(plan.standing).toMatchObject({ decision: 'COMMITTED', samples: 12, missing: 9 });
    expect(await intake.batchForBatch(plan.standing?.commit as string)).toBeGreaterThan(3);
    expect((await intake.found(plan.standing?.commit as string)).standing).toEqual({ withdrawn: 9, left: 0 });
    expect((await missingOf(plan)).map(({ key }) => key)).toEqual(
      upTo(12)
        .slice(3)
        .map((key) => `B-${key}`),
    );
    intake.batchRows = 3;
  });
});

describe('what is missing', () => {
  it('is known when the plan has ended, and of no other file', async () => {
    const { submission } = await intake.accept(sheet([1]), STANDING, { account: 'unknown' });
    await expect(missingOf(submission)).rejects.toMatchObject({
      code: 'conflict',
      message: `Submission ${submission.id} still runs; ask again when it has ended.`,
    });
    await intake.store.cancel(submission.id);
    await expect(missingOf(await intake.ended(submission.id))).rejects.toThrow(
      'did not reach its end; upload the export again.',
    );
    const plain = await intake.send(sheet([2]), { key: 'Barcode' }, { account: 'unknown' });
    await expect(missingOf(plain)).rejects.toMatchObject({
      code: 'not-found',
      message: `Submission ${plain.id} is no standing sheet, so nothing is missing from it.`,
    });
  });
});

it('a commit by itself of a plan that did not end well writes nothing', async () => {
  const { submission } = await intake.accept(sheet(upTo(3)), { ...STANDING, commit: 'auto' }, { account: 'gone' });
  const planned = await intake.found(submission.id);
  await intake.store.cancel(planned.id);
  await intake.ended(planned.id);
  const draft = { ...planned, id: '7f3f8f4e-1111-4222-8333-444444444444' };
  const options = {
    ...planned.options,
    dryRun: false,
    commitOf: { submissionId: planned.id, automatic: true as const },
  };
  await intake.store.accept({ ...draft, options }, { sameBytes: false });
  expect(await intake.ended(draft.id)).toMatchObject({
    state: 'FAILED',
    problem: {
      code: 'conflict',
      message: `The plan ${planned.id} of this standing sheet did not reach its end, or was stopped: nothing was written. Send the export again.`,
      retryable: false,
    },
    counts: { rows: 0 },
  });
});

describe('the options of a standing sheet', () => {
  const options = (given: Partial<UploadOptions>) => given as UploadOptions;
  it.each([
    [{ standing: 's', dryRun: true }, true, false],
    [{ standing: 's', dryRun: true, missing: 'withdraw' }, true, false],
    [{ standing: 's', dryRun: false, missing: 'withdraw' }, false, true],
    [{ standing: 's', dryRun: false, missing: 'report' }, false, false],
    [{ standing: 's', dryRun: false }, false, false],
    [{ standing: 's', dryRun: true, missing: 'withdraw', undoOf: 'x' }, false, false],
    [{ standing: 's', dryRun: false, missing: 'withdraw', undoOf: 'x' }, false, false],
    [{ dryRun: true, missing: 'withdraw' }, false, false],
    [{ dryRun: false, missing: 'withdraw' }, false, false],
  ] as const)('%o: a plan: %s, withdraws: %s', (given, plans, withdraws) => {
    expect([isPlan(options(given)), withdrawsMissing(options(given))]).toEqual([plans, withdraws]);
  });

  it('make a plan of every standing sheet, and of nothing else', () => {
    expect(planOptions(options({ commit: 'auto', dryRun: false }))).toEqual({ commit: 'auto', dryRun: false });
    expect(planOptions(options({ standing: 's', dryRun: false }))).toEqual({ standing: 's', dryRun: true });
    expect(planOptions(options({ standing: 's', commit: 'auto', dryRun: false }))).toEqual({
      standing: 's',
      commit: 'auto',
      dryRun: true,
    });
    expect(planOptions(options({ standing: 's', commit: 'auto', dryRun: true }))).toEqual({
      standing: 's',
      dryRun: true,
    });
  });

  it('stop a plan with all its reasons', () => {
    const counts = { rows: 5, created: 0, updated: 3, unchanged: 0, rejected: 5 };
    const given = options({ standing: 's', missing: 'withdraw', maxMissing: '1', maxChanges: '20%' });
    const { message } = decideStanding({ id: 'p', options: given }, { counts, samples: 10, missing: 2, unkeyed: 4 });
    expect(message).toMatch(
      /^Nothing was changed: all 5 rows are refused; 2 samples are missing from the export, and maxMissing=1 allows 1 of 10 samples; 3 rows would create or update samples, and maxChanges=20% allows 2 of 10 samples; 4 refused rows have no key, so that they may be some of the 2 missing samples\. Look/,
    );
  });
});
