/** Rows of an upload with keys, decided before any is written: for sheets that are surveyed (registry/row-key.ts). */
import { DEFAULT_KEY_SPACE, decideKey, type KeyDecision, type KeyRule, learnKey } from '../registry/row-key.js';
import type { KeyOfRow } from '../tsv/rows/reading.js';
import type { LineIndex } from './line-index.js';
import { notAsShown, Preview } from './preview.js';
import type { ReadTask, StoreQuestions } from './read-task.js';
import type { UploadOptions } from './submission.js';

/** Undefined for an upload without keys. */
export const keyRuleOf = ({ key, onlyUpdate, onlyCreate }: UploadOptions, prefix: string): KeyRule | undefined =>
  key === undefined ? undefined : { column: key, prefix, onlyUpdate, onlyCreate };

export const keySpaceOf = ({
  key,
  keySpace,
  standing,
}: Pick<UploadOptions, 'key' | 'keySpace' | 'standing'>): string | undefined =>
  key === undefined ? undefined : (standing ?? keySpace ?? DEFAULT_KEY_SPACE);

/** For a survey. Lines whose outcome is recorded already are not refused for what they have done themselves. */
export function keyDecider(
  { options, prefix, cursor, preview: shown }: ReadTask,
  ask: Pick<StoreQuestions, 'knownKeys'>,
  earlier: LineIndex | undefined,
): ((rows: readonly KeyOfRow[]) => Promise<KeyDecision[]>) | undefined {
  const rule = keyRuleOf(options, prefix);
  if (rule === undefined) return undefined;
  const preview = shown && new Preview(shown);
  return async (rows) => {
    const meant = rows.map(({ line, id }) => (id === 0 ? (earlier?.idAt(line) ?? 0) : 0));
    const samples = rows.map(({ id }, at) => id || (meant[at] as number)).filter((id) => id !== 0);
    const known = await ask.knownKeys(
      rows.map(({ key }) => key),
      samples,
    );
    return rows.map((row, at): KeyDecision => {
      const done = row.line <= cursor;
      const decision = decideKey(
        { ...row, meant: meant[at] as number },
        known,
        done ? { ...rule, onlyCreate: false } : rule,
      );
      if ('issue' in decision) return decision;
      const asShown = done || preview === undefined || preview.showed(row.line, decision.id !== 0);
      if (!asShown) return { issue: notAsShown(row.line) };
      if (decision.gives) learnKey(known, row.key, decision.id);
      return decision;
    });
  };
}
