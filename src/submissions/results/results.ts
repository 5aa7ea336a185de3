/**
 * What a submitter gets back, printed from the original file and the ledger when asked for, never stored: the result
 * with its receipt, the mapping, the rejected rows. Line by line, in one pass, so memory does not grow with the file.
 */
import { RegistryError } from '../../registry/errors.js';
import { owns } from '../../registry/permissions.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { errorsHeader, errorsRow, receipt, resultHeader, resultRow } from '../../tsv/print/write.js';
import { nameOf } from '../../tsv/rows/read-cells.js';
import type { Blobs } from '../blobs.js';
import { isaResult, marsReceipt, type ReceiptPlace } from '../isa-json/result.js';
import { jsonErrors, jsonResult } from '../json-file/results.js';
import type { OpenRelationshipStore } from '../open-relationship-store.js';
import { type ChangedRow, type CheckedRow, checkRows } from '../reading/check-rows.js';
import type { RowChecks } from '../reading/row-checks.js';
import { openSource, originalOf, sourceOf } from '../reading/stored-source.js';
import { type MissingDependencies, missingSamples } from '../standing/missing-list.js';
import { isFinal, type Submission } from '../submission.js';
import type { SubmissionStore } from '../submission-store.js';
import type { ReadUpload } from '../uploads/accept-upload.js';
import type { SubmissionReader } from '../uploads/uploads.js';
import { ensureTable, type Workbooks } from '../uploads/workbook-table.js';
import { written } from '../written.js';
import { appliedChanges } from './applied-changes.js';
import { type ChangesDependencies, dryRunChanges, type Shown } from './changes.js';
import { type MarkedCell, type MarkedWorkbook, markedHeader, markedRow } from './marked-rows.js';
import { openRelationshipsOf } from './open-list.js';
import { openText, planOfSubmission, readOutcomes, readRejected } from './outcomes.js';
import { changeRow, changesElsewhere, issueRow, receiptHead } from './receipt.js';
import { formOf } from './result-form.js';
import { rowsJson, withList } from './result-json.js';
import { requireSheetResult, resultTable } from './result-workbook.js';

/** Changes that a dry run's receipt lists, of as many rows at most; all of them: changes.ts. */
const MAX_CHANGES = 1000;
/** Of a receipt, printed at once. */
const RECEIPT_ROWS = 500;

export interface ResultDependencies {
  store: SubmissionStore & ChangesDependencies['store'] & MissingDependencies['store'] & OpenRelationshipStore;
  blobs: Blobs;
  workbooks?: Workbooks;
  /** As the worker checks, for reading a dry run again. */
  rowChecks?: RowChecks;
  /** Names that accounts have given, for checking rows that are to be sent. */
  names?: Pick<SearchStore, 'findNamed'>;
  workbook?: MarkedWorkbook;
  prefix: string;
}

export interface RegisteredName {
  sampleName: string;
  sampleAccession: string;
}

export class Results {
  constructor(private readonly deps: ResultDependencies) {}

  /** To be asked before the first byte of what is printed here goes out. @throws RegistryError submission.outcomes-gone */
  requireOutcomes({ id }: Submission): Promise<void> {
    return this.deps.store.requireLedger(id);
  }

  /** The result: the original rows with their accessions, then the receipt; of a JSON file in its own form. `read`: the file, where it is at hand. */
  async *result(submission: Submission, read?: ReadUpload): AsyncGenerator<string> {
    const open = openText(this.deps, submission, read?.text);
    const plan = read?.plan ?? (await planOfSubmission(this.deps, submission, open));
    if (submission.options.readAs?.isa) return yield* isaResult(this.deps, submission);
    if (plan.json) return yield* jsonResult(this.deps, submission, plan);
    const { releaseDate } = submission.options;
    yield resultHeader(plan, releaseDate !== undefined);
    for await (const outcomes of readOutcomes(this.deps, submission, plan, open)) {
      yield outcomes
        .map((outcome) => resultRow(plan, outcome.row, written(plan, outcome, submission.options)))
        .join('');
    }
    yield* receipt(this.#receiptRows(submission, plan));
  }

  /**
   * The same as an .xlsx whose cells are text, which goes back in as it is.
   * @throws RegistryError not-acceptable for what came as JSON, request.invalid where a worksheet does not hold it
   */
  async *resultWorkbook(submission: Submission): AsyncGenerator<Buffer> {
    const workbook = this.#workbook();
    const plan = await planOfSubmission(this.deps, submission);
    requireSheetResult(submission, plan, workbook.limits);
    const parts = {
      outcomes: readOutcomes(this.deps, submission, plan),
      receipt: this.#receiptRows(submission, plan),
    };
    yield* workbook.print(resultTable(submission, plan, parts, workbook.limits), {
      name: 'Samples',
      commented: false,
    });
  }

  async *#receiptRows(submission: Submission, plan: SheetPlan): AsyncGenerator<string[][]> {
    yield receiptHead(submission, plan);
    if (submission.options.dryRun && isFinal(submission.state)) yield await this.#changeRows(submission);
    let rows: string[][] = [];
    for await (const { rejected, warnings = [] } of this.deps.store.ledger(submission.id)) {
      for (const { issues } of [...rejected, ...warnings]) {
        for (const issue of issues) rows.push(issueRow(issue));
        if (rows.length < RECEIPT_ROWS) continue;
        yield rows;
        rows = [];
      }
    }
    yield rows;
  }

  async #changeRows(dryRun: Submission): Promise<string[][]> {
    const rows: string[][] = [];
    let ofOthers = false;
    const shown: Shown = ({ account }) => {
      ofOthers ||= account !== dryRun.account;
      return account === dryRun.account;
    };
    for await (const change of dryRunChanges(this.deps, dryRun, shown, MAX_CHANGES))
      if (rows.push(changeRow(change)) > MAX_CHANGES) break;
    const further = rows.splice(MAX_CHANGES).length > 0 || dryRun.counts.updated > MAX_CHANGES;
    return [...changesElsewhere(dryRun.id, { ofOthers, further }), ...rows];
  }

  /** The receipt that brokers of ISA-JSON read (MARS). @throws RegistryError not-acceptable for every other file */
  async receipt(submission: Submission, place: ReceiptPlace): Promise<AsyncIterable<string>> {
    if (formOf(submission) !== 'isa') {
      throw new RegistryError(
        'not-acceptable',
        `Submission ${submission.id} is no ISA-JSON document, and only those have such a receipt; ask for its mapping.`,
      );
    }
    return marsReceipt(this.deps, submission, place);
  }

  /** JSON text: the record with `sampleNameAccessionPairs`; of a running submission, what is done so far. */
  async *mapping(submission: Submission): AsyncGenerator<string> {
    const { id, state, account, fileName, created, counts } = submission;
    const record = {
      submissionId: id,
      submissionStatus: state,
      submissionDate: new Date(created).toISOString(),
      submitterDetails: account,
      fileName,
      counts,
    };
    let text = `${JSON.stringify(record).slice(0, -1)},"sampleNameAccessionPairs":[`;
    let comma = '';
    for await (const pairs of this.registered(submission)) {
      for (const pair of pairs) {
        text += `${comma}\n${JSON.stringify(pair)}`;
        comma = ',';
      }
      yield text;
      text = '';
    }
    yield `${text}\n]}\n`;
  }

  /** The rows that are samples, in the order of the file. */
  async *registered(submission: Submission): AsyncGenerator<RegisteredName[]> {
    const open = openText(this.deps, submission);
    const plan = await planOfSubmission(this.deps, submission, open);
    for await (const outcomes of readOutcomes(this.deps, submission, plan, open)) {
      yield outcomes.flatMap(({ row, accession, repeats }) =>
        accession === undefined || repeats ? [] : [{ sampleName: nameOf(plan, row.cells), sampleAccession: accession }],
      );
    }
  }

  /** The rejected rows only, with what is wrong beside them, ready to fix and upload: a sheet as TSV, a JSON file as NDJSON. */
  async *errors(submission: Submission): AsyncGenerator<string> {
    const plan = await planOfSubmission(this.deps, submission);
    if (plan.json) return yield* jsonErrors(this.deps, submission, plan);
    yield errorsHeader(plan);
    for await (const rows of readRejected(this.deps, submission, plan)) {
      yield rows.map(({ row, issues }) => errorsRow(plan, row, issues)).join('');
    }
  }

  /** The same as JSON, with the warnings of the good rows. */
  errorsJson(submission: Submission): AsyncGenerator<string> {
    return rowsJson(this.deps, submission);
  }

  /** The same as an .xlsx with the bad cells marked and commented. @throws RegistryError not-acceptable where none can be printed */
  errorsWorkbook(submission: Submission): AsyncIterable<Buffer> {
    return this.#workbook().print(this.#markedRows(submission), { name: 'Rows to fix', commented: true });
  }

  #workbook(): MarkedWorkbook {
    const { workbook } = this.deps;
    if (workbook) return workbook;
    throw new RegistryError('not-acceptable', 'This service prints no workbooks; ask for TSV or JSON.');
  }

  async *#markedRows(submission: Submission): AsyncGenerator<readonly MarkedCell[]> {
    const plan = await planOfSubmission(this.deps, submission);
    yield* markedHeader(plan);
    for await (const rows of readRejected(this.deps, submission, plan)) {
      for (const { row, issues } of rows) yield markedRow(plan, row, issues);
    }
  }

  /**
   * JSON of what a dry run would change or an upload has changed, cell by cell, the first `most` of samples whose former versions this
   * reader may see. @throws RegistryError conflict while it runs
   */
  async *changes(
    submission: Submission,
    reader: SubmissionReader,
    most = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<string> {
    const { id, state, options } = submission;
    if (!isFinal(state)) {
      throw new RegistryError('conflict', `Submission ${id} still runs; ask again for its changes when it has ended.`);
    }
    const shown: Shown = ({ account }) => owns(account, reader);
    const changes = (options.dryRun ? dryRunChanges : appliedChanges)(this.deps, submission, shown);
    yield* withList({ submissionId: id, counts: submission.counts }, 'changes', changes, most);
  }

  /** JSON of the samples that a standing sheet has no more, the first `most`. @throws RegistryError conflict, not-found */
  missing(submission: Submission, most = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
    const { id, standing } = submission;
    return withList({ submissionId: id, standing }, 'missing', missingSamples(this.deps, submission), most);
  }

  /** JSON of the relationships that it opened and that still wait, the first `most`. */
  openRelationships({ id }: Submission, most = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
    return withList({ submissionId: id }, 'openRelationships', openRelationshipsOf(this.deps, id), most);
  }

  /** Rows of its sheet as they were changed, checked and not written (check-rows.ts). */
  checkRows(submission: Submission, rows: readonly ChangedRow[]): Promise<CheckedRow[]> {
    return checkRows(this.deps, submission, rows);
  }

  original(submission: Submission): AsyncIterable<Buffer> {
    return openSource(this.deps.blobs, originalOf(submission));
  }

  /** What is read of the upload: of a workbook or an archive the text of its sheet. */
  async *text(submission: Submission): AsyncGenerator<Buffer> {
    await ensureTable(this.deps, submission);
    yield* openSource(this.deps.blobs, sourceOf(submission));
  }
}
