/** When the samples of sheets of one kind become public, where somebody has said so for the next ones, too: in this browser. */
import { useEffect, useState } from 'react';
import type { Choices } from './chosen-options.js';
import { needsReleaseDate } from './file-check.js';
import type { ChosenFile } from './file-list.js';

type Said = Pick<Choices, 'release' | 'date'>;

const PREFIX = 'release:';

export interface RememberedRelease {
  /** There is a date to choose for sheets of a kind. */
  asked: boolean;
  /** It is chosen for the next ones, too. */
  kept: boolean;
  keep: (kept: boolean) => void;
  /** When the files are sent: what was chosen is kept, or forgotten. */
  settle: () => void;
}

/** Chooses again what was said of sheets like these; the form shows it, and it can be chosen otherwise. */
export function useRememberedRelease(
  ready: readonly ChosenFile[],
  choices: Choices,
  onChange: (choices: Choices) => void,
): RememberedRelease {
  const [kept, keep] = useState(false);
  const kinds = [
    ...new Set(
      ready.flatMap(({ check }) =>
        check?.sheetKind !== undefined && (check.packed || needsReleaseDate(check)) ? [check.sheetKind] : [],
      ),
    ),
  ];
  const key = kinds.join('\n');
  // Only when other sheets are on the table: who has chosen otherwise since is not overruled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const said = sameOf(kinds.map(read));
    if (!said || choices.release !== 'sheet') return;
    onChange({ ...choices, ...said });
    keep(true);
  }, [key]);
  const settle = () => {
    for (const kind of kinds) {
      if (kept && choices.release !== 'sheet') write(kind, { release: choices.release, date: choices.date });
      else if (!kept) write(kind, undefined);
    }
  };
  return { asked: kinds.length > 0 && choices.release !== 'sheet', kept, keep, settle };
}

/** What all of them say alike. */
function sameOf(said: readonly (Said | undefined)[]): Said | undefined {
  const [first] = said;
  return said.every((each) => each?.release === first?.release && each?.date === first?.date) ? first : undefined;
}

function read(kind: string): Said | undefined {
  try {
    const { release, date } = JSON.parse(localStorage.getItem(PREFIX + kind) ?? '{}') as Partial<Said>;
    return (release === 'today' || release === 'date') && typeof date === 'string' ? { release, date } : undefined;
  } catch {
    return undefined;
  }
}

function write(kind: string, said: Said | undefined): void {
  try {
    if (said) localStorage.setItem(PREFIX + kind, JSON.stringify(said));
    else localStorage.removeItem(PREFIX + kind);
  } catch {
    // A browser that keeps nothing asks again.
  }
}
