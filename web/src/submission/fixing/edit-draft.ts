import { useCallback, useEffect, useRef, useState } from 'react';
import type { SubmissionStatus } from '../../api/contract.js';
import { kindOf, originOf } from '../../api/submission-kind.js';
import { type KeptDraft, useDraft } from '../../drafts/use-draft.js';
import { type Edits, NO_EDITS, withoutEdits } from './fixing.js';

/** Written down this long after the last letter, and whenever the view goes. */
const PAUSE_MS = 250;

/** In place of when it was changed: by this view, which has it already. */
const OWN = 'own';

type KeptEdits = [line: number, cells: [column: number, text: string][]][];

export interface EditDraft {
  edits: Edits;
  change: (next: (present: Edits) => Edits) => void;
  /** They have been sent: what was typed meanwhile is kept. */
  sent: (edits: Edits) => void;
  /** They are not wanted any more. */
  discard: () => void;
  draft: Pick<KeptDraft<Edits>, 'changed' | 'unkept'>;
}

/**
 * The reader's changes to the rows of a submission, kept in this browser until they are sent or discarded. A check and the
 * submission that carried it out have the same rows, and one draft: what was changed before is there afterwards.
 */
export function useEditDraft(submission: SubmissionStatus): EditDraft {
  const { submissionId, fileName } = submission;
  const ofRows = (kindOf(submission) === 'commit' ? originOf(submission) : undefined) ?? submissionId;
  const draft = useDraft<Edits>({
    key: `submission ${ofRows}`,
    title: `Rows of ${fileName}`,
    path: `/submissions/${submissionId}`,
    read,
  });
  const [edits, setEdits] = useState<Edits>(() => draft.value ?? NO_EDITS);
  const latest = useRef({ edits, draft, dirty: false, known: draft.changed });
  latest.current.edits = edits;
  latest.current.draft = draft;
  const write = useCallback((present: Edits) => {
    const { draft: place } = latest.current;
    latest.current.dirty = false;
    latest.current.known = OWN;
    if (present.size === 0) place.discard();
    else (place.keep as (value: unknown) => void)(kept(present));
  }, []);
  const settle = useCallback(() => {
    if (latest.current.dirty) write(latest.current.edits);
  }, [write]);
  useEffect(() => {
    if (!latest.current.dirty) return;
    const pause = setTimeout(settle, PAUSE_MS);
    return () => clearTimeout(pause);
  });
  useEffect(() => {
    addEventListener('pagehide', settle);
    return () => {
      removeEventListener('pagehide', settle);
      settle();
    };
  }, [settle]);
  // Another tab has gone on with it, or sent it: what stood here before would take that back.
  useEffect(() => {
    const { known, dirty } = latest.current;
    latest.current.known = draft.changed;
    if (known !== OWN && known !== draft.changed && !dirty) setEdits(latest.current.draft.value ?? NO_EDITS);
  }, [draft.changed]);
  const change = useCallback((next: (present: Edits) => Edits) => {
    latest.current.dirty = true;
    setEdits(next);
  }, []);
  const leave = useCallback(
    (left: Edits) => {
      write(left);
      setEdits(left);
    },
    [write],
  );
  const sent = useCallback((those: Edits) => leave(withoutEdits(latest.current.edits, those)), [leave]);
  const discard = useCallback(() => leave(NO_EDITS), [leave]);
  return { edits, change, sent, discard, draft };
}

const kept = (edits: Edits): KeptEdits => [...edits].map(([line, cells]) => [line, [...cells]]);

/** Undefined for anything but edits as `kept` writes them. */
function read(value: unknown): Edits | undefined {
  if (!Array.isArray(value)) return undefined;
  const edits = new Map<number, ReadonlyMap<number, string>>();
  for (const row of value as unknown[]) {
    if (!Array.isArray(row) || !Number.isInteger(row[0]) || !Array.isArray(row[1])) return undefined;
    const cells = row[1] as unknown[];
    const whole = cells.every(
      (cell) => Array.isArray(cell) && Number.isInteger(cell[0]) && typeof cell[1] === 'string',
    );
    if (!whole) return undefined;
    edits.set(row[0] as number, new Map(cells as [number, string][]));
  }
  return edits.size > 0 ? edits : undefined;
}
