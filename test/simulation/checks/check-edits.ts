/** A change in a part leaves the rest of a sample as it found it, whatever others write meanwhile. */
import type { Submission } from '../../../src/submissions/submission.js';
import { siteIn } from '../clients/client-edits.js';
import { type History, textsBySum } from '../history.js';
import type { Written } from './check-history.js';

export function checkEdits(
  submissions: readonly Submission[],
  history: History,
  written: readonly Written[],
): string[] {
  const texts = textsBySum(history);
  const byId = new Map(submissions.map((one) => [one.id, one]));
  const siteBy = (writer: string | undefined): string | undefined => {
    const submission = writer === undefined ? undefined : byId.get(writer);
    const text = submission && submission.options.undoOf === undefined ? texts.get(submission.sha256) : undefined;
    return text === undefined ? undefined : siteIn(text);
  };
  return written.flatMap(({ accession, notes, sites, by }) =>
    by.flatMap((writer, at) => {
      const site = siteBy(writer);
      if (site === undefined) return [];
      const version = `${accession}: version ${at + 1} is of ${writer}`;
      if (at === 0 || notes[at] !== notes[at - 1])
        return [`${version}, which changes the site alone, and says "${notes[at]}" behind "${notes[at - 1]}".`];
      return sites[at] === site ? [] : [`${version}, which says "${site}", and its site is "${sites[at]}".`];
    }),
  );
}
