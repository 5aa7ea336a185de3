/** What was left and is found again: a long upload, a search, an edit whose session has ended. */
import { expect } from 'vitest';
import type { Mapping } from '../../support/api-caller.js';
import { PROOF } from '../../support/proof.js';
import { file, goodSheet } from '../sheets.js';
import { choose, endSession, PATIENT, registered, signInAgain, whileFrozen } from '../steps.js';
import type { Task, Trial } from './trial.js';

const MANY = PROOF ? 100_000 : 5_000;
/** As the page prints it. */
const PRINTED = `${MANY / 1000}.000`;

export const largeSheet: Task = {
  title: 'a large sheet, left while it is registered and found again by the name of the file',
  run: async (trial) => {
    const { browser, page, button } = trial;
    await choose(browser, file('large plate.tsv', goodSheet(MANY, 'many')));
    await trial.look('a large sheet', button(new RegExp(`^Register ${PRINTED}.samples$`)));
    await whileFrozen(trial.server.ingestPids(), async () => {
      await button(new RegExp(`^Register ${PRINTED}.samples$`)).click();
      await page.getByText('You may leave this page and come back.').waitFor(PATIENT);
      await trial.look('while it runs', button('Cancel'));
    });
    await trial.goTo('Samples');
    await trial.goTo('Submissions');
    await page.getByLabel('Find').fill('large plate');
    const link = page.getByRole('link', { name: 'large plate.tsv' });
    await trial.look('submissions', link);
    await link.click();
    await registered(page);
    await page.getByText(new RegExp(`^${PRINTED} registered$`)).waitFor();
    await trial.look('outcome', trial.result());
    const saved = await browser.saved(() => page.getByRole('link', { name: 'Mapping (JSON)' }).click());
    const { sampleNameAccessionPairs: pairs } = JSON.parse(saved.text) as Mapping;
    expect(pairs).toHaveLength(MANY);
    expect(pairs.at(-1)?.sampleName).toBe(`many ${MANY}`);
  },
};

export const searchAndBack: Task = {
  title: 'search, a sample, and back to what was found',
  run: async (trial) => {
    const { page, button } = trial;
    const wanted = trial.of('wanted');
    await made(trial, wanted);
    // The task before may have left the page to somebody else.
    await trial.browser.view('/');
    await trial.goTo('Samples');
    const search = page.getByRole('textbox', { name: 'Find samples' });
    await search.fill(wanted);
    const row = page.getByRole('row', { name: new RegExp(wanted) }).first();
    await row.waitFor();
    const found = row.getByRole('link', { name: /^SAMR\d+$/ });
    await trial.look('search', found);
    await found.click();
    await trial.look('sample', button('Edit'));
    await page.goBack();
    await row.waitFor();
    expect(await search.inputValue()).toBe(wanted);
    await trial.look('back', found);
  },
};

export const endedSession: Task = {
  title: 'a session that ends in the middle of editing',
  run: async (trial) => {
    const { server, browser, page, token, button } = trial;
    const accession = await made(trial, trial.of('edited'));
    await browser.view(`/samples/${accession}`);
    await button('Edit').click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill(trial.of('edited twice'));
    await trial.look('edit', button('Store the change'));
    await endSession(browser);
    await button('Store the change').click();
    const again = trial.dialog('Your session has ended');
    await trial.look('session', again.getByRole('button', { name: 'Sign in' }));
    await signInAgain(page, token);
    await expect.poll(() => name.count(), PATIENT).toBe(0);
    await trial.look('stored', button('Edit'));
    expect((await server.get(`/samples/${accession}`)).json()).toMatchObject({ name: trial.of('edited twice') });
  },
};

/** Accession of a sample made by the interface. */
async function made({ server, token }: Trial, name: string): Promise<string> {
  const sample = { name, release: '2024-01-01T00:00:00Z', characteristics: {} };
  return (await server.send('POST', '/samples', sample, { token })).json<{ accession: string }>().accession;
}
