/** What the making of a whole result is given, and gives. */
import type { ExportFormat } from '../formats/names.js';
import type { Caller } from '../registry/permissions.js';
import type { SampleDocument } from '../registry/samples/representation.js';
import type { ShownRecord } from '../registry/samples/sample-reader.js';
import type { ResultQuery, WholeResultStore } from '../registry/samples/whole-result.js';
import type { SheetLimits } from './formats.js';

export interface ExportOrder {
  /** `accessions`: the lines of a batch edit. */
  format: ExportFormat | 'accessions';
  query: ResultQuery;
  account: Caller['account'] | undefined;
  /** Documents as readers see them, with curations; a sheet always has the samples as they were submitted. */
  curated: boolean;
  /** Address of the registry, for links and identifiers. */
  registry: string;
  /** Nothing is printed. */
  countOnly: boolean;
}

export interface ProduceDependencies {
  store: WholeResultStore;
  prefix: string;
  /** What `GET /samples/{accession}` shows of a sample, without links. */
  document(record: ShownRecord, curated: boolean): SampleDocument;
  workbook: {
    limits: SheetLimits & { cellText: number };
    /** The rows, of which the first is a header, as .xlsx. */
    print(rows: AsyncIterable<string[]>, columns: number): AsyncIterable<Buffer>;
  };
}

export interface ExportOutput {
  /** Of the samples, when nothing more can be refused; before the first byte. */
  counted(count: number): void;
  /** Of a part of the result; the bytes are used again when it resolves. */
  write(part: number, bytes: Uint8Array): Promise<void> | void;
  /** The part has all its bytes. */
  ended(part: number): Promise<void> | void;
}
