/** People with sheets and scripts: each asks for one thing after the other, and knows only what it was answered. */
import type { Caller } from '../../src/registry/permissions.js';
import type { SampleView } from '../../src/registry/registry.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import type { UploadAnswer } from '../../src/submissions/uploads.js';
import { exportOptions, exportSheet, KEY_SPACE, nameOfKey } from './client-exports.js';
import { request } from './client-request.js';
import {
  childSheet,
  GIVEN_RELEASE_DATE,
  type KnownSample,
  OPTIONS,
  parentSheet,
  sheetOfAll,
  sheetsOf,
  updateSheet,
} from './client-sheets.js';
import type { Entry, History } from './history.js';
import type { Step } from './plan.js';
import type { Services, Site } from './processes.js';
import type { StepKind } from './steps.js';
import { Life, type World } from './world.js';

/** Writes samples of others now and then: what two accounts write of one sample comes into the index in any order. */
const ADMINISTRATOR: Caller = { account: 'admin', admin: true, scopes: ['read', 'submit', 'admin'] };

const ABOUT_SUBMISSIONS = ['commit', 'undo', 'cancel', 'retry', 'status'] as const;
const isAboutSubmissions = (kind: StepKind): kind is (typeof ABOUT_SUBMISSIONS)[number] =>
  (ABOUT_SUBMISSIONS as readonly StepKind[]).includes(kind);

export class Client {
  readonly life: Life;
  readonly account: string;
  ended = false;
  readonly #caller: Caller;
  readonly #sheets: string[];
  readonly #submissions: string[] = [];
  readonly #dryRuns: string[] = [];
  readonly #samples: KnownSample[] = [];
  #writes = 0;
  #sheetOfAll: string | undefined;
  #export = '';

  constructor(
    private readonly world: World,
    private readonly site: Site,
    private readonly history: History,
    number: number,
    private readonly steps: readonly Step[],
    seed: number,
  ) {
    this.life = new Life(`client-${number}`);
    // Two share an account and its sheets, and meet in its samples.
    this.account = `lab-${Math.ceil(number / 2)}`;
    this.#caller = { account: this.account, admin: false, scopes: ['read', 'submit'] };
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
    const choose = <T>(known: readonly T[]): T | undefined => known[pick % Math.max(1, known.length)];
    if (kind === 'upload' || kind === 'dryRun') return this.#uploadSheet(kind, choose(this.#sheets) as string, pick);
    if (kind === 'update' || kind === 'updateTwice') return this.#update(pick, kind === 'update' ? 1 : 2);
    if (kind === 'sendAgain') return this.#sendAgain(pick);
    if (kind === 'export' || kind === 'wholeExport') return this.#sendExport(kind, pick);
    if (kind === 'parents') return this.#upload(kind, parentSheet(this.account, pick), OPTIONS, undefined);
    if (kind === 'children') {
      const mode = pick % 4 === 3 ? ('atomic' as const) : ('partial' as const);
      return this.#upload(
        kind,
        childSheet(this.account, pick),
        { ...OPTIONS, mode, relationships: 'later' },
        undefined,
      );
    }
    if (kind === 'putByKey') return this.#putByKey(pick);
    if (kind === 'list') return this.#list();
    if (kind === 'create') return this.#create();
    if (isAboutSubmissions(kind)) {
      const id = choose(kind === 'commit' ? this.#dryRuns : this.#submissions);
      return id === undefined ? undefined : this.#askAbout(kind, id);
    }
    const sample = choose(this.#samples.slice(0, 2));
    return sample === undefined ? undefined : this.#askOf(kind, sample, pick);
  }

  #uploadSheet(kind: 'upload' | 'dryRun', sheet: string, pick: number): Promise<void> {
    const mode = pick % 5 === 0 ? ('atomic' as const) : ('partial' as const);
    if (kind === 'dryRun' && pick % 2 === 0 && this.#samples.length > 0) {
      return this.#upload(
        kind,
        updateSheet(this.#samples.slice(0, 4), this.#newNote()),
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
    const known = this.#samples.slice(0, 1 + (pick % 9));
    if (known.length === 0) return;
    const fresh = times > 1 ? ['x', 'y', 'z'].map((end) => `j${this.life.name.slice(-1)}_${this.#writes}${end}`) : [];
    const sheet = updateSheet(known, this.#newNote(), fresh);
    await Promise.all(Array.from({ length: times }, () => this.#upload('upload', sheet, OPTIONS, undefined)));
  }

  /** The same sheet each time, so that its rows mean the samples that they became before. */
  async #sendAgain(pick: number): Promise<void> {
    const [known] = this.#samples;
    if (known === undefined) return;
    this.#sheetOfAll ??= sheetOfAll(known);
    const dryRun = pick % 4 === 3;
    const mode = pick % 5 === 4 ? ('atomic' as const) : ('partial' as const);
    const keys = pick % 3 === 2 ? { key: 'Sample Name', keySpace: 'names' } : {};
    const options = { ...OPTIONS, ...keys, ...(pick % 2 === 0 ? GIVEN_RELEASE_DATE : {}), mode, dryRun };
    return this.#upload(dryRun ? 'dryRun' : 'upload', this.#sheetOfAll, options, undefined);
  }

  /** A new one, or the last one again. */
  #sendExport(kind: 'export' | 'wholeExport', pick: number): Promise<void> {
    if (this.#export === '' || pick % 4 !== 0) this.#export = exportSheet(this.account, this.#newNote(), pick);
    return this.#upload(kind, this.#export, exportOptions(kind, pick), undefined);
  }

  #putByKey(pick: number): Promise<void> {
    const rowKey = `B${pick % 4}`;
    const place = { space: KEY_SPACE, key: rowKey };
    const asked = { rowKey, account: this.account };
    return this.#write('putByKey', nameOfKey(this.account, rowKey), asked, ({ registry }, body) =>
      registry.putByKey(place, body, this.#caller),
    );
  }

  async #list(): Promise<void> {
    const entry = this.#begin('list', {});
    const page = await this.#ask(entry, ({ uploads }) => uploads.list(this.#caller, { size: 100, dryRuns: true }));
    if (page) entry.found = page.submissions.map(({ id }) => id);
  }

  #create(): Promise<void> {
    const name = `j${this.life.name.slice(-1)}_${this.#writes}`;
    return this.#write('create', name, {}, ({ registry }, body) => registry.register(body, this.#caller));
  }

  #askAbout(kind: 'commit' | 'undo' | 'cancel' | 'retry' | 'status', id: string): Promise<void> {
    const reader = this.#caller;
    if (kind === 'status') return this.#look(kind, ({ uploads }) => uploads.find(id, reader));
    if (kind === 'cancel' || kind === 'retry') return this.#look(kind, ({ uploads }) => uploads[kind](id, reader));
    return this.#follow(kind, id, ({ uploads }) => uploads[kind](id, reader));
  }

  #askOf(
    kind: 'replace' | 'replaceMatching' | 'replaceAtOnce' | 'read' | 'find' | 'findNote',
    sample: KnownSample,
    pick: number,
  ): Promise<void> {
    if (kind === 'read') return this.#read(sample);
    if (kind === 'find') return this.#find(sample);
    if (kind === 'findNote') return this.#findNote(sample, pick);
    const { accession, name, tag } = sample;
    const caller = pick % 5 === 4 ? ADMINISTRATOR : this.#caller;
    const condition = kind === 'replace' ? {} : { ifMatch: tag };
    const times = kind === 'replaceAtOnce' ? 4 : 1;
    const writes = Array.from({ length: times }, () =>
      this.#write('replace', name, { accession, ...condition }, ({ registry }, body) =>
        registry.update(accession, body, caller, condition),
      ),
    );
    return Promise.all(writes).then(() => undefined);
  }

  #newNote(): string {
    return `${this.life.name} write ${++this.#writes}`;
  }

  async #upload(kind: StepKind, text: string, options: UploadOptions, key: string | undefined): Promise<void> {
    const entry = this.#begin(kind, { ...(key === undefined ? {} : { key }), text });
    const source = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    };
    const answer = await this.#ask(entry, ({ uploads }) =>
      uploads.accept({
        account: this.account,
        admin: false,
        fileName: 'sheet.tsv',
        options,
        ...(key === undefined ? {} : { idempotencyKey: key }),
        source: source(),
      }),
    );
    if (answer) await this.#learn(entry, answer);
  }

  async #follow(kind: StepKind, of: string, ask: (services: Services) => Promise<UploadAnswer>): Promise<void> {
    const entry = this.#begin(kind, { of });
    const answer = await this.#ask(entry, ask);
    if (answer) await this.#learn(entry, answer);
  }

  async #learn(entry: Entry, { submission }: UploadAnswer): Promise<void> {
    const { dryRun } = submission.options;
    this.#see(entry, submission);
    const known = dryRun ? this.#dryRuns : this.#submissions;
    if (!known.includes(submission.id)) known.push(submission.id);
    if (dryRun) return;
    const mapping = this.#begin('mapping', {});
    const text = await this.#ask(mapping, async ({ results }) => {
      const pieces: string[] = [];
      for await (const piece of results.mapping(submission)) pieces.push(piece);
      return pieces.join('');
    });
    if (text === undefined) return;
    const { sampleNameAccessionPairs: pairs } = JSON.parse(text) as {
      sampleNameAccessionPairs: { sampleName: string; sampleAccession: string }[];
    };
    for (const { sampleName, sampleAccession } of pairs.slice(0, 4)) this.#know(sampleAccession, sampleName);
  }

  #know(accession: string, name: string): KnownSample {
    const known = this.#samples.find((each) => each.accession === accession);
    if (known) return known;
    const one = { accession, name, tag: '"none"', notes: [] };
    this.#samples.push(one);
    return one;
  }

  async #look(kind: StepKind, ask: (services: Services) => Promise<Submission>): Promise<void> {
    const entry = this.#begin(kind, {});
    const submission = await this.#ask(entry, ask);
    if (submission) this.#see(entry, submission);
  }

  #see(entry: Entry, { id, state, counts }: Submission): void {
    entry.submission = { id, state, rows: counts.rows };
  }

  async #write(
    kind: string,
    name: string,
    asked: { accession?: string; ifMatch?: string; rowKey?: string; account?: string },
    ask: (services: Services, body: unknown) => Promise<SampleView>,
  ): Promise<void> {
    const note = this.#newNote();
    const entry = this.#begin(kind, { asked: note, ...asked });
    const named = asked.accession === undefined ? {} : { accession: asked.accession };
    const body = { ...named, name, release: '2024-01-15T00:00:00Z', characteristics: { note: [{ text: note }] } };
    const view = await this.#ask(entry, (services) => ask(services, body));
    if (view) this.#show(entry, view);
  }

  async #read({ accession }: KnownSample): Promise<void> {
    const entry = this.#begin('read', { accession });
    const view = await this.#ask(entry, ({ registry }) => registry.read(accession, this.#caller));
    if (view) this.#show(entry, view);
  }

  #show(entry: Entry, { accession, document, etag }: SampleView): void {
    const { update: _, ...content } = document;
    entry.accession = accession;
    entry.tag = etag;
    entry.note = document.characteristics.note?.[0]?.text ?? '';
    entry.document = JSON.stringify(content);
    const known = this.#know(accession, document.name);
    known.tag = etag;
    known.notes.push(entry.note);
  }

  #find({ name, accession }: KnownSample): Promise<void> {
    return this.#search('find', accession, name, `name:${name}`);
  }

  /** What the sample was last seen to say, or what it said before. */
  async #findNote({ accession, notes }: KnownSample, pick: number): Promise<void> {
    const note = notes.at(-1 - (pick % 2));
    if (note !== undefined) await this.#search('findNote', accession, note, `attr:note:${note}`);
  }

  async #search(kind: 'find' | 'findNote', accession: string, text: string, filter: string): Promise<void> {
    const entry = this.#begin(kind, { text, accession });
    entry.found = (await this.#ask(entry, async ({ search }) => {
      const found: string[] = [];
      const { samples } = await search.search({ filters: [filter, 'status:any'], size: 50 }, this.#caller);
      for await (const view of samples) found.push(view.accession);
      return found;
    })) as string[];
  }

  #begin(kind: string, more: Partial<Entry>): Entry {
    return this.history.begin({ client: this.life.name, kind, start: this.world.happened, ...more });
  }

  #ask<T>(entry: Entry, work: (services: Services) => Promise<T>): Promise<T | undefined> {
    return request(this.world, this.site, this.life, entry, work);
  }
}
