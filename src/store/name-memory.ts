/** What a store remembers of its names and numbers, and how it spells a layout. */
import { createHash } from 'node:crypto';
import { formatAccession } from '../registry/accession.js';
import type { SampleLayout } from '../registry/samples/packed-sample.js';
import { storageIsDamaged } from './failures.js';

/** Entries kept per map; then it is emptied and fills again. */
const KEPT = 10_000;

/** One direction of one kind, remembered once committed. */
export class NameMemory<K, V> {
  private readonly known = new Map<K, V>();

  get(key: K): V | undefined {
    return this.known.get(key);
  }

  learn(key: K, value: V): V {
    if (this.known.size >= KEPT) this.forget();
    this.known.set(key, value);
    return value;
  }

  forget(): void {
    this.known.clear();
  }
}

/** The spelling of layouts: a worker hands over the same object with each batch of a file, when both run in one thread. */
class LayoutSpelling {
  private readonly spelled = new WeakMap<SampleLayout, string>();

  textOf(layout: SampleLayout): string {
    let text = this.spelled.get(layout);
    if (text === undefined) {
      text = JSON.stringify(layout);
      this.spelled.set(layout, text);
    }
    return text;
  }
}

/** What both stores remember. */
export class KnownNames {
  readonly accountNumbers = new NameMemory<string, number>();
  readonly layoutNumbers = new NameMemory<string, number>();
  readonly layouts = new NameMemory<number, SampleLayout>();
  private readonly spelling = new LayoutSpelling();

  constructor(private readonly prefix: string) {}

  readonly accession = (id: number): string => formatAccession(this.prefix, id);

  /** For a database whose last commits may be undone. */
  forget(): void {
    for (const memory of [this.accountNumbers, this.layoutNumbers, this.layouts]) memory.forget();
  }

  hashOfLayout(layout: SampleLayout): string {
    return hashOf(this.spelling.textOf(layout));
  }

  /** The layout's spelling, and its number where that is remembered. */
  knownLayout(layout: SampleLayout): { text: string; number: number | undefined } {
    const text = this.spelling.textOf(layout);
    return { text, number: this.layoutNumbers.get(text) };
  }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface LayoutRow {
  id: number;
  hash: string;
  layout: string;
}

/** @throws RegistryError storage.damaged for one that is not as it was written */
export function readLayout({ id, hash, layout }: LayoutRow): SampleLayout {
  if (hashOf(layout) === hash) return JSON.parse(layout) as SampleLayout;
  throw storageIsDamaged(`Layout ${id}, which says how samples of a sheet are read,`);
}
