/** The value that was probably meant. */
import { editDistance } from '../registry/edit-distance.js';

/** Longer texts are not compared letter by letter. */
const MAX_LENGTH = 100;

/** What sheets write for "no value" → what the field's checklists call it, best first. */
const ABSENT: Record<string, string[]> = {
  'n/a': ['not applicable', 'not provided', 'missing'],
  na: ['not applicable', 'not provided', 'missing'],
  none: ['not applicable', 'not provided', 'missing'],
  '-': ['not provided', 'not collected', 'missing'],
  '?': ['not provided', 'not collected', 'missing'],
  unknown: ['not provided', 'not collected', 'missing'],
  missing: ['not provided', 'not collected'],
  null: ['not provided', 'not collected', 'missing'],
};

/** Words that sheets write for the same answer. */
const SAME: readonly (readonly string[])[] = [
  ['yes', 'y', 'true', 't', '1'],
  ['no', 'n', 'false', 'f', '0'],
  ['male', 'm'],
  ['female', 'f'],
];

/** Folded texts of lists that were compared with, as long as a list is there: a checklist's values are met again and again. */
const known = new WeakMap<readonly string[], readonly string[]>();

function foldedAll(allowed: readonly string[]): readonly string[] {
  const folded = known.get(allowed) ?? allowed.map(fold);
  known.set(allowed, folded);
  return folded;
}

/** The one allowed value that answers the same; undefined for none, or for several. */
function sameAnswer(wanted: string, allowed: readonly string[], folded: readonly string[]): string | undefined {
  const answers = SAME.filter((words) => words.includes(wanted)).flat();
  if (answers.length === 0) return undefined;
  const found = allowed.filter((_, at) => answers.includes(folded[at] as string));
  return found.length === 1 ? found[0] : undefined;
}

/** Case, accents, blanks, underscores and hyphens folded. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[\s_‐-―-]+/g, ' ')
    .trim();
}

/**
 * The nearest of the allowed values: the same but for case, blanks and accents; the field's word for an absent value;
 * another word for the same answer (`Y`, `true`, `1` for yes);
 * the only one that begins so; else the one with fewest changed letters, at most a third of them. Undefined when
 * nothing is near, or two are equally near.
 */
export function nearest(value: string, allowed: readonly string[]): string | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const wanted = fold(value);
  if (wanted === '') return undefined;
  const folded = foldedAll(allowed);
  const same = allowed[folded.indexOf(wanted)];
  if (same !== undefined) return same;
  const absent = ABSENT[wanted]?.find((word) => allowed.includes(word));
  if (absent !== undefined) return absent;
  const answer = sameAnswer(wanted, allowed, folded);
  if (answer !== undefined) return answer;
  const starting = allowed.filter((_, at) => folded[at]?.startsWith(wanted));
  if (starting.length === 1) return starting[0];
  return closest(wanted, allowed, folded);
}

function closest(wanted: string, allowed: readonly string[], folded: readonly string[]): string | undefined {
  let limit = Math.floor(wanted.length / 3);
  let best: number | undefined;
  for (const [at, text] of folded.entries()) {
    if (limit < 1) break;
    if (Math.abs((allowed[at] as string).length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, text, limit);
    if (distance > limit) continue;
    if (best !== undefined && folded[best] === text) continue;
    if (best !== undefined && distance === limit) {
      best = undefined;
      limit = distance - 1;
      continue;
    }
    best = at;
    limit = distance;
  }
  return best === undefined ? undefined : allowed[best];
}
