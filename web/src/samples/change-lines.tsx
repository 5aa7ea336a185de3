import { Text } from '@mantine/core';
import type { Difference } from './sample-differences.js';

/** Old and new, one line each; the words say it too, for those who see no colour. */
export function ChangeLines({ differences }: { differences: readonly Difference[] }) {
  return (
    <ul style={{ margin: 0, paddingLeft: 20 }}>
      {differences.map(({ what, before, after }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same change may be listed twice
        <li key={at}>
          <Text size="sm" component="span" className="name">
            <Text component="span" inherit fw={600}>
              {what}
            </Text>
            : {wordFor(before, after)}
            {before !== undefined && <del className="old">{before}</del>}
            {before !== undefined && after !== undefined && ' → '}
            {after !== undefined && <ins className="new">{after}</ins>}
          </Text>
        </li>
      ))}
    </ul>
  );
}

function wordFor(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? 'changed' : 'added ';
  return after === undefined ? 'removed ' : '';
}
