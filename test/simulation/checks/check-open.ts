/** Relationships that wait (docs/decisions/0127): at the end of a run none waits for a sample that is there. */
import { formatAccession } from '../../../src/registry/accession.js';
import type { Store } from '../../../src/store/store.js';
import type { Submission } from '../../../src/submissions/submission.js';
import { parentOf } from '../clients/client-sheets.js';
import type { History } from '../history.js';
import { PREFIX } from '../processes.js';
import type { Written } from './check-history.js';

export async function checkOpen(
  store: Store,
  submissions: readonly Submission[],
  history: History,
  written: readonly Written[],
): Promise<string[]> {
  const left = new Set(submissions.filter(({ state }) => !state.startsWith('COMPLETED')).map(({ account }) => account));
  const undone = new Set(submissions.filter(({ options }) => options.undoOf).map(({ account }) => account));
  const records = await store.sampleRecords(await store.sampleIds(0, 10_000));
  const byName = new Map(records.map(({ sample }) => [`${sample.account} ${sample.name}`, sample.id]));
  const byAccession = new Map(written.map((one) => [one.accession, one]));
  const found: string[] = [];
  for (const { sample } of records) {
    const { account, name, id, content } = sample;
    const parent = parentOf(name);
    if (parent === undefined || left.has(account) || undone.has(account)) continue;
    const accession = formatAccession(PREFIX, id);
    // What single requests and update sheets say of it goes before what waited.
    if (byAccession.get(accession)?.by.includes(undefined)) continue;
    const named = [`${accession}\t`, `${accession}\n`, `"accession":"${accession}"`];
    if (history.entries.some(({ text }) => named.some((one) => text?.includes(one)))) continue;
    const expected = byName.get(`${account} ${parent}`);
    const targets = content.relationships.map(({ target }) => target);
    const wanted = expected === undefined ? [] : [formatAccession(PREFIX, expected)];
    if (targets.join() !== wanted.join()) {
      found.push(`${accession} (${name}) is derived from [${targets}], and ${parent} is [${wanted}].`);
    }
  }
  return found;
}
