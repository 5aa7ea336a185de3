/** An organism's name and its taxonomy id that cannot both be right, by the shipped list or by the other rows of the file. */
import { ownText } from '../../../registry/own-text.js';
import { taxIdOfTerm } from '../../../registry/tax-id.js';
import { type Finding, isNoValue, type SenseCheck, type SenseRow } from './finding.js';
import { foldedName, type Organism, organismNamed, organismOfId } from './organisms.js';

export interface OrganismCells {
  name: number;
  id: number;
}

interface Pair extends ReadName {
  id: number;
  /** Which of the file's pairs it is. */
  order: number;
  count: number;
  /** By the list: what is wrong, or undefined. */
  listed: Verdict | undefined;
  /** Every id is settled by the list; what other rows have says nothing. */
  settled: boolean;
}

/** A name as it is compared with others, read once: every row may have another. */
interface ReadName {
  name: string;
  folded: string;
  isBinomial: boolean;
  /** As much of the epithet as no change of its ending touches. */
  epithet: string;
}

interface Verdict {
  /** Which of the two cells is reported. */
  cell: 'name' | 'id';
  what: string;
  id?: number;
}

/** Names and ids of one file that are compared with each other; a file with more is checked against the list only. */
const MAX_PAIRS = 2000;
/** Those of one name, or of one id, that the others of it are compared with: a number for all that have none would make each row all rows. */
const MAX_ALIKE = 100;
const BINOMIAL = /^[A-Z][a-z]{2,} [a-z]{3,}/;

export class OrganismCheck implements SenseCheck {
  readonly #pairs = new Map<string, Pair>();
  readonly #ofName = new Map<string, Pair[]>();
  readonly #ofId = new Map<number, Pair[]>();

  readonly wanted: readonly number[];
  #last: Pair | undefined;
  #lastName = '';
  #lastId = '';

  constructor(private readonly cells: OrganismCells) {
    this.wanted = [cells.name, cells.id];
  }

  learn(row: SenseRow): void {
    const pair = this.#pairOf(row);
    if (pair) pair.count++;
  }

  look(row: SenseRow, found: Finding[]): void {
    const pair = this.#pairOf(row);
    if (!pair) return;
    const verdict = pair.listed ?? (pair.settled ? undefined : this.#amongOthers(pair));
    if (!verdict) return;
    const cell = this.cells[verdict.cell];
    const value = row.cells[cell] as string;
    const suggestion = verdict.id === undefined ? undefined : value.replace(/\d+(?:\.0)?$/, String(verdict.id));
    found.push({ code: 'suspect.organism', cell, value, what: verdict.what, suggestion });
  }

  #pairOf({ cells }: SenseRow): Pair | undefined {
    const name = cells[this.cells.name];
    const text = cells[this.cells.id];
    if (!name || !text) return undefined;
    if (name === this.#lastName && text === this.#lastId) return this.#last;
    this.#lastName = name;
    this.#lastId = text;
    this.#last = this.#find(name, text);
    return this.#last;
  }

  #find(name: string, text: string): Pair | undefined {
    const key = `${name}\t${text}`;
    let pair = this.#pairs.get(key);
    if (pair) return pair;
    const id = taxIdOf(text);
    if (id === undefined || isNoValue(name) || name.length > 200) return undefined;
    const own = nameRead(ownText(name));
    pair = { ...own, id, order: this.#pairs.size, count: 0, ...byList(own, id) };
    if (this.#pairs.size >= MAX_PAIRS) return pair;
    this.#pairs.set(key, pair);
    put(this.#ofName, own.folded, pair);
    put(this.#ofId, id, pair);
    return pair;
  }

  /** The rarer of two is reported; of two equally rare ones, the later. */
  #amongOthers(pair: Pair): Verdict | undefined {
    const sameName = this.#ofName.get(pair.folded) ?? [];
    const otherId = usual(
      pair,
      sameName.filter(({ id }) => id !== pair.id),
    );
    if (otherId) {
      const what = `is the taxonomy id of "${pair.name}" here, which has ${otherId.id} in other rows`;
      return otherId.count >= 3 && otherId.count >= pair.count * 3
        ? { cell: 'id', what: `${what}; ${otherId.id}?`, id: otherId.id }
        : { cell: 'id', what };
    }
    const sameId = this.#ofId.get(pair.id) ?? [];
    const otherName = usual(
      pair,
      sameId.filter((other) => differ(other, pair)),
    );
    if (!otherName) return undefined;
    return { cell: 'name', what: `has the taxonomy id ${pair.id}, which is that of "${otherName.name}" in other rows` };
  }
}

function byList(own: ReadName, id: number): Pick<Pair, 'listed' | 'settled'> {
  const { name } = own;
  const named = organismNamed(own.folded);
  const meant = organismOfId(id);
  if (named && accepts(named.organism, id)) return { listed: undefined, settled: true };
  if (named && meant && !(named.exact === false && sameStart(own, meant))) {
    const { organism } = named;
    const what = `is the taxonomy id of ${meant.name}, not of "${name}" (${organism.id})`;
    return { listed: { cell: 'id', what }, settled: true };
  }
  if (named?.exact && named.organism.strict) {
    const right = named.organism.id;
    const listed: Verdict = { cell: 'id', what: `is not the taxonomy id of "${name}"; ${right}?`, id: right };
    return { listed, settled: true };
  }
  if (!named && meant && BINOMIAL.test(name) && !sameStart(own, meant)) {
    const what = `is no name of the organism of its taxonomy id: ${id} is ${meant.name}`;
    return { listed: { cell: 'name', what }, settled: true };
  }
  return { listed: undefined, settled: false };
}

const accepts = (organism: Organism, id: number): boolean => organism.id === id || organism.within.includes(id);

/** The beginning of one of its names, or another genus with the same epithet, as after a renaming. */
const sameStart = (name: ReadName, { name: own, synonyms }: Organism): boolean =>
  [own, ...synonyms].map(nameRead).some((one) => isPart(one, name) || (one.isBinomial && !differ(one, name)));

function nameRead(name: string): ReadName {
  const folded = foldedName(name);
  const isBinomial = BINOMIAL.test(`${name[0]?.toUpperCase()}${name.slice(1)}`);
  return { name, folded, isBinomial, epithet: folded.split(' ')[1]?.slice(0, 4) ?? '' };
}

const isPart = ({ folded: one }: ReadName, { folded: other }: ReadName): boolean =>
  one.startsWith(other) || other.startsWith(one);

/** Whether two names can hardly mean one organism. */
const differ = (one: ReadName, other: ReadName): boolean =>
  !isPart(one, other) && one.isBinomial && other.isBinomial && one.epithet !== other.epithet;

/** The commonest of these that is commoner than the pair, or as common and there before it. */
function usual(pair: Pair, others: readonly Pair[]): Pair | undefined {
  const before = others.filter(({ listed, count }) => listed === undefined && count >= Math.max(pair.count, 1));
  const best = before.reduce<Pair | undefined>(
    (most, one) => (most && most.count >= one.count ? most : one),
    undefined,
  );
  if (!best || best.count > pair.count) return best;
  return best.count === pair.count && best.order < pair.order ? best : undefined;
}

function put<Key>(map: Map<Key, Pair[]>, key: Key, pair: Pair): void {
  const pairs = map.get(key);
  if (pairs && pairs.length < MAX_ALIKE) pairs.push(pair);
  else if (!pairs) map.set(key, [pair]);
}

/** `9606`, `9606.0`, `NCBITaxon:9606`, `NCBI:txid9606`, `taxon:9606`. */
const taxIdOf = (text: string): number | undefined =>
  taxIdOfTerm(text.replace(/^(?:ncbi:?)?(?:txid|taxon:)/i, '').replace(/\.0$/, ''));
