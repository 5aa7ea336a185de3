/** Workbooks as uploads ask for them: a few at once, from a local file or a stream that is kept in one while it is read. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WantedSheet } from './convert.js';
import { isCompoundFile, isGzip, isPackage } from './kind.js';
import { type OpenedWorkbook, openWorkbook, type WorkbookOptions } from './open.js';

export interface WorkbookFile {
  /** A local copy, when there is one. */
  path?: string | undefined;
  bytes: () => AsyncIterable<Buffer>;
}

export class WorkbookReader {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `atOnce`: reading processes at a time; each may take some 200 MB. */
  constructor(
    private readonly atOnce = 2,
    private readonly limits: Pick<WorkbookOptions, 'stallMs' | 'totalMs'> = {},
  ) {}

  isWorkbook(head: Buffer): boolean {
    return isPackage(head) || isGzip(head) || isCompoundFile(head);
  }

  /** The reading process is ended, and its place freed, by `close`. @throws RegistryError file.* */
  async open(file: WorkbookFile, wanted: WantedSheet = {}): Promise<OpenedWorkbook> {
    await this.#turn();
    let folder: string | undefined;
    const end = (): void => {
      this.#next();
      if (folder !== undefined) void rm(folder, { recursive: true, force: true }).catch(() => undefined);
    };
    try {
      if (file.path === undefined) folder = await mkdtemp(join(tmpdir(), 'workbook-'));
      const path = file.path ?? join(folder as string, 'upload.xlsx');
      if (folder !== undefined) await pipeline(Readable.from(file.bytes()), createWriteStream(path));
      const opened = await openWorkbook(path, { ...this.limits, ...wanted });
      let closed = false;
      return {
        ...opened,
        close: () => {
          opened.close();
          if (!closed) end();
          closed = true;
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= this.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
  }

  /** The place goes to the next in line without being free in between. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
