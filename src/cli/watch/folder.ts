import { lstatSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { PART_ENDING, RESULT_ENDING, type ResultForm } from '../../client/documents.js';
import { PARTIAL_BYTES } from '../../client/save.js';
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

/** The file cannot be read or moved, for reasons of its own or of its folder, and lies where it lay. */
export class LeftInInboxError extends Error {
  constructor(name: string, cause: Error) {
    const { code } = cause as NodeJS.ErrnoException;
    super(
      code === 'EXDEV'
        ? `${name} cannot be taken: inbox and working lie on different disks. They have to be folders of one.`
        : `${name} cannot be taken: ${cause.message}.`,
      { cause },
    );
  }
}

/** Stands beside a file in the inbox to say that it is complete. */
export const READY = '.ready';

/** Bytes that a file system allows a name. */
const NAME_BYTES = 255;
/** Of its key, in the place of a file whose name somebody has. */
const KEY_LETTERS = 8;
/** What may come to a name, at most: that, and the ending of a paper that is being written. */
const MORE_BYTES = 1 + KEY_LETTERS + PARTIAL_BYTES + Math.max(...ENDINGS.map((ending) => ending.length));

/** The name cut short where those of its papers would be too long; its ending stays. */
function roomyName(name: string): string {
  if (Buffer.byteLength(name) + MORE_BYTES <= NAME_BYTES) return name;
  const ending = Buffer.byteLength(extname(name)) <= 20 ? extname(name) : '';
  let kept = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(`${kept}${character}~${ending}`) + MORE_BYTES > NAME_BYTES) break;
    kept += character;
  }
  return `${kept}~${ending}`;
}

/** Nothing has a name that is too long. @throws what else keeps it from being looked at: a file on a share that is away for a moment is not gone */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return false;
    throw error;
  }
}

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
    return join(this.working, entry.key, roomyName(entry.name));
  }

  /** The folder in which papers are written: somebody may have taken it away, with the file. Where `working` itself is away, it is not made. */
  async makeRoomForPapers(entry: JournalEntry): Promise<void> {
    await mkdir(join(this.working, entry.key)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }

  paper(entry: JournalEntry, paper: Paper, form: ResultForm = 'sheet'): string {
    return `${this.workFile(entry)}.${PAPERS[paper](form)}`;
  }

  /**
   * Moves a claimed file out of the inbox; false when it is in neither place. Repeating it changes nothing.
   * @throws LeftInInboxError
   */
  async take(entry: JournalEntry): Promise<boolean> {
    const source = join(this.inbox, entry.name);
    const target = this.workFile(entry);
    try {
      await mkdir(dirname(target), { recursive: true });
      if (!isThere(target)) {
        // Whoever wrote it may not have: half of it would be sent after a power cut. One that cannot be read stays where it is.
        syncNow(source);
        await rename(source, target);
      }
    } catch (error) {
      await rmdir(dirname(target)).catch(() => undefined);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw new LeftInInboxError(entry.name, error as Error);
    }
    await syncFolder(join(this.working, entry.key));
    await syncFolder(this.working);
    // Of a name that is as long as it may be there is none.
    if (isThere(`${source}${READY}`)) await rm(`${source}${READY}`, { force: true });
    await syncFolder(this.inbox);
    return true;
  }

  /** Whether somebody took a file away that was here. Where the folder itself is away, or cannot be looked into, nobody did. */
  async isTakenAway(entry: JournalEntry): Promise<boolean> {
    try {
      if (!isThere(this.working) || isThere(this.workFile(entry))) return false;
    } catch {
      return false;
    }
    await rmdir(join(this.working, entry.key)).catch(() => undefined);
    return true;
  }

  /** A name in the folder of the outcome that nobody has: the file's own, else with a part of the key in it. */
  freePlace(entry: JournalEntry, outcome: Outcome, journal: Journal): string {
    const own = roomyName(entry.name);
    const extension = extname(own);
    const stem = own.slice(0, own.length - extension.length);
    const names = [own, `${stem}.${entry.key.slice(0, KEY_LETTERS)}${extension}`];
    const isFree = (name: string): boolean =>
      !journal.isPlaceTaken(outcome, name) &&
      !['', ...ENDINGS].some((ending) => isThere(join(this.root, outcome, `${name}${ending}`)));
    return names.find(isFree) ?? `${entry.key}${extension}`;
  }

  /** Moves file and papers to their place, the file last: who sees it there finds its papers. May be repeated at any point. */
  async settle(entry: JournalEntry, outcome: Outcome, place: string): Promise<void> {
    const from = join(this.working, entry.key);
    const target = this.outcomeFolder(outcome);
    for (const ending of [...ENDINGS, '']) {
      const source = `${this.workFile(entry)}${ending}`;
      if (isThere(source)) await rename(source, join(target, `${place}${ending}`));
    }
    await syncFolder(target);
    await rm(from, { recursive: true, force: true });
    await syncFolder(this.working);
  }

  /** Moves a file that has its place, and its papers, to where `entry` is worked on, the file first. May be repeated at any point. */
  async takeBack({ end, place }: JournalEntry, entry: JournalEntry): Promise<void> {
    const from = this.outcomeFolder(end?.outcome as Outcome);
    await mkdir(join(this.working, entry.key), { recursive: true });
    for (const ending of ['', ...ENDINGS]) {
      const source = join(from, `${place}${ending}`);
      if (isThere(source)) await rename(source, `${this.workFile(entry)}${ending}`);
    }
    await syncFolder(join(this.working, entry.key));
    await syncFolder(this.working);
    await syncFolder(from);
  }

  /** Files in `working` by key, whether the journal knows them or not. */
  async found(): Promise<{ key: string; name: string }[]> {
    const files: { key: string; name: string }[] = [];
    for (const key of await readdir(this.working)) {
      const names = await readdir(join(this.working, key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTDIR') throw error;
        return [];
      });
      // Papers have the file's name and more, so the shortest name is the file's.
      const [name] = names.filter((one) => !one.endsWith('.part')).sort((a, b) => a.length - b.length);
      if (name === undefined) continue;
      files.push({ key, name });
      // Of an earlier version, which had no room for its papers.
      const roomy = this.workFile({ key, name });
      if (!isThere(roomy)) await rename(join(this.working, key, name), roomy);
    }
    return files;
  }
}
