/** What axe finds serious or critical in the view as it stands. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

export type ColorScheme = 'light' | 'dark';

/** Less than half as long as that of the module, which every document reads anew. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Colours are all that the dark scheme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Puts the page into the scheme, as the reader's system would. */
export async function inColours(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/**
 * Each as `scheme, rule: where`. In dark only what colours decide is looked at; `within` is a selector of what has changed
 * since the whole view was looked at, such as a dialog.
 */
export async function seriousFindings(page: Page, colorScheme: ColorScheme, within?: string): Promise<string[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(SOURCE);
  // Colours that are still on their way from one scheme to the other have the contrast of neither.
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(({ effect }) =>
    effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))`);
  const rules = colorScheme === 'light' ? RULES : COLOURS;
  // Of what passes one example is enough: describing each element of it took half of the time.
  const options = { runOnly: rules, resultTypes: ['violations'] };
  const { violations, passes } = (await page.evaluate(
    `axe.run(${within ? JSON.stringify(within) : 'document'}, ${JSON.stringify(options)})`,
  )) as axe.AxeResults;
  if (passes.length <= (rules === RULES && !within ? 10 : 0))
    throw new Error(`Axe looked at ${passes.length} rules alone.`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) =>
          `${colorScheme}, ${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`,
      ),
    );
}
