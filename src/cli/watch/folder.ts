import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PART_ENDING, RESULT_ENDING, type ResultForm } from '../../client/documents.js';
import { makeFolderNow, syncFolder, syncNow } from '../../durable-names.js';
import type { Journal, JournalEntry, Outcome } from './journal.js';

/** Papers that may lie beside a file in `done` and `rejected`: its name with these endings, some by the form of the results. */
const PAPERS = { receipt: () => 'receipt.json', ...PART_ENDING };
export type Paper = keyof typeof PAPERS;

const ENDINGS: readonly string[] = [
  ...new Set(
    (Object.keys(RESULT_ENDING) as ResultForm[]).flatMap((form) =>
      Object.values(PAPERS).map((ending) => `.${ending(form)}`),
    ),
  ),
];

/** Stands beside a file in the inbox to say that it is complete. */
export const READY = '.ready';

/** The folders of one watched directory. Every move is a rename within it, and durable when its promise resolves. */
export class WatchedFolder {
  readonly inbox: string;
  readonly working: string;

  constructor(readonly root: string) {
    this.inbox = join(root, 'inbox');
    this.working = join(root, 'working');
  }

  get journalPath(): string {
    return join(this.root, '.journal', 'journal.db');
  }

  outcomeFolder(outcome: Outcome): string {
    return join(this.root, outcome);
  }

  async prepare(): Promise<void> {
    for (const name of ['inbox', 'working', 'done', 'rejected', '.journal']) {
      makeFolderNow(join(this.root, name));
    }
  }

  /** Where the file lies while it is worked on: a folder of its own, named by its key. */
  workFile(entry: Pick<JournalEntry, 'key' | 'name'>): string {
    return join(this.working, entry.key, entry.name);
  }

  paper(entry: JournalEntry, paper: Paper, form: ResultForm = 'sheet'): string {
    return join(this.working, entry.key, `${entry.name}.${PAPERS[paper](form)}`);
  }

  /** Moves a claimed file out of the inbox; false when it is in neither place. Repeating it changes nothing. */
  async take(entry: JournalEntry): Promise<boolean> {
    const source = join(this.inbox, entry.name);
    const target = this.workFile(entry);
    await mkdir(join(this.working, entry.key), { recursive: true });
    if (!existsSync(target)) {
      try {
        await rename(source, target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await rmdir(join(this.working, entry.key));
        return false;
      }
    }
    // Whoever wrote it may not have: half of it would be sent after a power cut.
    syncNow(target);
    await syncFolder(join(this.working, entry.key));
    await syncFolder(this.working);
    await rm(`${source}${READY}`, { force: true });
    await syncFolder(this.inbox);
    return true;
  }

  /** A name in the folder of the outcome that nobody has: the file's own, else with a part of the key in it. */
  freePlace(entry: JournalEntry, outcome: Outcome, journal: Journal): string {
    const extension = extname(entry.name);
    const stem = entry.name.slice(0, entry.name.length - extension.length);
    const names = [entry.name, `${stem}.${entry.key.slice(0, 8)}${extension}`, `${stem}.${entry.key}${extension}`];
    const isFree = (name: string): boolean =>
      !journal.isPlaceTaken(outcome, name) &&
      !['', ...ENDINGS].some((ending) => existsSync(join(this.root, outcome, `${name}${ending}`)));
    return names.find(isFree) ?? `${entry.key}${extension}`;
  }

  /** Moves file and papers to their place, the file last: who sees it there finds its papers. May be repeated at any point. */
  async settle(entry: JournalEntry, outcome: Outcome, place: string): Promise<void> {
    const from = join(this.working, entry.key);
    const target = this.outcomeFolder(outcome);
    for (const ending of [...ENDINGS, '']) {
      const source = join(from, `${entry.name}${ending}`);
      if (existsSync(source)) await rename(source, join(target, `${place}${ending}`));
    }
    await syncFolder(target);
    await rm(from, { recursive: true, force: true });
    await syncFolder(this.working);
  }

  /** Files in `working` by key, whether the journal knows them or not. */
  async found(): Promise<{ key: string; name: string }[]> {
    const files: { key: string; name: string }[] = [];
    for (const key of await readdir(this.working)) {
      const names = await readdir(join(this.working, key)).catch(() => []);
      // Papers have the file's name and more, so the shortest name is the file's.
      const [name] = names.filter((one) => !one.endsWith('.part')).sort((a, b) => a.length - b.length);
      if (name !== undefined) files.push({ key, name });
    }
    return files;
  }
}
