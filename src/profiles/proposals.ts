/** A file that was not made for the registry → what its columns are taken for. Nothing of it is kept. */
import type { ChecklistRules } from '../registry/checklist.js';
import { RegistryError } from '../registry/errors.js';
import { Head } from '../tsv/bytes/head-rows.js';
import { refuseFailed } from '../tsv/forms/failed-sheet.js';
import { textOfHead } from '../tsv/header/header.js';
import { textKind } from '../tsv/header/wrong-kind.js';
import { refuseLongTable } from '../tsv/propose/long-proposal.js';
import { namingHeaders } from '../tsv/propose/name-columns.js';
import { refusePlate } from '../tsv/propose/plate-map.js';
import { type KnownField, LARGEST_PROPOSED, type Proposal } from '../tsv/propose/proposal.js';
import { type Knowledge, proposeProfile } from '../tsv/propose/propose.js';
import { seenColumns } from '../tsv/propose/seen-column.js';
import { type FoundTable, findTable, LOOKED_AT } from '../tsv/propose/sheet-head.js';
import type { Profiles } from './profiles.js';
import { PROFILE_LIMITS } from './schema.js';

/** What says which kind of file it is. */
const KIND_BYTES = 4096;

/** PORT: workbooks and archives, read where they can do no harm. */
export interface SheetFiles {
  isWorkbook(head: Buffer): boolean;
  /** Accounts have turns. `arriving`: the bytes come as fast as a client sends them. @throws RegistryError file.*, rate.limited */
  open(
    file: { bytes: () => AsyncIterable<Buffer>; account: string; arriving: boolean },
    wanted: { sheet?: string },
  ): Promise<{
    sheetName: string;
    sheetNames: string[];
    tables?: string[];
    archived?: true;
    /** The archive says it for its samples. */
    release?: number;
    tsv: AsyncIterable<Buffer>;
    close(): void;
  }>;
}

export interface ProposalRequest {
  account: string;
  fileName: string;
  source: AsyncIterable<Buffer>;
  /** Name or number of the sheet of a workbook, or file of an archive. */
  sheet?: string;
  /** Line of the header row, from 1. */
  headerLine?: number;
  /** WHATWG label. */
  encoding?: string;
  /** Of a workbook or an archive: the answer has what was read of the sheet. */
  withText?: boolean;
}

export interface SheetProposal extends Proposal, Pick<FoundTable, 'headerLine' | 'top' | 'known'> {
  /** Of a workbook or an archive: which sheet this is, and all that there are. */
  sheet?: string;
  sheets?: string[];
  /** Those of a workbook that name samples, where several do and none was asked for. */
  tables?: string[];
  /** Its first 256 KiB as a table of text, and whether that is all of it. */
  text?: string;
  complete?: boolean;
  /** The archive says the release of its samples. */
  dated?: true;
}

export interface ProposalParts {
  profiles: Pick<Profiles, 'kept'>;
  checklists: Pick<ChecklistRules, 'list' | 'fields'>;
  files: SheetFiles;
  /** Of this registry's accessions. */
  prefix: string;
  /** The allowed value that a text probably means. */
  meant: Knowledge['meant'];
}

export class SheetProposals {
  #known: readonly KnownField[] | undefined;

  constructor(private readonly parts: ProposalParts) {}

  /** Reads the source to its end. @throws RegistryError file.*, request.invalid, rate.limited */
  async propose({ account, fileName, source, ...asked }: ProposalRequest): Promise<SheetProposal> {
    const { head, rest } = await begun(bounded(source));
    const read = this.parts.files.isWorkbook(head)
      ? await this.#ofWorkbook({ bytes: () => rest, account, arriving: true }, asked)
      : { bytes: await firstBytes(rest, 'to its end') };
    const complete = read.bytes.length < LOOKED_AT;
    const { text } = textOfHead(read.bytes, asked.encoding, complete);
    const profiles = await this.parts.profiles.kept(account);
    const table = findTable(text, complete, {
      profiles,
      ...(read.rowsAreLines ? { rowsAreLines: true } : {}),
      ...(asked.headerLine === undefined ? {} : { headerLine: asked.headerLine }),
    });
    if (!table.known) {
      const head = new Head(text, complete, read.rowsAreLines);
      refuseFailed(head);
      if (asked.headerLine === undefined && namesOf(table, this.parts.prefix).length === 0)
        refusePlate(head, table.delimiter, true);
    }
    refuseNoTable(table, text, this.parts.prefix);
    const { headerLine, top, known, ...sheet } = table;
    const { prefix, meant } = this.parts;
    const knowledge = { profiles, fields: this.#fields(), prefix, meant, title: titleOf(fileName) };
    const proposal = proposeProfile(sheet, knowledge);
    refuseLongTable(table, proposal);
    if (JSON.stringify(proposal.document).length > PROFILE_LIMITS.characters) refuseTooLong(table, prefix);
    return {
      ...(read.sheet === undefined ? {} : { sheet: read.sheet, sheets: read.sheets }),
      ...(read.tables ? { tables: read.tables } : {}),
      ...(read.sheet !== undefined && asked.withText ? { text, complete } : {}),
      ...(read.dated ? { dated: true } : {}),
      headerLine,
      top,
      known,
      ...proposal,
    };
  }

  /** Of every checklist; the first that has a name counts. */
  #fields(): readonly KnownField[] {
    const { checklists } = this.parts;
    this.#known ??= checklists.list().flatMap(({ id }) =>
      checklists.fields(id).map(({ name, allowedValues }) => ({
        name,
        checklist: id,
        ...(allowedValues ? { allowedValues } : {}),
      })),
    );
    return this.#known;
  }

  async #ofWorkbook(
    file: Parameters<SheetFiles['open']>[0],
    { sheet }: Pick<ProposalRequest, 'sheet'>,
  ): Promise<ReadFile> {
    const opened = await this.parts.files.open(file, sheet === undefined ? {} : { sheet });
    try {
      return {
        bytes: await firstBytes(opened.tsv, 'no further'),
        sheet: opened.sheetName,
        sheets: opened.sheetNames,
        ...(opened.tables ? { tables: opened.tables } : {}),
        ...(opened.archived ? {} : { rowsAreLines: true }),
        ...(opened.release === undefined ? {} : { dated: true }),
      };
    } finally {
      opened.close();
    }
  }
}

interface ReadFile {
  bytes: Buffer;
  sheet?: string;
  sheets?: string[];
  tables?: string[];
  /** It came from a spreadsheet. */
  rowsAreLines?: true;
  dated?: true;
}

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const block of source) {
    size += block.length;
    if (size > LARGEST_PROPOSED)
      throw new RegistryError(
        'file.too-large',
        `Columns are proposed for files of up to ${LARGEST_PROPOSED / 1024 / 1024} MiB; send the first part of a table of text, or a workbook with fewer rows.`,
      );
    yield block;
  }
}

/** The bytes that say which kind of file it is, and all of them. */
async function begun(source: AsyncGenerator<Buffer>): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const kept: Buffer[] = [];
  let size = 0;
  while (size < KIND_BYTES) {
    const { value, done } = await source.next();
    if (done) break;
    kept.push(value);
    size += value.length;
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield* kept;
    yield* source;
  }
  return { head: Buffer.concat(kept), rest: rest() };
}

async function firstBytes(source: AsyncIterable<Buffer>, on: 'to its end' | 'no further'): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const block of source) {
    if (size < LOOKED_AT) kept.push(block.subarray(0, LOOKED_AT - size));
    size += block.length;
    if (size >= LOOKED_AT && on === 'no further') break;
  }
  return Buffer.concat(kept);
}

function refuseNoTable({ header, headerLine, known, rows }: FoundTable, text: string, prefix: string): void {
  const kind = known ? undefined : textKind(header, text);
  if (kind) throw new RegistryError('file.wrong-kind', `This looks like ${kind.kind}: ${kind.fix}.`);
  if (header.length <= PROFILE_LIMITS.columns) return;
  const message = `Line ${headerLine}: the header row has ${header.length} columns; an import profile says of ${PROFILE_LIMITS.columns} at most what they are.`;
  if (known) throw new RegistryError('file.header', message, { extra: { line: headerLine } });
  throw tooWide({ header, headerLine, rows }, prefix, message);
}

function refuseTooLong(table: FoundTable, prefix: string): never {
  const { header, headerLine } = table;
  const message = `Line ${headerLine}: what there is to say of the ${header.length} columns is longer than an import profile may be, ${PROFILE_LIMITS.characters} characters.`;
  throw tooWide(table, prefix, message);
}

const namesOf = ({ header, rows }: Pick<FoundTable, 'header' | 'rows'>, prefix: string): string[] =>
  namingHeaders(seenColumns(header, rows), prefix);

/** Of a table that can be read without saying what each of its columns is. */
function tooWide(
  { header, headerLine, rows }: Pick<FoundTable, 'header' | 'headerLine' | 'rows'>,
  prefix: string,
  message: string,
): RegistryError {
  const nameColumns = namesOf({ header, rows }, prefix);
  return new RegistryError(
    'file.header',
    `${message} Choose the column that names the samples, or leave columns out.`,
    { extra: { line: headerLine, ...(nameColumns.length === 0 ? {} : { nameColumns }) } },
  );
}

/** `Freezer export 2024-03.xlsx` → `Freezer export 2024-03`. */
function titleOf(fileName: string): string {
  const base = fileName
    .replace(/(?:\.[A-Za-z0-9]{1,5}){1,2}$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return (base || 'Sheet').slice(0, PROFILE_LIMITS.text).trim();
}
