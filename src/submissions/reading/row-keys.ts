/** Rows of an upload with keys, decided before any is written: for sheets that are surveyed (registry/samples/row-key.ts). */

import type { RowPlaces } from '../../registry/row-places.js';
import {
  DEFAULT_KEY_SPACE,
  decideKey,
  type KeyDecision,
  type KeyRule,
  learnKey,
} from '../../registry/samples/row-key.js';
import type { KeyOfRow } from '../../tsv/rows/reading.js';
import { notAsShown, Preview } from '../preview.js';
import type { UploadOptions } from '../submission.js';
import { LineIndex } from './line-index.js';
import type { ReadTask, StoreQuestions } from './read-task.js';

/** Undefined for an upload without keys. */
export const keyRuleOf = (
  { key, onlyUpdate, onlyCreate }: UploadOptions,
  prefix: string,
  places: RowPlaces,
): KeyRule | undefined =>
  key === undefined ? undefined : { places: { key: { column: key }, ...places }, prefix, onlyUpdate, onlyCreate };

export const keySpaceOf = ({
  key,
  keySpace,
  standing,
}: Pick<UploadOptions, 'key' | 'keySpace' | 'standing'>): string | undefined =>
  key === undefined ? undefined : (standing ?? keySpace ?? DEFAULT_KEY_SPACE);

/**
 * For a survey. Lines whose outcome is recorded already are what they became: asked again, a row would be refused for the key
 * that it has given itself, or taken where it was refused.
 */
export function keyDecider(
  { options, prefix, cursor, preview: shown, recorded }: ReadTask,
  ask: Pick<StoreQuestions, 'knownKeys'>,
  earlier: LineIndex | undefined,
  places: RowPlaces,
): ((rows: readonly KeyOfRow[]) => Promise<KeyDecision[]>) | undefined {
  const rule = keyRuleOf(options, prefix, places);
  if (rule === undefined) return undefined;
  const preview = shown && new Preview(shown);
  const before = recorded && new LineIndex(recorded);
  return async (rows) => {
    const meant = rows.map(({ line, id }) => (id === 0 ? (earlier?.idAt(line) ?? 0) : 0));
    const samples = rows.map(({ id }, at) => id || (meant[at] as number)).filter((id) => id !== 0);
    const known = await ask.knownKeys(
      rows.map(({ key }) => key),
      samples,
    );
    return rows.map((row, at): KeyDecision => {
      if (before && row.line <= cursor) {
        const id = before.idAt(row.line);
        return id === undefined ? { issue: notAsShown(row.line) } : { id, gives: false };
      }
      const decision = decideKey({ ...row, meant: meant[at] as number }, known, rule);
      if ('issue' in decision) return decision;
      const asShown = preview === undefined || preview.showed(row.line, decision.id !== 0);
      if (!asShown) return { issue: notAsShown(row.line) };
      if (decision.gives) learnKey(known, row.key, decision.id);
      return decision;
    });
  };
}
