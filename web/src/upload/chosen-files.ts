import { useEffect, useSyncExternalStore } from 'react';
import { messageOf } from '../show/error-note.js';
import { checkFile, type ReadingChoices } from './check-file.js';
import type { FileCheck } from './file-check.js';
import { type ChosenFile, changeFile, listedFiles, onListChange } from './file-list.js';
import { rememberedName } from './name-column.js';

/** The files on the table, each with its check, which is made anew when they are to be read in another way. */
export function useChosenFiles({ encoding, unknownColumns }: ReadingChoices): readonly ChosenFile[] {
  const files = useSyncExternalStore(onListChange, listedFiles);
  useEffect(() => {
    for (const { key, file, state, checkedFor, nameColumn } of files) {
      const wanted = JSON.stringify([encoding, unknownColumns, nameColumn]);
      const unsent = state.step === 'checking' || state.step === 'ready';
      if (!unsent || checkedFor === wanted) continue;
      changeFile(key, { checkedFor: wanted });
      checkFile(file, { encoding, unknownColumns, ...(nameColumn === undefined ? {} : { nameColumn }) })
        .catch(unreadable)
        .then((check) => settle(key, wanted, check));
    }
  }, [files, encoding, unknownColumns]);
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
