/**
 * Relationships to what is neither an accession nor a name of the file. A sample that was registered as JSON may have one;
 * a row that updates it may say it again, as an export does, and no row may bring a new one.
 */
import { decodeContent } from '../../registry/samples/content-json.js';
import type { SurveyOptions } from './reading.js';

/** A relationship as its row gives it. */
export interface GivenTarget {
  /** Of the row. */
  ordinal: number;
  /** Which of the row's relationships it is, from 0. */
  place: number;
  text: string;
}

/** Samples whose content is asked for at once. */
const ASKED = 200;

/** Relationships of one row that have numbers of their own. */
const PLACES = 65_536;

/** The number of a relationship among those of its file. */
export const keptNumber = (ordinal: number, place: number): number => ordinal * PLACES + Math.min(place, PLACES - 1);

export class KeptTargets {
  /** `keptNumber` of those that the sample of their row has already. */
  readonly found = new Set<number>();
  #asked: (GivenTarget & { id: number })[] = [];

  constructor(private readonly options: Pick<SurveyOptions, 'storedForEdit' | 'account' | 'admin'>) {}

  /** `id`: number of the sample that the row updates. */
  add(target: GivenTarget, id: number): void {
    if (this.options.storedForEdit) this.#asked.push({ ...target, id });
  }

  /** Asks what has gathered, once it is worth a question; all of it with `last`. */
  async ask(last: boolean): Promise<void> {
    if (!last && this.#asked.length < ASKED) return;
    const asked = this.#asked;
    this.#asked = [];
    for (let from = 0; from < asked.length; from += ASKED) {
      const portion = asked.slice(from, from + ASKED);
      const targets = await this.#targetsOf([...new Set(portion.map(({ id }) => id))]);
      for (const { id, ordinal, place, text } of portion) {
        if (targets.get(id)?.has(text)) this.found.add(keptNumber(ordinal, place));
      }
    }
  }

  /** Of samples of others nothing is said, whatever they hold. */
  async #targetsOf(ids: number[]): Promise<Map<number, Set<string>>> {
    const { storedForEdit, account, admin } = this.options;
    const targets = new Map<number, Set<string>>();
    for (const stored of (await storedForEdit?.(ids)) ?? []) {
      if ('damaged' in stored || (account !== undefined && stored.account !== account && !admin)) continue;
      const { relationships } = decodeContent(stored.doc);
      targets.set(stored.id, new Set(relationships.map(({ target }) => target)));
    }
    return targets;
  }
}
