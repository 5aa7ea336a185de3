import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../show/trouble.js';
import { checkFile } from './check-file.js';
import type { FileCheck } from './file-check.js';

/** Where one chosen file stands. */
export type FileState =
  | { step: 'checking' }
  | { step: 'ready' }
  | { step: 'sending'; sent: number }
  | { step: 'waiting' }
  | { step: 'done'; submissionId: string; replayed: boolean }
  | { step: 'failed'; error: unknown };

export interface ChosenFile {
  key: number;
  file: File;
  check?: FileCheck;
  state: FileState;
}

let nextKey = 1;

/** The files on the table, each with its check, which is made anew when another encoding is named for them. */
export function useChosenFiles(encoding: string | null) {
  const [files, setFiles] = useState<ChosenFile[]>([]);
  const change = useCallback(
    (key: number, part: Partial<ChosenFile>) =>
      setFiles((present) => present.map((one) => (one.key === key ? { ...one, ...part } : one))),
    [],
  );
  const check = useCallback(
    (key: number, file: File) => {
      checkFile(file, encoding ?? undefined).then(
        (found) => change(key, { check: found, state: { step: 'ready' } }),
        (error) => change(key, { check: unreadable(error), state: { step: 'ready' } }),
      );
    },
    [change, encoding],
  );
  const latest = useRef(files);
  latest.current = files;
  useEffect(() => {
    for (const { key, file, state } of latest.current) if (state.step === 'ready') check(key, file);
  }, [check]);

  const add = useCallback(
    (chosen: File[]) => {
      const fresh = chosen.map((file): ChosenFile => ({ key: nextKey++, file, state: { step: 'checking' } }));
      setFiles((present) => [...present.filter((old) => !fresh.some((one) => sameFile(one.file, old.file))), ...fresh]);
      for (const { key, file } of fresh) check(key, file);
    },
    [check],
  );
  const remove = (key: number) => setFiles((present) => present.filter((one) => one.key !== key));
  const setState = (key: number, state: FileState) => change(key, { state });
  return { files, add, remove, setState };
}

const sameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

const unreadable = (error: unknown): FileCheck => ({
  kind: 'refused',
  rowsExact: false,
  stored: [],
  notStored: [],
  hasReleaseDate: false,
  identifiers: 0,
  problem: `Your browser cannot read this file (${messageOf(error)}). Close it in other programs and choose it again.`,
  remarks: [],
});
