/**
 * What a submitter gets back, printed from the original file and the ledger when asked for, never stored: the result
 * with its receipt, the mapping, the rejected rows. Line by line, in one pass, so memory does not grow with the file.
 */
import type { Readable } from 'node:stream';
import { formatAccession } from '../registry/accession.js';
import type { SheetPlan } from '../tsv/columns.js';
import { readRows, type SheetRow } from '../tsv/rows.js';
import { errorsHeader, errorsRow, receipt, resultHeader, resultRow } from '../tsv/write.js';
import type { Blobs } from './blobs.js';
import { LedgerReader } from './ledger-reader.js';
import { planOf } from './read-submission.js';
import { issueRow, receiptHead } from './receipt.js';
import type { Submission } from './submission.js';
import type { SubmissionStore } from './submission-store.js';
import { ensureTable, sourceOf, type Workbooks } from './workbook-table.js';

export interface ResultDependencies {
  store: SubmissionStore;
  blobs: Blobs;
  workbooks?: Workbooks;
  prefix: string;
}

interface Outcome {
  row: SheetRow;
  accession: string | undefined;
}

export class Results {
  constructor(private readonly deps: ResultDependencies) {}

  /** The result TSV: the original rows with their accessions, then the receipt. */
  async *result(submission: Submission): AsyncGenerator<string> {
    const plan = await this.#plan(submission);
    yield resultHeader(plan);
    for await (const outcomes of this.#outcomes(submission, plan)) {
      yield outcomes.map(({ row, accession }) => resultRow(plan, row, accession ?? '')).join('');
    }
    yield* this.#receipt(submission, plan);
  }

  async *#receipt(submission: Submission, plan: SheetPlan): AsyncGenerator<string> {
    const rows = receiptHead(submission, plan);
    for await (const chunk of this.deps.store.ledger(submission.id)) {
      for (const { issues } of chunk.rejected) for (const issue of issues) rows.push(issueRow(issue));
      for (const { issues } of chunk.warnings ?? []) for (const issue of issues) rows.push(issueRow(issue));
    }
    yield receipt(rows);
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
    yield `${JSON.stringify(record).slice(0, -1)},"sampleNameAccessionPairs":[`;
    const plan = await this.#plan(submission);
    let comma = '';
    for await (const outcomes of this.#outcomes(submission, plan)) {
      let text = '';
      for (const { row, accession } of outcomes) {
        if (accession === undefined) continue;
        const sampleName = (row.cells[plan.nameColumn] ?? '').trim();
        text += `${comma}\n${JSON.stringify({ sampleName, sampleAccession: accession })}`;
        comma = ',';
      }
      yield text;
    }
    yield '\n]}\n';
  }

  /** TSV of the rejected rows only, with what is wrong beside them, ready to mend and upload. */
  async *errors(submission: Submission): AsyncGenerator<string> {
    const plan = await this.#plan(submission);
    yield errorsHeader(plan);
    const ledger = new LedgerReader(this.deps.store.ledger(submission.id));
    try {
      for await (const rows of readRows(this.deps.blobs.open(sourceOf(submission).key), plan)) {
        let text = '';
        for (const row of rows) {
          const issues = (await ledger.advance(row.line)).rejectedAt(row.line);
          if (issues) text += errorsRow(plan, row, issues);
        }
        yield text;
      }
    } finally {
      await ledger.close();
    }
  }

  original(submission: Submission): Readable {
    return this.deps.blobs.open(submission.blobKey);
  }

  async #plan(submission: Submission): Promise<SheetPlan> {
    await ensureTable(this.deps, submission);
    const { key, size } = sourceOf(submission);
    return planOf((range) => this.deps.blobs.open(key, range), size, submission.options, this.deps.prefix);
  }

  async *#outcomes(submission: Submission, plan: SheetPlan): AsyncGenerator<Outcome[]> {
    const ledger = new LedgerReader(this.deps.store.ledger(submission.id));
    try {
      for await (const rows of readRows(this.deps.blobs.open(sourceOf(submission).key), plan)) {
        const outcomes: Outcome[] = [];
        for (const row of rows) {
          const id = (await ledger.advance(row.line)).idAt(row.line);
          outcomes.push({ row, accession: id === undefined ? undefined : formatAccession(this.deps.prefix, id) });
        }
        yield outcomes;
      }
    } finally {
      await ledger.close();
    }
  }
}
