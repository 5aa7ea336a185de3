/** Workbooks as uploads ask for them: a few at once, accounts in turns, from a local file or a stream that is kept in one while it is read. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Places } from '../limits/places.js';
import { WaitingPlaces } from '../limits/waiting-places.js';
import { RegistryError } from '../registry/errors.js';
import type { WantedSheet } from './choose-sheet.js';
import { isCompoundFile, isGzip, isPackage } from './kind.js';
import { type OpenedWorkbook, openWorkbook } from './open.js';

export interface WorkbookFile {
  /** A local copy, when there is one. */
  path?: string | undefined;
  bytes: () => AsyncIterable<Buffer>;
  /** Whose turn it takes. */
  account?: string | undefined;
  /** The bytes come as fast as a client sends them: all are here before a reading process is taken. */
  arriving?: boolean | undefined;
}

/** Reading processes of one account, and in all: one is left to others, however many large workbooks an account sends. Each may take some 200 MB. */
const AT_ONCE = { ofOne: 2, inAll: 3 };
/** Files of `arriving` bytes that are kept or wait. */
const ARRIVING = { ofOne: 20, inAll: 200 };
const RETRY_AFTER_S = 10;

export class WorkbookReader {
  /** Uploads that wait are bounded by their quota. */
  readonly #places = new WaitingPlaces(AT_ONCE);
  readonly #arriving = new Places(ARRIVING);

  /** `begin`: for tests, which have the reading process elsewhere. */
  constructor(private readonly begin = openWorkbook) {}

  isWorkbook(head: Buffer): boolean {
    return isPackage(head) || isGzip(head) || isCompoundFile(head);
  }

  /** The reading process is ended, and its place freed, by `close`. @throws RegistryError file.*, rate.limited */
  async open(file: WorkbookFile, wanted: WantedSheet = {}): Promise<OpenedWorkbook> {
    const { account = '', arriving = false } = file;
    const leave = [arriving ? this.#arrive(account) : () => undefined];
    let folder: string | undefined;
    const end = (): void => {
      for (const each of leave) each();
      if (folder !== undefined) void rm(folder, { recursive: true, force: true }).catch(() => undefined);
    };
    try {
      if (file.path === undefined) folder = await mkdtemp(join(tmpdir(), 'workbook-'));
      const path = file.path ?? join(folder as string, 'upload.xlsx');
      const keep = () => pipeline(Readable.from(file.bytes()), createWriteStream(path));
      if (arriving) await keep();
      const place = await this.#places.enter(account);
      if (typeof place !== 'string') leave.push(place);
      if (folder !== undefined && !arriving) await keep();
      const opened = await this.begin(path, wanted);
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

  #arrive(account: string): () => void {
    const place = this.#arriving.enter(account);
    if (typeof place !== 'string') return place;
    const many = place === 'of one' ? `${ARRIVING.ofOne} of your files` : `${ARRIVING.inAll} files`;
    throw new RegistryError('rate.limited', `${many} are sent and looked into already; try again when some are done.`, {
      extra: { retryAfter: RETRY_AFTER_S },
    });
  }
}
