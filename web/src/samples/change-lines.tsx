import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../show/words.js';
import type { Difference } from './sample-differences.js';

/** Of more changes than this the first are shown. */
const FIRST_SHOWN = 50;

/** Old and new, one line each; the words say it too, for those who see no colour. */
export function ChangeLines({ differences }: { differences: readonly Difference[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? differences : differences.slice(0, FIRST_SHOWN);
  return (
    <>
      <ul style={{ margin: 0, paddingLeft: 20 }}>
        {shown.map(({ what, before, after }, at) => (
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
      {shown.length < differences.length && (
        <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
          Show all {counted(differences.length, 'change')}
        </Anchor>
      )}
    </>
  );
}

function wordFor(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? 'changed' : 'added ';
  return after === undefined ? 'removed ' : '';
}
