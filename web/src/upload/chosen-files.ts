import { useEffect, useSyncExternalStore } from 'react';
import { messageOf } from '../show/error-note.js';
import { checkFile, checkTable, type ReadingChoices } from './check-file.js';
import { type FileCheck, NO_NAME } from './file-check.js';
import { type ChosenFile, changeFile, listedFiles, onListChange } from './file-list.js';
import { useKeptProfiles } from './import-profiles.js';
import { askMapping, wantsMapping } from './mapping/mapping-state.js';
import { rememberedName } from './name-column.js';

/** The files on the table, each with its check, which is made anew when they are to be read in another way. */
export function useChosenFiles(choices: Omit<ReadingChoices, 'profiles'>): readonly ChosenFile[] {
  const { unknownColumns, profile } = choices;
  const files = useSyncExternalStore(onListChange, listedFiles);
  const { data: profiles, isError } = useKeptProfiles();
  useEffect(() => {
    // By which of its profiles an account's sheet is read, shows once these are here; without them it is read by the others.
    const kept = profiles ?? (isError ? [] : undefined);
    if (kept === undefined) return;
    for (const chosen of files)
      checkAsWanted(chosen, { encoding: choices.encoding, unknownColumns, profile, profiles: kept });
  }, [files, choices.encoding, unknownColumns, profile, profiles, isError]);
  return files;
}

/** Begins a check of a file that is not sent yet, unless one was made for these choices. */
function checkAsWanted(
  { key, file, state, checkedFor, nameColumn, mapped, namesOnly, table, ...own }: ChosenFile,
  { unknownColumns, profile, profiles, ...choices }: ReadingChoices,
): void {
  const encoding = own.encoding ?? choices.encoding;
  const known = profiles.map(({ name, version }) => [name, version]);
  const wanted = JSON.stringify([
    encoding,
    unknownColumns,
    nameColumn,
    mapped,
    namesOnly,
    table?.sheet,
    profile,
    known,
  ]);
  const unsent = state.step === 'checking' || state.step === 'ready';
  if (!unsent || checkedFor === wanted) return;
  changeFile(key, { checkedFor: wanted });
  const named = nameColumn === undefined ? {} : { nameColumn };
  const ownNames = profiles.filter(({ rank }) => rank === 'own').map(({ name }) => name);
  const reading = { ...(encoding === null ? {} : { encoding }), ownNames, asks: profile === null };
  const as = { encoding, unknownColumns, profile: profile ?? mapped?.profile ?? null, profiles, ...named };
  (table ? Promise.resolve(checkTable(table, as)) : checkFile(file, as))
    .catch(unreadable)
    .then((check) => settle(key, wanted, check, reading));
}

interface Reading {
  encoding?: string;
  ownNames: readonly string[];
  /** No profile was chosen for all files. */
  asks: boolean;
}

/** A check that was overtaken by another choice, or by the upload itself, counts no more. */
function settle(key: number, madeFor: string, found: FileCheck, { encoding, ownNames, asks }: Reading): void {
  const present = listedFiles().find((one) => one.key === key);
  if (present?.checkedFor !== madeFor) return;
  const { state } = present;
  const known = found.nameable && present.nameColumn === undefined ? rememberedName(found.nameable) : undefined;
  if (known !== undefined) {
    changeFile(key, { nameColumn: known });
    return;
  }
  const check = found.packed && !present.table ? asSaid(found, present) : found;
  const ready = state.step === 'checking' ? { state: { step: 'ready' as const } } : {};
  if (!asks || !wantsMapping(present, check)) {
    changeFile(key, { check, ...ready, mapping: undefined });
    return;
  }
  if (present.mapping?.step === 'open' && check.nameable !== undefined) {
    changeFile(key, { check });
    return;
  }
  const packed = check.packed === true;
  const mapping = { step: 'asking' as const, packed, ownNames, ...(encoding === undefined ? {} : { encoding }) };
  changeFile(key, { check, mapping, ...(packed ? {} : ready) });
  void askMapping(key, {}, ownNames);
}

/** What is known of a workbook or an archive whose sheet is not looked at here. */
function asSaid(check: FileCheck, { mapped, refusal, nameColumn, nameColumns }: ChosenFile): FileCheck {
  if (mapped) return readBy(check, mapped);
  if (nameColumn !== undefined) return { ...check, remarks: [`Samples are named by the column ${nameColumn}`] };
  if (nameColumns) return { ...check, problem: NO_NAME, nameable: nameColumns };
  return refusal === undefined ? check : { ...check, remarks: [refusal] };
}

const readBy = (check: FileCheck, { profile, sheet, lacksRelease }: NonNullable<ChosenFile['mapped']>): FileCheck => ({
  ...check,
  lacksRelease,
  remarks: [`Read by the import profile ${profile}${sheet === undefined ? '' : `, sheet ${sheet}`}`],
});

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
