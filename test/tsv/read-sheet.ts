/** A sheet read to its end, spelled out for tests: what the store would be handed, as objects. */
import { decodeContent } from '../../src/registry/samples/content-json.js';
import { unpackSample } from '../../src/registry/samples/packed-sample.js';
import type { SampleContent } from '../../src/registry/samples/sample.js';
import {
  batchCells,
  batchName,
  type Issue,
  type LaidOutBatch,
  newRelease,
  type RejectedRow,
} from '../../src/registry/samples/sample-batch.js';
import type { SheetPlan } from '../../src/tsv/header/columns.js';
import { readHeader, type SheetOptions } from '../../src/tsv/header/header.js';
import { readRows, type SheetRow } from '../../src/tsv/print/rows.js';
import { type ReadOptions, readBatches } from '../../src/tsv/rows/read.js';
import { type Survey, type SurveyOptions, surveySheet } from '../../src/tsv/rows/survey.js';

export interface ReadSample {
  line: number;
  name: string;
  /** ISO 8601; empty when an existing sample keeps its own. */
  release: string;
  id: number;
  reserved: number | undefined;
  packed: string;
  /** It came as a JSON document. */
  document: boolean;
  content: SampleContent;
}

export interface ReadSheet {
  plan: SheetPlan;
  samples: ReadSample[];
  rejected: RejectedRow[];
  batches: LaidOutBatch[];
  survey: Survey;
}

export interface SheetSettings {
  header?: Partial<SheetOptions>;
  read?: Partial<ReadOptions>;
  survey?: Partial<SurveyOptions>;
  /** Sizes of the pieces that the bytes arrive in, over and over. */
  pieces?: readonly number[];
}

export const PREFIX = 'SAMR';

export async function* inPieces(bytes: Buffer, pieces: readonly number[] = [65536]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, pieces[turn % pieces.length] ?? 1);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Each piece in memory that is used again when the next is asked for: what a reader kept of it is no longer what it was. */
export async function* inMemoryUsedAgain(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const memory = Buffer.from(piece);
    yield memory;
    memory.fill('"');
  }
}

export const bytesOf = (sheet: string | Buffer): Buffer => (typeof sheet === 'string' ? Buffer.from(sheet) : sheet);

/** Cells by TAB, rows by LF, as a test likes to write them. */
export const table = (...rows: string[][]): string => rows.map((cells) => `${cells.join('\t')}\n`).join('');

export function planOf(sheet: string | Buffer, header: Partial<SheetOptions> = {}): SheetPlan {
  const bytes = bytesOf(sheet);
  const options: SheetOptions = { prefix: PREFIX, unknownColumns: 'ignore', ...header };
  return readHeader(bytes.subarray(0, 1024 * 1024), options, bytes.length <= 1024 * 1024);
}

export async function readSheet(sheet: string | Buffer, settings: SheetSettings = {}): Promise<ReadSheet> {
  const bytes = bytesOf(sheet);
  const plan = planOf(bytes, settings.header);
  const options: ReadOptions = {
    prefix: PREFIX,
    batchRows: 1000,
    ...(settings.header?.releaseDate === undefined ? {} : { releaseDate: settings.header.releaseDate }),
    ...settings.read,
  };
  const passing = () => inMemoryUsedAgain(inPieces(bytes, settings.pieces));
  const survey = await surveySheet(passing(), plan, { ...options, ...settings.survey });
  if (plan.relationshipColumns.length > 0 || settings.survey) options.survey = survey;
  const batches: LaidOutBatch[] = [];
  for await (const batch of readBatches(passing(), plan, options)) batches.push(batch);
  return {
    plan,
    survey,
    batches,
    samples: batches.flatMap(samplesOf),
    rejected: batches.flatMap(({ rejected }) => rejected),
  };
}

function releaseOf(batch: LaidOutBatch, row: number): string {
  const keeps = batch.ids[row] !== 0 && Number.isNaN(batch.releases[row]);
  return keeps ? '' : new Date(newRelease(batch, row)).toISOString();
}

export function samplesOf(batch: LaidOutBatch): ReadSample[] {
  return Array.from({ length: batch.count }, (_, row) => {
    const document = batch.documents.get(row);
    const packed = batchCells(batch, row);
    return {
      line: batch.lines[row] as number,
      name: batchName(batch, row),
      release: releaseOf(batch, row),
      id: batch.ids[row] as number,
      reserved: batch.reserved?.[row],
      packed,
      document: document !== undefined,
      content: document === undefined ? unpackSample(batch.layout, packed) : decodeContent(document),
    };
  });
}

export async function rowsOf(sheet: string | Buffer, plan = planOf(sheet), pieces?: number[]): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const some of readRows(inMemoryUsedAgain(inPieces(bytesOf(sheet), pieces)), plan)) rows.push(...some);
  return rows;
}

/** Line and code of every issue. */
export const codes = (rejected: readonly RejectedRow[]): string[] =>
  rejected.flatMap(({ issues }) => issues.map(({ line, code }) => `${line} ${code}`));

export const issuesOf = (rejected: readonly RejectedRow[]): Issue[] => rejected.flatMap(({ issues }) => issues);

/** What is expected of a refusal. */
export interface Refused {
  code?: string;
  message: string;
  line?: number;
  column?: string;
  offset?: number;
}

/** The error that a sheet is refused with. */
export async function refusal(
  sheet: string | Buffer,
  settings: SheetSettings = {},
): Promise<{ code: string; message: string; line: unknown; column: unknown; offset: unknown }> {
  try {
    await readSheet(sheet, settings);
  } catch (error) {
    const { code, message, detail } = error as import('../../src/registry/errors.js').RegistryError;
    const { line, column, offset } = detail?.extra ?? {};
    if (code === undefined) throw error;
    return { code, message, line, column, offset };
  }
  throw new Error('The sheet was read, not refused.');
}
