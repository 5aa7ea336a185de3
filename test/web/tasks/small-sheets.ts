/** A small sheet: a new one, one that edits what is under embargo, one of plain headers. */
import { expect } from 'vitest';
import { file, goodSheet } from '../sheets.js';
import { choose, registered } from '../steps.js';
import type { Task } from './trial.js';

export const sixRows: Task = {
  title: 'six rows, and thinking of taking them back',
  run: async (trial) => {
    const { browser, page, button } = trial;
    await choose(browser, file('six.tsv', goodSheet(6, trial.of('six'))));
    await trial.look('upload', button(/^Register 6.samples$/));
    await button(/^Register 6.samples$/).click();
    await registered(page);
    await trial.look('outcome', trial.result());
    await button('Undo…').click();
    const undo = trial.dialog('Undo this submission?');
    await trial.look('undo', undo.getByRole('button', { name: 'Undo', exact: true }));
    await undo.getByRole('button', { name: 'Leave it' }).click();
    await expect.poll(() => undo.count()).toBe(0);
  },
};

export const embargo: Task = {
  title: 'an update under embargo, which asks before it publishes',
  run: async (trial) => {
    const { server, browser, page, token, button } = trial;
    const sheet = (rows: string[][], more: string[] = []) =>
      written([['Sample Identifier', 'Sample Name', 'Characteristics[tissue]', ...more], ...rows]);
    const names = [1, 2].map((n) => trial.of(`embargo ${n}`));
    const made = sheet(names.map((name) => ['', name, 'liver']));
    const { id } = await server.uploadAndSettle(made, { token, options: { releaseDate: '2030-01-01' } });
    const pairs = (await server.mapping(id, token)).sampleNameAccessionPairs;
    const rows = names.map((name, n) => [pairs[n]?.sampleAccession as string, name, 'kidney']);
    const published = rows.map((row) => [...row, '2020-01-01']);
    await choose(browser, file('published.tsv', sheet(published, ['Release Date'])));
    await button(/^Update 2.samples$/).click();
    const ask = trial.dialog('Before it is registered');
    await ask.getByText(/2.samples that are not public now would become public/).waitFor();
    await trial.look('ask', ask.getByRole('button', { name: 'Register all the same' }));
    await ask.getByRole('button', { name: 'Go back' }).last().click();
    await button('Take published.tsv off the list').click();
    await choose(browser, file('edited.tsv', sheet(rows)));
    await button(/^Update 2.samples$/).click();
    await registered(page);
    await trial.heading('What has changed (2)').waitFor();
    await trial.look('changes', trial.result());
    expect((await server.get(`/samples/${pairs[0]?.sampleAccession}`, { token })).json()).toMatchObject({
      release: expect.stringContaining('2030-01-01'),
      characteristics: { tissue: [{ text: 'kidney' }] },
    });
  },
};

export const plainHeaders: Task = {
  title: 'a table of NCBI, whose plain columns are kept',
  run: async (trial) => {
    const { browser, page, button } = trial;
    const header = ['Sample Name', 'Organism', 'Collection date', 'Geo_loc_name', 'Release Date'];
    const rows = [1, 2, 3].map((n) => [trial.of(`isolate ${n}`), 'Mus musculus', '2020-05-01', 'Peru', '2024-01-01']);
    await choose(browser, file('ncbi.tsv', written([header, ...rows])));
    await page.getByText('3 columns kept as characteristics').waitFor();
    await trial.look('plain columns', button(/^Register 3.samples$/));
    await button(/^Register 3.samples$/).click();
    await registered(page);
    await page.getByText(/^3.unrecognised columns kept as characteristics: /).waitFor();
    await trial.look('plain columns kept', trial.result());
  },
};

const written = (rows: string[][]): string => rows.map((row) => `${row.join('\t')}\n`).join('');
