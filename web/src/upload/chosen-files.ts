import { useEffect, useSyncExternalStore } from 'react';
import { messageOf } from '../show/error-note.js';
import { checkFile, type ReadingChoices } from './check-file.js';
import type { FileCheck } from './file-check.js';
import { type ChosenFile, changeFile, listedFiles, onListChange } from './file-list.js';
import { useKeptProfiles } from './import-profiles.js';
import { rememberedName } from './name-column.js';

/** The files on the table, each with its check, which is made anew when they are to be read in another way. */
export function useChosenFiles(choices: Omit<ReadingChoices, 'profiles'>): readonly ChosenFile[] {
  const { encoding, unknownColumns, profile } = choices;
  const files = useSyncExternalStore(onListChange, listedFiles);
  const { data: profiles, isError } = useKeptProfiles();
  useEffect(() => {
    // By which of its profiles an account's sheet is read, shows once these are here; without them it is read by the others.
    const kept = profiles ?? (isError ? [] : undefined);
    if (kept === undefined) return;
    for (const { key, file, state, checkedFor, nameColumn } of files) {
      const known = kept.map(({ name, version }) => [name, version]);
      const wanted = JSON.stringify([encoding, unknownColumns, nameColumn, profile, known]);
      const unsent = state.step === 'checking' || state.step === 'ready';
      if (!unsent || checkedFor === wanted) continue;
      changeFile(key, { checkedFor: wanted });
      const named = nameColumn === undefined ? {} : { nameColumn };
      checkFile(file, { encoding, unknownColumns, profile, profiles: kept, ...named })
        .catch(unreadable)
        .then((check) => settle(key, wanted, check));
    }
  }, [files, encoding, unknownColumns, profile, profiles, isError]);
  return files;
}

/** A check that was overtaken by another choice, or by the upload itself, counts no more. */
function settle(key: number, madeFor: string, check: FileCheck): void {
  const present = listedFiles().find((one) => one.key === key);
  if (present?.checkedFor !== madeFor) return;
  const { state } = present;
  const known = check.nameable && present.nameColumn === undefined ? rememberedName(check.nameable) : undefined;
  if (known !== undefined) {
    changeFile(key, { nameColumn: known });
    return;
  }
  changeFile(key, { check, ...(state.step === 'checking' ? { state: { step: 'ready' } } : {}) });
}

const unreadable = (error: unknown): FileCheck => ({
  kind: 'refused',
  rowsExact: false,
  stored: [],
  fromPlainHeaders: [],
  notStored: [],
  hasReleaseDate: false,
  identifiers: 0,
  problem: `Your browser cannot read this file (${messageOf(error)}). Close it in other programs and choose it again.`,
  remarks: [],
});
