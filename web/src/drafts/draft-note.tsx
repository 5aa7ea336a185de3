import { Text } from '@mantine/core';
import { Note } from '../show/note.js';
import { When } from '../show/when.js';
import type { KeptDraft } from './use-draft.js';

/** Says that what is typed is kept, since when and for how long. */
export function DraftNote({ draft }: { draft: Pick<KeptDraft<unknown>, 'changed' | 'unkept'> }) {
  if (draft.changed === undefined) return null;
  if (draft.unkept) {
    return (
      <Note tone="care" title="This draft is not kept">
        <Text size="sm">
          The browser has no room for it, so it is lost when you close or reload the page. Send it before you leave, or
          discard other drafts.
        </Text>
      </Note>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      Draft of <When iso={draft.changed} />, kept in this browser until you send or discard it.
    </Text>
  );
}
