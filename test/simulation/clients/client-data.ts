/** What clients ask of the structured data of samples: they attach tables in place of their account's, take them away and read them. */
import { RegistryError } from '../../../src/registry/errors.js';
import { ABOUT_DATA, type StepKind } from '../steps.js';
import type { Conversation } from './client-request.js';
import type { KnownSample } from './client-sheets.js';

type Kind = (typeof ABOUT_DATA)[number];
export const isAboutData = (kind: StepKind): kind is Kind => (ABOUT_DATA as readonly StepKind[]).includes(kind);

/** The one cell of a table says which write it is of. */
const FIELD = 'written by';

export class DataRequests {
  constructor(
    private readonly talk: Conversation,
    private readonly account: string,
  ) {}

  take(kind: Kind, known: readonly KnownSample[], pick: number): Promise<void> {
    const sample = known[pick % Math.max(1, Math.min(2, known.length))];
    if (sample === undefined) return Promise.resolve();
    if (kind === 'attach') return this.#attach(sample.accession, 1 + (pick % 3));
    return kind === 'detach' ? this.#detach(sample.accession) : this.#read(sample.accession);
  }

  async #attach(accession: string, tables: number): Promise<void> {
    const { account } = this;
    const value = this.talk.newNote();
    const entry = this.talk.begin('attach', { accession, account, value, times: tables });
    const data = Array.from({ length: tables }, (_, at) => ({
      domain: null,
      submissionAccountId: account,
      type: `table ${at}`,
      schema: null,
      content: [{ [FIELD]: { value, iri: null } }],
    }));
    await this.talk.ask(entry, ({ registry }) =>
      registry.putStructuredData(accession, { accession, data }, this.talk.caller),
    );
  }

  async #detach(accession: string): Promise<void> {
    const { account } = this;
    const entry = this.talk.begin('detach', { accession, account });
    await this.talk.ask(entry, ({ registry }) =>
      registry.deleteStructuredData(accession, { account }, this.talk.caller),
    );
  }

  /** None is an answer, too. */
  async #read(accession: string): Promise<void> {
    const { account } = this;
    const entry = this.talk.begin('readData', { accession, account });
    const found = await this.talk.ask(entry, ({ registry }) =>
      registry.getStructuredData(accession, this.talk.caller).then(
        ({ data }) =>
          data
            .filter(({ submissionAccountId }) => submissionAccountId === account)
            .map(({ content }) => content[0]?.[FIELD]?.value ?? ''),
        (error: unknown) => {
          if (error instanceof RegistryError && /no structured data/.test(error.message)) return [];
          throw error;
        },
      ),
    );
    if (found) entry.found = found;
  }
}
