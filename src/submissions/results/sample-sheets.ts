/** Samples that exist, as a sheet ready to edit and upload. */
import { parseAccession } from '../../registry/accession.js';
import { RegistryError } from '../../registry/errors.js';
import { type Caller, mayRead } from '../../registry/permissions.js';
import { ERASED, type StoredSample } from '../../registry/samples/sample.js';
import { type LotsFor, sampleLots } from '../../registry/samples/sample-lots.js';
import { requireNotErased } from '../../registry/samples/sample-reader.js';
import { timeSlices } from '../../registry/time-slices.js';
import { COLUMN_LIMIT } from '../../tsv/dialect.js';
import { isFormula, MAX_CELLS, type SampleSheet, sampleSheet, TooManyCells } from '../../tsv/print/sample-sheet.js';
import { runsOf } from '../reading/line-index.js';
import type { Submission } from '../submission.js';
import type { SubmissionStore } from '../submission-store.js';

export type SheetFormat = 'tsv' | 'xlsx';

/** PORT: a table as a file. */
export type PrintSheet = (sheet: SampleSheet, format: SheetFormat) => Promise<PrintedSheet>;

export interface PrintedSheet {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

export interface SampleSheetDependencies {
  store: Pick<SubmissionStore, 'ledger'>;
  lotsFor: LotsFor;
  prefix: string;
  now: () => number;
  print: PrintSheet;
}

/** Samples of one sheet. Of a larger submission, its result file is the sheet to edit. */
export const MAX_SHEET_SAMPLES = 10_000;
/** Characters that the samples of one sheet say, as JSON. */
const MAX_CHARACTERS = 16_000_000;
/** What a cell of a workbook holds. */
const MAX_WORKBOOK_CELL = 32_767;

export class SampleSheets {
  constructor(private readonly deps: SampleSheetDependencies) {}

  /** @throws RegistryError request.invalid, sample.not-found, sample.private, sample.erased */
  async ofAccessions(
    accessions: readonly string[],
    caller: Caller | undefined,
    format: SheetFormat,
  ): Promise<PrintedSheet> {
    const ids = accessions.map((accession) => {
      const id = parseAccession(this.deps.prefix, accession);
      if (id === undefined) throw notFound(accession);
      return id;
    });
    return (await this.#print(ids, caller, format, requireNotErased)) as PrintedSheet;
  }

  /** The samples that a submission created, updated or found unchanged, as they are now, without erased ones. @throws RegistryError request.invalid */
  async ofSubmission(submission: Submission, caller: Caller, format: SheetFormat): Promise<PrintedSheet> {
    const ids: number[] = [];
    for await (const chunk of this.deps.store.ledger(submission.id)) {
      for (const [, id, count] of runsOf(chunk)) {
        // What a dry run would have created has no number.
        if (id === 0) continue;
        if (ids.length + count > MAX_SHEET_SAMPLES) throw tooMany();
        for (let i = 0; i < count; i++) ids.push(id + i);
      }
    }
    const sheet = await this.#print(ids, caller, format);
    if (sheet === undefined) throw noSamples(submission);
    return sheet;
  }

  /** `askErased` is asked about each sample that was erased, which is left out else. Undefined where none is left. */
  async #print(
    ids: readonly number[],
    caller: Caller | undefined,
    format: SheetFormat,
    askErased?: (sample: StoredSample, accession: string) => void,
  ): Promise<PrintedSheet | undefined> {
    const { lotsFor, prefix, now, print } = this.deps;
    const distinct = [...new Set(ids)];
    if (distinct.length > MAX_SHEET_SAMPLES) throw tooMany();
    const samples: StoredSample[] = [];
    const nextSlice = timeSlices();
    let characters = 0;
    for await (const lot of sampleLots(lotsFor(caller), distinct)) {
      for (const { id, record } of lot) {
        if (!record) throw notFound(prefix + id);
        if (record.sample.adminStatus === ERASED) {
          askErased?.(record.sample, prefix + id);
          continue;
        }
        if (!mayRead(record.sample, caller, now())) throw isPrivate(prefix + id);
        characters += JSON.stringify(record.sample.content).length;
        if (characters > MAX_CHARACTERS) throw tooLarge();
        samples.push(record.sample);
        await nextSlice();
      }
    }
    if (samples.length === 0) return undefined;
    const sheetOf = (...settings: Settings) =>
      sampleSheet(samples, prefix, ...settings).catch((error: unknown) => {
        throw error instanceof TooManyCells ? tooLarge() : error;
      });
    if (format === 'xlsx') return print(await sheetOf(MAX_WORKBOOK_CELL), format);
    // A spreadsheet calculates what text seems to say; the cells of a workbook say that they are text.
    const isUnsafe = ({ account }: StoredSample, row: readonly string[]) =>
      account !== caller?.account && row.some(isFormula);
    return print(await sheetOf(undefined, isUnsafe), format);
  }
}

type Settings = Parameters<typeof sampleSheet> extends [unknown, unknown, ...infer Rest] ? Rest : never;

const notFound = (accession: string): RegistryError =>
  new RegistryError('sample.not-found', `There is no sample ${accession.slice(0, 100)} here.`);

const noSamples = ({ id }: Submission): RegistryError =>
  new RegistryError('request.invalid', `Submission ${id} has no samples.`);

const isPrivate = (accession: string): RegistryError =>
  new RegistryError('sample.private', `Sample ${accession} is not released yet; only its owner can read it.`);

const tooMany = (): RegistryError =>
  new RegistryError(
    'request.invalid',
    `A sheet holds at most ${MAX_SHEET_SAMPLES} samples. Ask for fewer at a time, or edit and upload the result file of the submission (GET /submissions/{id}/result).`,
  );

const tooLarge = (): RegistryError =>
  new RegistryError(
    'request.invalid',
    `These samples are too large, or too different, for one sheet: it would have more than ${MAX_CHARACTERS} characters, ${MAX_CELLS} cells or ${COLUMN_LIMIT} columns. Ask for fewer samples, or for those that have the same characteristics.`,
  );
