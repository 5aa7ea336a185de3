/** A sheet that is not ours in the page: its columns are proposed, changed, kept, and the next sheet goes in by one click. */
import { buffer } from 'node:stream/consumers';
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeWorkbook } from '../../../src/workbooks/write.js';
import { toXlsx } from '../../e2e/sheets.js';
import { fixture, withoutFixtures } from '../../support/fixtures.js';
import type { RunningServer } from '../../support/server.js';
import { without } from '../../support/services.js';
import { PROPOSAL_SHEETS, type ProposalSheet } from '../../tsv/propose/proposal-sheets.js';
import { seriousFindings } from '../axe.js';
import { type Browser, CALM } from '../browser.js';
import { openBrowser, sharedServer } from '../shared.js';
import { file } from '../sheets.js';

type Sample = { name: string; release: string; characteristics: Record<string, { text: string; unit?: string }[]> };

const FREEZER = [
  ['Tube', 'organ', 'age (years)', 'Frozen on', 'Box', 'Shelf', 'Release Date'],
  ['{}-1', 'liver', '3', '21.03.2024', 'B1', 'x', '2024-05-01'],
  ['{}-2', 'heart', '4', '22.03.2024', 'B2', 'y', '2024-05-01'],
];
const freezer = (tag: string, header = FREEZER[0] as string[]): string[][] => [
  header,
  ...FREEZER.slice(1).map((row) => row.map((cell) => cell.replace('{}', tag)).slice(0, header.length)),
];
const text = (rows: readonly (readonly string[])[], by = '\t'): string =>
  rows.map((row) => `${row.join(by)}\n`).join('');
const rowsOf = ({ above = [], columns, rows }: ProposalSheet): string[][] => [
  ...above,
  columns.map(([header]) => header),
  ...rows,
];

describe.skipIf(without('chromium'))('the columns of a sheet that is not ours', () => {
  let server: RunningServer;
  let browser: Browser;
  let token: string;
  beforeAll(async () => {
    server = sharedServer();
    token = await server.token('lab-mapping');
    browser = await openBrowser(server);
    await browser.signIn(token);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const page = () => browser.page;
  const choose = async (name: string, content: string | Buffer) => {
    await browser.view('/');
    const chosen = typeof content === 'string' ? file(name, content) : { name, mimeType: '', buffer: content };
    await page().locator('input[type=file]').setInputFiles(chosen);
  };
  const columns = (name: string) => page().getByRole('region', { name: `Columns of ${name}`, exact: true });
  const kept = () => page().getByRole('button', { name: 'Keep and use' });
  /** Of the submission that is shown. */
  const receipt = async (): Promise<string> => {
    const id = /submissions\/([\w-]+)/.exec(page().url())?.[1];
    return (await server.get(`/submissions/${id}/result`, { token })).text.split('RECEIPT START')[1] ?? '';
  };
  const registered = () => page().getByText('Every row of the sheet is registered').waitFor();
  const samplesOf = async (name: string, as = token): Promise<Sample[]> =>
    (await server.get(`/samples?filter=name:${name}`, { token: as })).json<{ _embedded: { samples: Sample[] } }>()
      ._embedded.samples;

  it('are proposed with values, reasons and how they would look; unknown ones are kept by one click', async () => {
    await choose('freezer.tsv', text(freezer('rack')));
    await columns('freezer.tsv').waitFor();
    await page()
      .getByRole('row', { name: /^Tube rack-1 rack-2 .*Please look/ })
      .waitFor();
    await page()
      .getByRole('row', { name: /^age \(years\) 3 4 .*Sure.*unit year/ })
      .waitFor();
    const shown = page().getByRole('list', { name: 'The first rows as samples' });
    expect(await shown.textContent()).toContain('rack-1: organ liver · age 3 year · Frozen on 2024-03-21');
    await page().getByRole('button', { name: 'Keep all 3 as characteristics' }).click();
    await page()
      .getByRole('row', { name: /^Box B1 B2 .*You said so/ })
      .waitFor();
    expect(await seriousFindings(page(), 'light')).toEqual([]);
    await browser.picture('mapping');
  });

  it('are changed by one control each, by keyboard too, and go in as they were said', { tags: 'slow' }, async () => {
    await page().getByRole('combobox', { name: 'What Shelf is' }).click();
    await page().getByRole('option', { name: 'Not stored', exact: true }).click();
    await page().getByRole('combobox', { name: 'What organ is' }).focus();
    await page().keyboard.press('Enter');
    await page().getByRole('option', { name: 'Remark: not stored' }).waitFor();
    await page().keyboard.press('Escape');
    await page().getByRole('textbox', { name: 'Organism of all samples' }).fill('Mus musculus');
    await kept().click();
    await page().getByText('Read as freezer').waitFor();
    await page()
      .getByRole('button', { name: /^Register 2.samples$/ })
      .click();
    await registered();
    const [sample] = await samplesOf('rack-1');
    expect(sample?.characteristics).toMatchObject({
      organism: [{ text: 'Mus musculus' }],
      age: [{ text: '3', unit: 'year' }],
      'Frozen on': [{ text: '2024-03-21' }],
      Box: [{ text: 'B1' }],
    });
    expect(sample?.characteristics.Shelf).toBeUndefined();
  });

  it('of our own may be read otherwise: by another sheet of the workbook, or with another header row, and back', {
    tags: 'slow',
  }, async () => {
    const ours = (tag: string) => [
      ['Sample Name', 'Release Date', 'Characteristics[organ]'],
      [`${tag} 1`, '2024-05-01', 'liver'],
      [`${tag} 2`, '2024-05-01', 'heart'],
    ];
    const cells = (rows: string[][]) => rows.map((row) => row.map((value) => ({ text: value })));
    const sheets = [
      { name: 'First', rows: cells(ours('one')) },
      { name: 'Second', rows: cells([...ours('two'), ['two 3', '2024-05-01', 'lung']]) },
    ];
    await choose('both.xlsx', await buffer(writeWorkbook(sheets, 'test')));
    await page()
      .getByText(/^2.samples, each with up to 1.characteristic$/)
      .waitFor();
    const tabs = page().getByRole('group', { name: 'Sheets of both.xlsx' });
    expect(await tabs.getByRole('button', { name: 'First' }).getAttribute('aria-pressed')).toBe('true');
    await tabs.getByRole('button', { name: 'Second' }).click();
    await page()
      .getByText(/^3.samples, each with up to 1.characteristic$/)
      .waitFor();
    await page().getByRole('button', { name: 'Show the first rows of both.xlsx' }).click();
    expect(await seriousFindings(page(), 'light')).toEqual([]);
    await page().getByRole('button', { name: 'Line 2: make it the header row of both.xlsx' }).click();
    await columns('both.xlsx').getByText('What are the columns of this sheet?').waitFor();
    await page()
      .getByRole('row', { name: /^two 1 two 2 two 3/ })
      .waitFor();
    await page().getByRole('button', { name: 'Read the sheet as it was' }).click();
    await page()
      .getByRole('button', { name: /^Register 3.samples$/ })
      .click();
    await registered();
    expect(await receipt()).toContain('Second');

    await choose('plain.tsv', text([['Freezer A', '', ''], ...ours('plain')]));
    await page().getByRole('button', { name: 'Show the first rows of plain.tsv' }).click();
    await page().getByRole('button', { name: 'Line 1: make it the header row of plain.tsv' }).click();
    await columns('plain.tsv').waitFor();
    await page().getByRole('button', { name: 'Read the sheet as it was' }).click();
    await page()
      .getByRole('button', { name: /^Register 2.samples$/ })
      .waitFor();
  });

  it.each([
    ['text', async (rows: string[][]) => text(rows)],
    ['a workbook', async (rows: string[][]) => toXlsx(rows, 'Freezer')],
  ])(
    'are known of the next sheet of its kind, %s: nothing but Register, and the receipt says so',
    { tags: 'slow' },
    async (kind, make) => {
      const tag = kind.replaceAll(' ', '-');
      await choose(`next.${kind === 'text' ? 'tsv' : 'xlsx'}`, await make(freezer(tag)));
      await page()
        .getByRole('button', { name: /^Register/ })
        .and(page().locator(':enabled'))
        .click();
      await registered();
      expect(await receipt()).toMatch(/Read as.*freezer/);
      expect((await samplesOf(`${tag}-2`))[0]?.characteristics.age).toEqual([{ text: '4', unit: 'year' }]);
    },
  );

  it('and their release, where it was said of all sheets of this kind: nothing but Register', {
    tags: 'slow',
  }, async () => {
    const undated = (tag: string) => freezer(tag, ['Ampoule', 'organ', 'age (years)', 'Frozen on']);
    await choose('undated.tsv', text(undated('amp')));
    await columns('undated.tsv').waitFor();
    await page()
      .getByRole('checkbox', { name: /public on the day of their upload/ })
      .click();
    await kept().click();
    await page().getByText('makes new samples public on the day of the upload').waitFor();
    for (const tag of ['amp', 'amq']) {
      if (tag === 'amq') await choose('second.tsv', text(undated(tag)));
      await page()
        .getByRole('button', { name: /^Register 2.samples$/ })
        .click();
      await registered();
      expect(await receipt()).toMatch(/Release date\t\S+T00:00:00.000Z\tas the import profile undated says/);
      const [sample] = await samplesOf(`${tag}-1`);
      expect(Date.now() - Date.parse(sample?.release ?? '')).toBeLessThan(2 * 86_400_000);
    }
  });

  it('are asked for where they are new to a kept profile, and never taken for granted', { tags: 'slow' }, async () => {
    const header = ['Tube', 'organ', 'age (years)', 'Frozen on', 'Box', 'Rack', 'Release Date'];
    await choose('changed.tsv', text(freezer('shelf', header)));
    await page()
      .getByText(/nearly the columns of the import profile freezer; it lacks Shelf and has beside them Rack/)
      .waitFor();
    await columns('changed.tsv').waitFor();
    await page().getByText('Say what 1 new column is: Rack.').waitFor();
    expect(await kept().isDisabled()).toBe(true);
    expect(await page().getByRole('button', { name: 'Register', exact: true }).isDisabled()).toBe(true);
    await page().getByRole('button', { name: 'Keep 1 unknown column as a characteristic' }).click();
    expect(await page().getByRole('textbox', { name: 'Keep this under the name' }).inputValue()).toBe('freezer');
    await kept().click();
    await page()
      .getByRole('button', { name: /^Register 2.samples$/ })
      .click();
    await registered();
    expect((await samplesOf('shelf-1'))[0]?.characteristics.Rack).toEqual([{ text: 'x' }]);
  });

  it('do not take the place of another profile unasked', { tags: 'slow' }, async () => {
    const profile = async () => (await server.get('/profiles/freezer', { token })).json<{ columns: unknown[] }>();
    const before = await profile();
    await choose('plots.tsv', text(freezer('plot', ['Vial', 'part', 'years old', 'Seen', 'Case'])));
    await columns('plots.tsv').waitFor();
    await page()
      .getByRole('button', { name: / as (a characteristic|characteristics)$/ })
      .click();
    const name = page().getByRole('textbox', { name: 'Keep this under the name' });
    await name.fill('freezer');
    await page()
      .getByText(/^You keep a profile of this name for other sheets/)
      .waitFor();
    await kept().waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Replace it and use' }).waitFor();
    await name.fill('plots');
    await kept().waitFor();
    expect(await profile()).toEqual(before);
  });

  it.each([
    ['away.tsv', async () => text(freezer('away')), (route: Route) => route.abort()],
    [
      'busy.xlsx',
      async () => Buffer.from(await toXlsx(freezer('busy'), 'Rack')),
      (route: Route) => route.fulfill({ status: 503 }),
    ],
  ])('are asked for again of %s, for which there was no answer', { tags: 'slow' }, async (name, content, ending) => {
    await page().route('**/profile-proposals*', ending, { times: 1 });
    await choose(name, await content());
    const note = page().getByText(`The columns of ${name} were not looked at`);
    await note.waitFor();
    await page().getByText('The server does not answer').waitFor();
    await page().getByRole('button', { name: 'Try again' }).click();
    await columns(name).waitFor();
    await note.waitFor({ state: 'detached' });
    await page()
      .getByRole('row', { name: /^Frozen on 21\.03\.2024/ })
      .waitFor();
  });

  it('stay as they were where the service does not answer for another row, and it says so', {
    tags: 'slow',
  }, async () => {
    const rows = [['Export', 'of', 'May', '', ''], ...freezer('stays', ['Vial', 'part', 'years old', 'Seen', 'Case'])];
    await choose('stays.tsv', text(rows));
    await columns('stays.tsv').waitFor();
    const other = async () => {
      await page().getByRole('combobox', { name: 'Header row' }).click();
      await page()
        .getByRole('option', { name: /^Line 1: Export/ })
        .click();
    };
    await page().route('**/profile-proposals*', (route) => route.abort(), { times: 1 });
    await other();
    await page().getByText('The columns stay as they were').waitFor();
    await page().getByText('The server does not answer').waitFor();
    await page()
      .getByRole('row', { name: /^Vial stays-1/ })
      .waitFor();
    await other();
    await page()
      .getByRole('row', { name: /^Export Vial stays-1/ })
      .waitFor();
    await page().getByText('The columns stay as they were').waitFor({ state: 'detached' });
  });

  it('are those of another row or sheet where somebody says so', { tags: 'slow' }, async () => {
    const rows = [['Export', 'of', 'May', '', ''], ...freezer('row', ['Vial', 'part', 'years old', 'Seen', 'Case'])];
    await choose('rows.tsv', text(rows));
    await columns('rows.tsv').waitFor();
    await page().getByRole('combobox', { name: 'Header row' }).click();
    await page()
      .getByRole('option', { name: /^Line 1: Export/ })
      .click();
    await page()
      .getByRole('row', { name: /^Export Vial row-1/ })
      .waitFor();
    await page().getByRole('combobox', { name: 'Header row' }).click();
    await page()
      .getByRole('option', { name: /^Line 2: Vial/ })
      .click();
    await page()
      .getByRole('row', { name: /^Vial row-1/ })
      .waitFor();
  });

  it('fit a narrow screen: the table scrolls in its own box', { tags: 'slow' }, async () => {
    await page().setViewportSize({ width: 390, height: 800 });
    await choose('narrow.tsv', text(freezer('narrow', ['Vial', 'part', 'years old', 'Seen', 'Case'])));
    await columns('narrow.tsv').waitFor();
    expect(await page().evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(await seriousFindings(page(), 'light')).toEqual([]);
    await browser.picture('mapping-narrow');
    await page().setViewportSize({ width: 1280, height: 900 });
  });

  it('are not kept over what a colleague kept under the name meanwhile, until that was said', {
    tags: 'slow',
  }, async () => {
    await choose('shelf.tsv', text(freezer('shelf', ['Vial', 'part', 'years old', 'Seen', 'Case'])));
    await columns('shelf.tsv').waitFor();
    await page()
      .getByRole('button', { name: / as (a characteristic|characteristics)$/ })
      .click();
    await page().getByRole('textbox', { name: 'Keep this under the name' }).fill('flasks');
    const colleague = { profile: 1, title: 'A colleague', columns: [{ header: 'Bottle', as: 'name' }] };
    expect((await server.send('PUT', '/profiles/flasks', colleague, { token })).status).toBe(201);
    await kept().click();
    await page()
      .getByText(/^Nothing was kept: somebody of your account/)
      .waitFor();
    expect((await server.get('/profiles/flasks', { token })).json()).toEqual(colleague);
    await page().getByRole('button', { name: 'Replace it and use' }).click();
    await page().getByText('Read as shelf').waitFor();
    const now = await server.get('/profiles/flasks', { token });
    expect(now.headers.get('etag')).toBe('"2"');
    expect(now.json()).not.toEqual(colleague);
  });

  describe('need at most six clicks, and no column name typed', () => {
    const foreign = PROPOSAL_SHEETS.filter(
      ({ columns: all }) => !all.some(([header]) => /^\*?sample[ _]?name$/i.test(header)),
    );
    /** Sheets of a few kinds; a longer run takes all of them. */
    const wanted = process.env.PROOF === '1' ? foreign : foreign.filter((_, at) => at % 12 === 1);

    it.each(wanted.map((sheet) => [sheet.kind, sheet] as const))('%s', { tags: 'slow' }, async (kind, sheet) => {
      const account = kind.replaceAll(/\W+/g, '-').toLowerCase();
      const theirs = await server.token(`map-${account}`);
      await browser.signIn(theirs);
      const by = sheet.delimiter ?? '\t';
      const packed = sheet.above !== undefined;
      await choose(
        packed ? 'theirs.xlsx' : 'theirs.csv',
        packed ? await toXlsx(rowsOf(sheet)) : text(rowsOf(sheet), by),
      );
      const clicks = await toAccessions();
      expect(clicks).toBeLessThanOrEqual(6);
      const listed = (await server.get('/samples?size=200', { token: theirs })).json<{
        _embedded: { samples: Sample[] };
      }>();
      expect(listed._embedded.samples.length).toBeGreaterThanOrEqual(sheet.rows.length);
    });

    it.skipIf(withoutFixtures('real sheets'))(
      'a real sheet of cities, whose rows are named by two columns',
      { tags: 'slow' },
      async () => {
        await browser.signIn(await server.token('map-cities'));
        const [header = '', ...rows] = fixture('torture/D17__uspop-latin1.csv').toString('latin1').split(/\r?\n/);
        await choose('cities.csv', [header, ...rows.slice(0, 40), ''].join('\n'));
        await columns('cities.csv').waitFor();
        expect(await toAccessions()).toBeLessThanOrEqual(6);
      },
    );
  });

  /** Takes what is proposed, as somebody in a hurry does. Resolves to how many clicks that took. */
  async function toAccessions(): Promise<number> {
    let clicks = 0;
    const click = async (role: 'button' | 'radio', name: string | RegExp): Promise<void> => {
      await page().getByRole(role, { name }).and(page().locator(':enabled')).click();
      clicks += 1;
    };
    // Some have the header of a format that ships: nothing is asked of these.
    await kept()
      .or(page().getByText(/^Read as /))
      .first()
      .waitFor();
    if (await kept().isVisible()) {
      await click('button', 'Keep and use');
      await kept().waitFor({ state: 'detached' });
    }
    await click('radio', 'today');
    await click('button', /^Register/);
    await registered();
    return clicks;
  }

  it('broke no policy, ran no script of others and asked no other host', () => {
    expect(browser.incidents).toEqual(CALM);
  });
});
