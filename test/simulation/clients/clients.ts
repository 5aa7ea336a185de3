/** People with sheets and scripts: each asks for one thing after the other, and knows only what it was answered. */
import type { Caller } from '../../../src/registry/permissions.js';
import type { Submission, UploadOptions } from '../../../src/submissions/submission.js';
import type { UploadAnswer } from '../../../src/submissions/uploads/uploads.js';
import type { Entry, History } from '../history.js';
import type { Step } from '../plan.js';
import type { Services, Site } from '../processes.js';
import type { StepKind } from '../steps.js';
import { Life, type World } from '../world.js';
import { DataRequests, isAboutData } from './client-data.js';
import { editOf, mergingSheetOf } from './client-edits.js';
import { exportOptions, exportSheet } from './client-exports.js';
import { Conversation } from './client-request.js';
import { SampleRequests } from './client-samples.js';
import {
  childSheet,
  GIVEN_RELEASE_DATE,
  jsonLines,
  OPTIONS,
  parentSheet,
  sheetOfAll,
  sheetsOf,
  updateSheet,
} from './client-sheets.js';
import { isAboutWebhooks, WebhookRequests } from './client-webhooks.js';

const chosen = <T>(known: readonly T[], pick: number): T | undefined => known[pick % Math.max(1, known.length)];

export class Client {
  readonly life: Life;
  readonly account: string;
  ended = false;
  readonly #caller: Caller;
  readonly #sheets: string[];
  readonly #submissions: string[] = [];
  readonly #dryRuns: string[] = [];
  readonly #talk: Conversation;
  readonly #requests: SampleRequests;
  readonly #data: DataRequests;
  readonly #webhooks: WebhookRequests;
  #sheetOfAll: string | undefined;
  #export = '';

  constructor(
    private readonly world: World,
    site: Site,
    history: History,
    number: number,
    private readonly steps: readonly Step[],
    seed: number,
  ) {
    this.life = new Life(`client-${number}`);
    // Two share an account and its sheets, and meet in its samples.
    this.account = `lab-${Math.ceil(number / 2)}`;
    this.#caller = { account: this.account, admin: false, scopes: ['read', 'submit'] };
    this.#talk = new Conversation(world, site, history, this.life, this.#caller);
    this.#requests = new SampleRequests(this.#talk, this.account);
    this.#data = new DataRequests(this.#talk, this.account);
    this.#webhooks = new WebhookRequests(this.#talk, this.account);
    this.#sheets = sheetsOf(this.account, seed);
  }

  start(): void {
    const next = (at: number): void => {
      const step = this.steps[at];
      if (step === undefined) {
        this.ended = true;
        return;
      }
      this.world.after(step.pause, this.life, '', () => {
        this.#take(step).finally(() => next(at + 1));
      });
    };
    next(0);
  }

  async #take({ kind, pick }: Step): Promise<void> {
    switch (kind) {
      case 'upload':
      case 'dryRun':
        return this.#uploadSheet(kind, chosen(this.#sheets, pick) as string, pick);
      case 'update':
        return this.#update(pick, 1);
      case 'updateTwice':
        return this.#update(pick, 2);
      case 'sendAgain':
        return this.#sendAgain(pick);
      case 'edit':
      case 'merge':
        return this.#change(kind, pick);
      case 'export':
      case 'wholeExport':
        return this.#sendExport(kind, pick);
      case 'parents':
        return this.#upload(kind, parentSheet(this.account, pick), OPTIONS, undefined);
      case 'children':
        return this.#sendChildren(pick);
      case 'jsonFile':
        return this.#sendLines(pick);
      case 'list':
        return this.#list();
      case 'commit':
        return this.#askAbout(kind, chosen(this.#dryRuns, pick));
      case 'undo':
      case 'cancel':
      case 'retry':
      case 'status':
        return this.#askAbout(kind, chosen(this.#submissions, pick));
    }
    if (isAboutWebhooks(kind)) return this.#webhooks.take(kind, pick);
    if (isAboutData(kind)) return this.#data.take(kind, this.#requests.known, pick);
    return this.#requests.take(kind, pick);
  }

  #uploadSheet(kind: 'upload' | 'dryRun', sheet: string, pick: number): Promise<void> {
    const mode = pick % 5 === 0 ? ('atomic' as const) : ('partial' as const);
    if (kind === 'dryRun' && pick % 2 === 0 && this.#requests.known.length > 0) {
      return this.#upload(
        kind,
        updateSheet(this.#requests.known.slice(0, 4), this.#talk.newNote()),
        { ...OPTIONS, dryRun: true },
        undefined,
      );
    }
    const key = pick % 3 === 0 ? `key ${sheet.length} ${kind}` : undefined;
    // Its columns read otherwise: the same samples, written anew, or a refusal.
    const reading = pick % 7 === 1 ? { unknownColumns: 'ignore' as const } : {};
    return this.#upload(kind, sheet, { ...OPTIONS, ...reading, mode, dryRun: kind === 'dryRun' }, key);
  }

  /** Sent so many times at once: what it registers beside what it names is registered once. */
  async #update(pick: number, times: number): Promise<void> {
    const known = this.#requests.known.slice(0, 1 + (pick % 9));
    if (known.length === 0) return;
    const fresh = times > 1 ? ['x', 'y', 'z'].map((end) => this.#talk.newName(end)) : [];
    const sheet = updateSheet(known, this.#talk.newNote(), fresh);
    await Promise.all(Array.from({ length: times }, () => this.#upload('upload', sheet, OPTIONS, undefined)));
  }

  /** The same sheet each time, so that its rows mean the samples that they became before. */
  async #sendAgain(pick: number): Promise<void> {
    const [known] = this.#requests.known;
    if (known === undefined) return;
    this.#sheetOfAll ??= sheetOfAll(known);
    const dryRun = pick % 4 === 3;
    const mode = pick % 5 === 4 ? ('atomic' as const) : ('partial' as const);
    const keys = pick % 3 === 2 ? { key: 'Sample Name', keySpace: 'names' } : {};
    const options = { ...OPTIONS, ...keys, ...(pick % 2 === 0 ? GIVEN_RELEASE_DATE : {}), mode, dryRun };
    return this.#upload(dryRun ? 'dryRun' : 'upload', this.#sheetOfAll, options, undefined);
  }

  /** Of a part of what samples say, the rest of which stays. */
  #change(kind: 'edit' | 'merge', pick: number): Promise<void> {
    const known = this.#requests.known.slice(0, 1 + (pick % 6));
    if (known.length === 0) return Promise.resolve();
    const { text, options, fileName } = (kind === 'edit' ? editOf : mergingSheetOf)(known, this.#talk.newNote(), pick);
    return this.#upload(kind, text, options, undefined, fileName);
  }

  /** A new one, or the last one again. */
  #sendExport(kind: 'export' | 'wholeExport', pick: number): Promise<void> {
    if (this.#export === '' || pick % 4 !== 0) this.#export = exportSheet(this.account, this.#talk.newNote(), pick);
    return this.#upload(kind, this.#export, exportOptions(kind, pick), undefined);
  }

  #sendChildren(pick: number): Promise<void> {
    const mode = pick % 4 === 3 ? ('atomic' as const) : ('partial' as const);
    const options = { ...OPTIONS, mode, relationships: 'later' as const };
    return this.#upload('children', childSheet(this.account, pick), options, undefined);
  }

  #sendLines(pick: number): Promise<void> {
    const mode = pick % 5 === 0 ? ('atomic' as const) : ('partial' as const);
    const text = jsonLines(this.account, this.#requests.known, this.#talk.newNote(), pick);
    return this.#upload('jsonFile', text, { ...OPTIONS, mode }, undefined, 'a.ndjson');
  }

  async #list(): Promise<void> {
    const entry = this.#talk.begin('list', {});
    const page = await this.#talk.ask(entry, ({ uploads }) => uploads.list(this.#caller, { size: 100, dryRuns: true }));
    if (page) entry.found = page.submissions.map(({ id }) => id);
  }

  #askAbout(
    kind: 'commit' | 'undo' | 'cancel' | 'retry' | 'status',
    id: string | undefined,
  ): Promise<void> | undefined {
    if (id === undefined) return undefined;
    const reader = this.#caller;
    if (kind === 'status') return this.#look(kind, ({ uploads }) => uploads.find(id, reader));
    if (kind === 'cancel' || kind === 'retry') return this.#look(kind, ({ uploads }) => uploads[kind](id, reader));
    return this.#begunBy(kind, id, ({ uploads }) => uploads[kind](id, reader));
  }

  async #upload(
    kind: StepKind,
    text: string,
    options: UploadOptions,
    key: string | undefined,
    fileName = 'sheet.tsv',
  ): Promise<void> {
    const entry = this.#talk.begin(kind, { ...(key === undefined ? {} : { key }), text });
    const source = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    };
    const answer = await this.#talk.ask(entry, ({ uploads }) =>
      uploads.accept({
        account: this.account,
        admin: false,
        fileName,
        options,
        ...(key === undefined ? {} : { idempotencyKey: key }),
        source: source(),
      }),
    );
    if (answer) await this.#learn(entry, answer);
  }

  async #begunBy(kind: StepKind, of: string, ask: (services: Services) => Promise<UploadAnswer>): Promise<void> {
    const entry = this.#talk.begin(kind, { of });
    const answer = await this.#talk.ask(entry, ask);
    if (answer) await this.#learn(entry, answer);
  }

  async #learn(entry: Entry, { submission }: UploadAnswer): Promise<void> {
    const { dryRun } = submission.options;
    this.#see(entry, submission);
    const known = dryRun ? this.#dryRuns : this.#submissions;
    if (!known.includes(submission.id)) known.push(submission.id);
    if (dryRun) return;
    const mapping = this.#talk.begin('mapping', {});
    const text = await this.#talk.ask(mapping, async ({ results }) => {
      const pieces: string[] = [];
      for await (const piece of results.mapping(submission)) pieces.push(piece);
      return pieces.join('');
    });
    if (text === undefined) return;
    const { sampleNameAccessionPairs: pairs } = JSON.parse(text) as {
      sampleNameAccessionPairs: { sampleName: string; sampleAccession: string }[];
    };
    for (const { sampleName, sampleAccession } of pairs.slice(0, 4)) this.#requests.know(sampleAccession, sampleName);
  }

  async #look(kind: StepKind, ask: (services: Services) => Promise<Submission>): Promise<void> {
    const entry = this.#talk.begin(kind, {});
    const submission = await this.#talk.ask(entry, ask);
    if (submission) this.#see(entry, submission);
  }

  #see(entry: Entry, { id, state, counts }: Submission): void {
    entry.submission = { id, state, rows: counts.rows };
  }
}
