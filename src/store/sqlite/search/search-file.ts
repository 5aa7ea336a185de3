/**
 * The file of the search index. All that it holds can be made again, so one that is damaged is set aside under another
 * name, a new one takes its place, and every process that has the old one open changes over before it next uses it.
 */
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { SqliteDatabase } from '../database.js';
import { isDamage } from '../failures.js';

const ASIDE = '.damaged-';

export class SearchFile {
  private opened: SqliteDatabase | undefined;
  private inode: number | undefined;

  private constructor(
    readonly path: string,
    private readonly openFile: (path: string) => Promise<SqliteDatabase>,
    private readonly onDamage: (aside: string, reason: unknown) => void,
  ) {}

  /** `openFile` opens the file and brings it to its schema; `onDamage` hears under which name a damaged one is kept. */
  static async open(
    path: string,
    openFile: (path: string) => Promise<SqliteDatabase>,
    onDamage: (aside: string, reason: unknown) => void = () => undefined,
  ): Promise<SearchFile> {
    const file = new SearchFile(path, openFile, onDamage);
    await file.reopen();
    return file;
  }

  get database(): SqliteDatabase {
    if (this.opened === undefined) throw new Error('the search index is not open');
    return this.opened;
  }

  /** Opens the file anew when another process has put a new one in its place. True when it was. */
  async refresh(): Promise<boolean> {
    if (this.opened !== undefined && inodeOf(this.path) === this.inode) return false;
    await this.reopen();
    return true;
  }

  /** Sets the file aside if it is to blame for the error; false when it is not. */
  async setAsideFor(error: unknown): Promise<boolean> {
    if (!isDamage(error) || !this.isDamaged(error)) return false;
    this.setAside(error);
    await this.reopen();
    return true;
  }

  /** Names of the files that were set aside, beside the index. */
  setAsides(): string[] {
    const name = basename(this.path) + ASIDE;
    return readdirSync(dirname(this.path))
      .filter((each) => each.startsWith(name) && !/-(wal|shm)$/.test(each))
      .sort();
  }

  close(): void {
    this.opened?.close();
    this.opened = undefined;
  }

  private async reopen(): Promise<void> {
    this.close();
    try {
      this.opened = await this.openFile(this.path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.inode = inodeOf(this.path);
      this.setAside(error);
      this.opened = await this.openFile(this.path);
    }
    this.inode = inodeOf(this.path);
  }

  /** An error may come from the store's own file; that one is never touched here. */
  private isDamaged(error: unknown): boolean {
    if ((error as { code?: string }).code === 'SQLITE_CORRUPT_VTAB') return true;
    try {
      return this.database.check() !== 'ok';
    } catch {
      return true;
    }
  }

  private setAside(reason: unknown): void {
    this.close();
    // Another process may have been first.
    if (inodeOf(this.path) !== this.inode) return;
    const aside = `${this.path}${ASIDE}${new Date().toISOString().replaceAll(':', '')}`;
    renameSync(this.path, aside);
    for (const part of ['-wal', '-shm']) {
      if (existsSync(this.path + part)) renameSync(this.path + part, aside + part);
    }
    this.onDamage(aside, reason);
  }
}

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
