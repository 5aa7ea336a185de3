/** Values fixed in the page, wherever the rows around them stand by then: no row becomes a second sample, and none is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubmissionStatus } from '../../web/src/api/contract.js';
import { fixedWords } from '../../web/src/submission/fixing/fixed-words.js';
import { editsOf, withoutEdits } from '../../web/src/submission/fixing/fixing.js';
import { goesOnIn, isAsShown, isSentWhole } from '../../web/src/submission/fixing/sent-whole.js';
import type { RunningServer } from '../support/server.js';
import { without } from '../support/services.js';
import { type Browser, CALM } from './browser.js';
import { openBrowser, sharedServer } from './shared.js';
import { idInAddress } from './steps.js';

const GOOD = { created: 2, updated: 0, unchanged: 0, rejected: 0 };
const ONE_BAD = { ...GOOD, rejected: 1 };
const NONE_TAKEN = { ...GOOD, created: 0, rejected: 3 };
const CHECK = { dryRun: true };
const CARRIED_OUT = 'the commit';

describe('what is sent of a sheet that was fixed', () => {
  it.each([
    ['an upload', {}, ONE_BAD, undefined, 'rows'],
    ['an all-or-nothing upload that took none', { mode: 'atomic' }, NONE_TAKEN, undefined, 'sheet'],
    ['one of whose rows all are registered', { mode: 'atomic' }, GOOD, undefined, 'rows'],
    ['a check', CHECK, ONE_BAD, undefined, 'sheet'],
    ['a check of a sheet of which all rows are wrong', CHECK, NONE_TAKEN, undefined, 'sheet'],
    ['a check of what is registered', CHECK, { ...ONE_BAD, created: 0, unchanged: 2 }, undefined, 'rows'],
    ['a check that was carried out', CHECK, ONE_BAD, CARRIED_OUT, CARRIED_OUT],
    ['an all-or-nothing check that was carried out', { ...CHECK, mode: 'atomic' }, GOOD, CARRIED_OUT, CARRIED_OUT],
    ['the plan of a standing sheet', { ...CHECK, standing: 'lims' }, ONE_BAD, undefined, 'sheet'],
    ['a plan that was carried out', { ...CHECK, standing: 'lims' }, ONE_BAD, CARRIED_OUT, 'sheet'],
    ['the commit of a plan', { standing: 'lims', commitOf: {} }, ONE_BAD, undefined, 'sheet'],
  ])('of %s', (_, options, counts, committedBy, sent) => {
    const submission = { options, counts, committedBy } as unknown as SubmissionStatus;
    expect(goesOnIn(submission) ?? (isSentWhole(submission) ? 'sheet' : 'rows')).toBe(sent);
  });

  it.each([
    ['nothing', {}, {}, true],
    ['a commit that is shown', { committedBy: 'a' }, { committedBy: 'a' }, true],
    ['a commit', { committedBy: 'a' }, {}, false],
    ['an undo', { undoneBy: 'b' }, {}, false],
    ['an undo of what was carried out', { committedBy: 'a', undoneBy: 'b' }, { committedBy: 'a' }, false],
    ['a commit that is gone', {}, { committedBy: 'a' }, false],
  ])('waits for a look where somebody else has done something since: %s', (_, now, shown, isSent) => {
    expect(isAsShown(now, shown)).toBe(isSent);
  });

  it('is not what was typed meanwhile', () => {
    const row = (...cells: [number, string][]) => new Map(cells);
    const sent = new Map([
      [2, row([0, 'a'], [1, 'b'])],
      [3, row([0, 'c'])],
    ]);
    const present = new Map([...sent, [2, row([0, 'a'], [1, 'B'])], [4, row([0, 'd'])]]);
    const left = new Map([
      [2, row([1, 'B'])],
      [4, row([0, 'd'])],
    ]);
    expect(withoutEdits(present, sent)).toEqual(left);
    expect(withoutEdits(sent, sent).size).toBe(0);
    expect([...editsOf(present, [{ line: 3 }, { line: 4 }]).keys()]).toEqual([3, 4]);
  });
});

describe('what an administrator may send of a sheet of another account', () => {
  const rows = [{ line: 2, accession: 'SAMR1' }, { line: 3 }].map((row) => ({ ...row, cells: ['x'], issues: [] }));
  const report = { columns: ['Sample Name'], above: [], below: [], rows };
  const edits = (...lines: number[]) => new Map(lines.map((line) => [line, new Map([[0, 'y']])]));

  it.each([
    ['its changed samples', edits(2), {}, GOOD, false, true],
    ['a row that would be a sample of theirs', edits(2, 3), {}, ONE_BAD, false, false],
    ['the whole sheet', edits(2), CHECK, ONE_BAD, true, false],
    ['rows that a commit left alone', edits(), { commitOf: {} }, ONE_BAD, false, false],
  ])('is %s, or not', (_, edits, options, counts, whole, may) => {
    const submission = { options, counts, issues: [] } as unknown as SubmissionStatus;
    const fixed = { submission, report, edits, others: 0, stillBad: 0, whole };
    expect(fixedWords({ ...fixed, owner: undefined })?.ready).toBe(true);
    const words = fixedWords({ ...fixed, owner: 'lab-7' });
    expect([words?.ready, words?.hint.includes('lab-7’s')]).toEqual([may, !may]);
  });
});

const HEADER = 'No\tSample Name\tRelease Date\tCharacteristics[organism]\tCharacteristics[gene]\n';
const SPOILT = '2-Sep';

/** Three samples of which the second is spoilt by a spreadsheet, the third is refused or not. */
const sheet = (name: string, day: string) =>
  HEADER +
  [
    [1, '2024-01-01', 'TP53'],
    [2, '2024-01-01', SPOILT],
    [3, day, 'TP53'],
  ]
    .map(([number, release, gene]) => `${number}\t${name} ${number}\t${release}\tHomo sapiens\t${gene}\n`)
    .join('');
const BAD = '2024-13-01';

describe.skipIf(without('chromium'))('a sheet that was fixed', { tags: 'slow' }, () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-fixed-once');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const upload = async (name: string, options: Record<string, string>, day = BAD) =>
    (await server.uploadAndSettle(sheet(name, day), { name: `${name}.tsv`, token, options })).id;
  const commit = async (id: string) =>
    (await server.send('POST', `/submissions/${id}/commit`, {}, { token })).json<{ submissionId: string }>()
      .submissionId;

  /** What was checked and is shown. */
  const registerIfChecked = async ({ options, counts, standing }: SubmissionStatus): Promise<void> => {
    if (!options.dryRun) return;
    expect([counts.rejected, standing?.missing ?? 0]).toEqual([0, 0]);
    await browser.page.getByRole('button', { name: /^Register/ }).click();
    await browser.page.getByText('It carried out').waitFor();
  };

  /** Names and spoilt values of what is registered, each sample once. */
  const stored = async (name: string): Promise<string[]> => {
    const found = (await server.get(`/samples?text=${name}&filter=account:lab-fixed-once&size=50`, { token })).json<{
      _embedded: { samples: { name: string; characteristics: { gene: { text: string }[] } }[] };
    }>();
    return found._embedded.samples
      .map(({ name, characteristics }) => `${name}: ${characteristics.gene[0]?.text}`)
      .sort();
  };

  it.each([
    ['partial', {}, []],
    ['atomic', { mode: 'atomic' }, []],
    ['atomicgood', { mode: 'atomic' }, [], '2024-02-01'],
    ['checked', { dryRun: 'true' }, []],
    ['carriedout', { dryRun: 'true' }, ['commit']],
    ['seencheck', { dryRun: 'true' }, ['commit', 'back']],
    ['standingplan', { standing: 'fixed-once-1', key: 'No', missing: 'withdraw' }, []],
    ['standingdone', { standing: 'fixed-once-2', key: 'No', missing: 'withdraw' }, ['commit']],
    ['standingback', { standing: 'fixed-once-3', key: 'No', missing: 'withdraw' }, ['commit', 'back']],
  ] as [string, Record<string, string>, string[], string?][])(
    'as %s has each row once',
    async (name, options, then, day) => {
      const { page } = browser;
      const first = await upload(name, options, day);
      // Of rows that a wrong one holds back no warning is listed.
      const heldBack = options.mode === 'atomic' && day === undefined;
      await browser.view(`/submissions/${first}`);
      const spoilt = page.getByRole('textbox', { name: 'Line 3, Characteristics[gene]' });
      const refused = page.getByRole('textbox', { name: 'Line 4, Release Date' });
      await (day === undefined ? refused : spoilt).waitFor();
      if (day === undefined) await refused.fill('2024-02-01');
      if (then.length === 0 && !heldBack) await spoilt.fill('SEPT2');
      let at = first;
      if (then.includes('commit')) {
        await page.getByText('Draft of').waitFor();
        at = await commit(first);
        await browser.view(`/submissions/${then.includes('back') ? first : at}`);
        const further = page.getByText('This check was carried out').getByRole('link');
        if (then.includes('back') && !options.standing) await further.click();
        await spoilt.fill('SEPT2');
        // What was typed before the check was carried out is there, in the check and in what carried it out.
        expect(await refused.inputValue()).toBe('2024-02-01');
      }
      const sent = idInAddress(page);
      await page.getByRole('button', { name: /^(Upload|Check) the .*fixed rows?$|^Update 1.sample$/ }).click();
      await page.waitForURL((url) => !url.href.endsWith(sent));
      await page
        .getByRole('button', { name: /^Original|Original$/ })
        .or(page.getByRole('link', { name: 'Original' }))
        .waitFor();
      const check = (await server.get(`/submissions/${idInAddress(page)}`, { token })).json<SubmissionStatus>();
      await registerIfChecked(check);
      const second = heldBack ? SPOILT : 'SEPT2';
      expect(await stored(name)).toEqual([`${name} 1: TP53`, `${name} 2: ${second}`, `${name} 3: TP53`]);
    },
  );

  it('and is fixed once more says which rows would be second samples, and leaves them out', async () => {
    const { page } = browser;
    const name = 'oncemore';
    const first = await upload(name, {});
    await server.uploadAndSettle(sheet(name, '2024-02-01'), {
      name: 'sent meanwhile.tsv',
      token,
    });
    await browser.view(`/submissions/${first}`);
    await page.getByRole('textbox', { name: 'Line 4, Release Date' }).fill('2024-02-02');
    const note = page.getByRole('alert').filter({ hasText: /1.changed row would become a second sample of its name/ });
    await note.getByText(`Line 4: You have a sample "${name} 3" already: SAMR`).waitFor();
    await note.getByRole('button', { name: 'Leave this row out' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Line 4, Release Date' }).inputValue()).toBe(BAD);
    expect(await page.getByRole('button', { name: 'Upload the fixed rows' }).isDisabled()).toBe(true);
  });

  it('is not registered in the name of an administrator who fixes it', async () => {
    const id = await upload('theirs', {});
    const other = await openBrowser(server);
    try {
      await other.signIn(server.adminToken);
      await other.view(`/submissions/${id}`);
      const { page } = other;
      await page.getByRole('textbox', { name: 'Line 4, Release Date' }).fill('2024-02-02');
      await page.getByText('New samples of this sheet are lab-fixed-once’s').waitFor();
      const send = page.getByRole('button', { name: /^Upload the 1.fixed row$/ });
      expect(await send.isDisabled()).toBe(true);
      await page.getByRole('textbox', { name: 'Line 4, Release Date' }).fill(BAD);
      await page.getByRole('textbox', { name: 'Line 3, Characteristics[gene]' }).fill('SEPT2');
      await page.getByRole('button', { name: /^Update 1.sample$/ }).click();
      await page.getByText('Every row of the sheet is registered').waitFor();
      expect(await stored('theirs')).toEqual(['theirs 1: TP53', 'theirs 2: SEPT2']);
    } finally {
      await other.close();
    }
  });

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
