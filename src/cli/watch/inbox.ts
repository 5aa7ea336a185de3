import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { READY } from './folder.js';

interface Look {
  size: number;
  mtimeMs: number;
  /** When it was first seen like this. */
  since: number;
}

/** Names that are never a finished file: hidden ones, downloads under way, lock files of office programs. */
const UNFINISHED = /^\.|^~\$|\.(part|partial|tmp|filepart|crdownload|ready)$/i;

/** So many times as long an empty file must stay as it is: who made it may be waiting for what to write. */
const EMPTY_TIMES = 12;

/** Stands for what is no UTF-8 in a name, which then names no file. */
const NO_LETTER = '\ufffd';

/** A file as it was seen. */
export interface Seen {
  name: string;
  size: number;
  mtimeMs: number;
}

export interface Looked {
  /** Complete files, oldest first. */
  complete: Seen[];
  /** How many others are still growing or put off. */
  growing: number;
  /** What lies there and is not taken as it is, with the reason. */
  untaken: Map<string, string>;
}

const MISNAMED = 'Its name is not in UTF-8, so it cannot be opened by it. Give it a name of plain letters.';
const LINK = 'It is a link to a file. Put the file itself here, or a copy of it.';
const DANGLING = 'It is a link that leads to no file. Put the file itself here, or take the link away.';
const NO_FILE = 'It is a pipe, a socket or a device, and nothing is read from it. Write a file, and put that here.';
const FOLDER = 'It is a folder, and nothing in it is taken. Put its files into the inbox itself.';

const seen = (name: string, { size, mtimeMs }: Omit<Seen, 'name'>): Seen => ({ name, size, mtimeMs });

/** Tells which files of the inbox are complete: unchanged for a while, or with a `.ready` file beside them. */
export class Inbox {
  private readonly looks = new Map<string, Look>();
  /** Until when names are passed over. */
  private readonly off = new Map<string, number>();

  constructor(
    private readonly path: string,
    private readonly stableMs: number,
  ) {}

  /** `now`: of a clock that nobody sets. */
  async look(now = performance.now()): Promise<Looked> {
    const entries = await readdir(this.path, { withFileTypes: true });
    const names = new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name));
    const others = entries.filter((entry) => !entry.isFile());
    const complete: Seen[] = [];
    const untaken = await this.#untaken(others);
    let growing = 0;
    for (const name of names) {
      if (UNFINISHED.test(name)) continue;
      const found = await this.#found(name);
      if (!found && name.includes(NO_LETTER)) untaken.set(name, MISNAMED);
      if (!found) continue;
      const saysReady = names.has(`${name}${READY}`) && (await this.isSaidOf(name, found));
      const isComplete = saysReady || this.isStable(name, found, now);
      const until = this.off.get(name) ?? 0;
      if (isComplete && now >= until) complete.push(seen(name, found));
      else if (until !== Number.POSITIVE_INFINITY) growing++;
    }
    this.#forgetAllBut(names);
    complete.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    return { complete, growing, untaken };
  }

  #forgetAllBut(names: ReadonlySet<string>): void {
    for (const known of [this.looks, this.off]) {
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    }
  }

  /** Why links, folders and the like are no files that are taken. */
  async #untaken(others: readonly Dirent[]): Promise<Map<string, string>> {
    const untaken = new Map<string, string>();
    for (const entry of others) {
      const reason = UNFINISHED.test(entry.name) ? undefined : await this.#whyUntaken(entry);
      if (reason !== undefined) untaken.set(entry.name, reason);
    }
    return untaken;
  }

  async #whyUntaken(entry: Dirent): Promise<string | undefined> {
    const found = await this.#found(entry.name);
    if (found === undefined) return entry.isSymbolicLink() ? DANGLING : undefined;
    if (found.isFile()) return LINK;
    if (!found.isDirectory()) return NO_FILE;
    return (await this.#holdsFiles(entry.name)) ? FOLDER : undefined;
  }

  /** Passes over a file that could not be taken, so that the others have their turn; for good, where it is not to be waited for. */
  putOff(name: string, ms: number, now = performance.now()): void {
    this.off.set(name, now + ms);
  }

  /** False of one that was written to since, or is gone. */
  async isAsSeen({ name, size, mtimeMs }: Seen): Promise<boolean> {
    const found = await this.#found(name);
    return found?.size === size && found.mtimeMs === mtimeMs;
  }

  #found(name: string) {
    return stat(join(this.path, name)).catch(() => undefined);
  }

  /** Of an empty folder nobody waits for anything. */
  async #holdsFiles(folder: string): Promise<boolean> {
    const names = await readdir(join(this.path, folder)).catch(() => []);
    return names.some((name) => !UNFINISHED.test(name));
  }

  /** One that is older than the file was meant for another one, which had been taken when it came. */
  private async isSaidOf(name: string, file: { mtimeMs: number }): Promise<boolean> {
    const ready = await this.#found(`${name}${READY}`);
    return ready !== undefined && ready.mtimeMs >= file.mtimeMs;
  }

  private isStable(name: string, { size, mtimeMs }: { size: number; mtimeMs: number }, now: number): boolean {
    const last = this.looks.get(name);
    if (last?.size !== size || last.mtimeMs !== mtimeMs) {
      this.looks.set(name, { size, mtimeMs, since: now });
      return false;
    }
    return now - last.since >= this.stableMs * (size === 0 ? EMPTY_TIMES : 1);
  }
}
