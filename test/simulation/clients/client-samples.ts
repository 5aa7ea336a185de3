/** What clients ask about single samples: they write, read, find, curate and withdraw them, and follow their changes. */
import type { Caller } from '../../../src/registry/permissions.js';
import type { SampleView } from '../../../src/registry/registry.js';
import { SEEN_BY } from '../checks/check-curations.js';
import type { Entry } from '../history.js';
import type { Services } from '../processes.js';
import type { StepKind } from '../steps.js';
import { KEY_SPACE, nameOfKey } from './client-exports.js';
import type { Conversation } from './client-request.js';
import type { KnownSample } from './client-sheets.js';

/** Writes samples of others now and then: what two accounts write of one sample comes into the index in any order. */
const ADMINISTRATOR: Caller = { account: 'admin', admin: true, scopes: ['read', 'submit', 'admin'] };

const OF_A_SAMPLE = [
  'replace',
  'replaceMatching',
  'replaceAtOnce',
  'read',
  'find',
  'findNote',
  'curate',
  'withdraw',
] as const;
const OF_A_CURATION = ['uncurate', 'decline', 'findCurated'] as const;

/** How often a request that was lost is sent again. */
const MOST_TRIES = 3;

const bodyOf = (name: string, note: string): object => ({
  name,
  release: '2024-01-15T00:00:00Z',
  characteristics: { note: [{ text: note }] },
});

export class SampleRequests {
  /** Of which the client was answered. */
  readonly known: KnownSample[] = [];
  readonly #curations: { accession: string; value: string; hash: string }[] = [];

  constructor(
    private readonly talk: Conversation,
    private readonly account: string,
  ) {}

  /** Undefined for what is asked of something else. */
  take(kind: StepKind, pick: number): Promise<void> | undefined {
    if (kind === 'create') return this.#create(pick);
    if (kind === 'putByKey') return this.#putByKey(pick);
    if (kind === 'follow') return this.#follow(1 + (pick % 9));
    const ofCuration = OF_A_CURATION.find((one) => one === kind);
    if (ofCuration) return this.#askOfCuration(ofCuration, pick);
    const ofSample = OF_A_SAMPLE.find((one) => one === kind);
    if (ofSample === undefined) return undefined;
    const sample = this.known[pick % Math.max(1, Math.min(2, this.known.length))];
    return sample === undefined ? Promise.resolve() : this.#askOf(ofSample, sample, pick);
  }

  #putByKey(pick: number): Promise<void> {
    const rowKey = `B${pick % 4}`;
    const place = { space: KEY_SPACE, key: rowKey };
    const asked = { rowKey, account: this.account };
    return this.#write('putByKey', nameOfKey(this.account, rowKey), asked, ({ registry }, body) =>
      registry.putByKey(place, body, this.talk.caller),
    );
  }

  /** With a key, mostly: where no answer comes it is sent again, and now and then twice at once. */
  async #create(pick: number): Promise<void> {
    const name = this.talk.newName();
    if (pick % 4 === 0)
      return this.#write('create', name, {}, ({ registry }, body) => registry.register(body, this.talk.caller));
    const note = this.talk.newNote();
    const body = bodyOf(name, note);
    const send = async (): Promise<boolean> => {
      const entry = this.talk.begin('create', { asked: note });
      const view = await this.talk.ask(entry, ({ registry }) => registry.register(body, this.talk.caller, name));
      if (view?.replayed) Object.assign(entry, { kind: 'read', asked: undefined });
      if (view) this.#show(entry, view);
      return view !== undefined || entry.outcome !== 'lost';
    };
    const answered = await Promise.all(pick % 4 === 1 ? [send(), send()] : [send()]);
    for (let tries = 0; tries < MOST_TRIES && !answered.includes(true); tries++) answered.push(await send());
  }

  #askOf(kind: (typeof OF_A_SAMPLE)[number], sample: KnownSample, pick: number): Promise<void> {
    if (kind === 'read') return this.#read(sample);
    if (kind === 'find') return this.#find(sample);
    if (kind === 'findNote') return this.#findNote(sample, pick);
    if (kind === 'curate') return this.#curate(sample);
    if (kind === 'withdraw') return this.#withdraw(sample, pick % 3 > 0);
    const { accession, name, tag } = sample;
    const caller = pick % 5 === 4 ? ADMINISTRATOR : this.talk.caller;
    const condition = kind === 'replace' ? {} : { ifMatch: tag };
    const times = kind === 'replaceAtOnce' ? 4 : 1;
    const writes = Array.from({ length: times }, () =>
      this.#write('replace', name, { accession, ...condition }, ({ registry }, body) =>
        registry.update(accession, body, caller, condition),
      ),
    );
    return Promise.all(writes).then(() => undefined);
  }

  know(accession: string, name: string): KnownSample {
    const known = this.known.find((each) => each.accession === accession);
    if (known) return known;
    const one = { accession, name, tag: '"none"', notes: [] };
    this.known.push(one);
    return one;
  }

  async #write(
    kind: string,
    name: string,
    asked: { accession?: string; ifMatch?: string; rowKey?: string; account?: string },
    ask: (services: Services, body: unknown) => Promise<SampleView>,
  ): Promise<void> {
    const note = this.talk.newNote();
    const entry = this.talk.begin(kind, { asked: note, ...asked });
    const named = asked.accession === undefined ? {} : { accession: asked.accession };
    const body = { ...named, ...bodyOf(name, note) };
    const view = await this.talk.ask(entry, (services) => ask(services, body));
    if (view) this.#show(entry, view);
  }

  async #read({ accession }: KnownSample): Promise<void> {
    const entry = this.talk.begin('read', { accession });
    const view = await this.talk.ask(entry, ({ registry }) => registry.read(accession, this.talk.caller));
    if (view) this.#show(entry, view);
    entry.curated = view?.document.characteristics[SEEN_BY]?.map(({ text = '' }) => text) ?? [];
  }

  #show(entry: Entry, { accession, document, etag }: SampleView): void {
    const { update: _, ...content } = document;
    entry.accession = accession;
    entry.tag = etag;
    entry.note = document.characteristics.note?.[0]?.text ?? '';
    entry.document = JSON.stringify(content);
    const known = this.know(accession, document.name);
    known.tag = etag;
    known.notes.push(entry.note);
  }

  /** Adds a characteristic to what readers see. */
  async #curate({ accession }: KnownSample): Promise<void> {
    const value = this.talk.newNote();
    const entry = this.talk.begin('curate', { accession, value });
    const curation = { attributesPost: [{ type: SEEN_BY, value }] };
    const made = await this.talk.ask(entry, ({ registry }) =>
      registry.curate(accession, { curation }, this.talk.caller),
    );
    if (made) this.#curations.push({ accession, value, hash: made.link.hash });
  }

  async #askOfCuration(kind: (typeof OF_A_CURATION)[number], pick: number): Promise<void> {
    const known = this.#curations[pick % Math.max(1, this.#curations.length)];
    if (known === undefined) return;
    const { accession, value, hash } = known;
    if (kind === 'findCurated') return this.#search(kind, accession, value, `attr:${SEEN_BY}:${value}`);
    const entry = this.talk.begin(kind, { accession, value });
    await this.talk.ask<unknown>(entry, ({ registry }) =>
      kind === 'uncurate'
        ? registry.deleteCurationLink(accession, hash, this.talk.caller)
        : registry.declineCuration(accession, hash, this.talk.caller, true),
    );
  }

  async #withdraw({ accession }: KnownSample, withdrawn: boolean): Promise<void> {
    const entry = this.talk.begin('withdraw', { accession });
    const view = await this.talk.ask(entry, ({ registry }) =>
      registry.withdraw(accession, withdrawn, this.talk.caller),
    );
    if (view) this.#show(entry, view);
  }

  /** The changes since it was last asked, to the last. */
  async #follow(size: number): Promise<void> {
    const entry = this.talk.begin('follow', {});
    const follower = this.talk.history.followers.get(this.talk.life.name);
    const changes = [...(follower?.changes ?? [])];
    let cursor = follower?.cursor;
    const last = await this.talk.ask(entry, async ({ feed }) => {
      for (;;) {
        const page = await feed.page({ after: cursor, size, records: size % 2 === 0 }, this.talk.caller);
        changes.push(...page.changes);
        cursor = page.cursor;
        if (!page.more) return page;
      }
    });
    if (last === undefined) return;
    entry.found = changes.map(({ accession }) => accession);
    this.talk.history.followers.set(this.talk.life.name, { account: this.account, cursor: last.cursor, changes });
  }

  #find({ name, accession }: KnownSample): Promise<void> {
    return this.#search('find', accession, name, `name:${name}`);
  }

  /** What the sample was last seen to say, or what it said before. */
  async #findNote({ accession, notes }: KnownSample, pick: number): Promise<void> {
    const note = notes.at(-1 - (pick % 2));
    if (note !== undefined) await this.#search('findNote', accession, note, `attr:note:${note}`);
  }

  async #search(
    kind: 'find' | 'findNote' | 'findCurated',
    accession: string,
    text: string,
    filter: string,
  ): Promise<void> {
    const entry = this.talk.begin(kind, kind === 'findCurated' ? { value: text, accession } : { text, accession });
    entry.found = (await this.talk.ask(entry, async ({ search }) => {
      const found: string[] = [];
      const { samples } = await search.search({ filters: [filter, 'status:any'], size: 50 }, this.talk.caller);
      for await (const view of samples) found.push(view.accession);
      return found;
    })) as string[];
  }
}
