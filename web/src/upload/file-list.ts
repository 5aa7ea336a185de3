/** The files on the upload's table. Kept beside the view, so that looking at one outcome and coming back loses none. */
import { FileChanged } from '../api/chosen-file.js';
import { isSameFile } from '../api/unfinished-uploads.js';
import type { UploadOptions } from '../api/upload.js';
import type { FileCheck, PackedTable } from './file-check.js';
import type { Mapping } from './mapping/mapping.js';

/** Where one chosen file stands. */
export type FileState =
  | { step: 'checking' }
  | { step: 'ready' }
  /** `waits`: why it does not move, until it goes on by itself. */
  | { step: 'looking'; stop?: () => void; sent?: number; waits?: string }
  | { step: 'sending'; sent: number; stop: () => void; waits?: string }
  | { step: 'waiting' }
  | { step: 'done'; submissionId: string; replayed: boolean; dryRun: boolean }
  | { step: 'failed'; error: unknown; options: UploadOptions };

export interface ChosenFile {
  key: number;
  file: File;
  check?: FileCheck;
  /** The way of reading that its check stands for, or will once it is made. */
  checkedFor?: string;
  /** WHATWG label of its encoding, confirmed for this file alone. */
  encoding?: string | undefined;
  /** Column that names the samples, of a sheet without a Sample Name. */
  nameColumn?: string;
  /** Of a sheet that is not ours: what its columns are is asked for, or being said. */
  mapping?: AskedMapping | UnansweredMapping | OpenMapping | undefined;
  /** That has been said, and is kept as a profile. */
  mapped?: { profile: string; sheet?: string; lacksRelease: boolean };
  /** Of a workbook or an archive whose sheet is read as it is: that sheet. */
  table?: PackedTable | undefined;
  /** Of an archive or a workbook whose tables are sent one by one: the name of the one that this entry stands for. */
  part?: string;
  /** Of a workbook or an archive: why the service would not take it as it stands, another sheet of it perhaps. */
  refusal?: string;
  /** Why its columns are not proposed. */
  unproposed?: string;
  /** Of a workbook or an archive that names no samples: its columns that could. */
  nameColumns?: string[];
  /** Nothing is to be said but which column names the samples. */
  namesOnly?: boolean;
  state: FileState;
}

interface MappingParts {
  /** A workbook or an archive. */
  packed: boolean;
  encoding?: string;
  /** Names of the profiles that the account keeps. */
  ownNames: readonly string[];
}

export interface AskedMapping extends MappingParts {
  step: 'asking';
}

/** Asked for while the service was away or busy: it can be asked for again. */
export interface UnansweredMapping extends MappingParts {
  step: 'unanswered';
  failure: unknown;
}

export interface OpenMapping extends MappingParts {
  step: 'open';
  mapping: Mapping;
  /** Why another sheet or header row was not looked at. */
  failure?: unknown;
}

let files: readonly ChosenFile[] = [];
let nextKey = 1;
const listeners = new Set<() => void>();

export const listedFiles = (): readonly ChosenFile[] => files;

export function onListChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly ChosenFile[]): void {
  files = next;
  for (const listener of listeners) listener();
}

/** On its way to the service, or to its answer. */
export const UNDER_WAY: readonly FileState['step'][] = ['looking', 'sending', 'waiting'];

/** Puts files on the table; one that lies there unsent is replaced by its newer self, and one that was changed on the disk, too. */
export function addFiles(chosen: readonly File[]): readonly ChosenFile[] {
  const fresh = chosen.map((file): ChosenFile => ({ key: nextKey++, file, state: { step: 'checking' } }));
  const replaced = (old: ChosenFile) =>
    !UNDER_WAY.includes(old.state.step) && fresh.some(({ file }) => isSameFile(file, old.file) || isNewer(file, old));
  set([...files.filter((old) => !replaced(old)), ...fresh]);
  return fresh;
}

export const changeFile = (key: number, part: Partial<ChosenFile>): void =>
  set(files.map((one) => (one.key === key ? { ...one, ...part } : one)));

/** Puts an entry for each of its tables in the place of an archive or a workbook: looked at anew, or `known` to be sent at once. */
export function splitFile(key: number, parts: readonly string[], known: boolean): readonly ChosenFile[] {
  const whole = files.find((one) => one.key === key);
  if (whole === undefined) return [];
  const { table: _, mapping: _asked, ...same } = whole;
  const { file } = whole;
  const entries = parts.map((part): ChosenFile => {
    const entry = { key: nextKey++, part };
    return known ? { ...same, ...entry, state: { step: 'looking' } } : { file, ...entry, state: { step: 'checking' } };
  });
  set(files.flatMap((one) => (one === whole ? entries : [one])));
  return entries;
}

/** Of what was to be sent, those that were not come to are as they were before: an entry that waits for nobody would be busy for ever. */
export function leaveReady(wanted: readonly ChosenFile[]): void {
  for (const { key } of wanted) {
    if (files.find((one) => one.key === key)?.state.step === 'looking') changeFile(key, { state: { step: 'ready' } });
  }
}

/** What an entry is called: the file, and the table of it. */
export const titleOf = ({ file, part }: Pick<ChosenFile, 'file' | 'part'>): string =>
  part === undefined ? file.name : `${file.name}: ${part}`;

export const removeFile = (key: number): void => set(files.filter((one) => one.key !== key));

/** Takes away what is sent and answered. */
export const clearSent = (): void => set(files.filter(({ state }) => state.step !== 'done'));

let owner: string | undefined;

/** The list is one account's: whoever signs in after it finds an empty one. Files chosen before the sign-in are theirs who signs in. */
export function listOf(account: string): void {
  if (owner !== undefined && owner !== account) set([]);
  owner = account;
}

/** Of what could not be sent because it was changed. */
const isNewer = (file: File, { state, file: old }: ChosenFile): boolean =>
  state.step === 'failed' && state.error instanceof FileChanged && file.name === old.name;
