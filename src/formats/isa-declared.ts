/** What an ISA study declares once and its samples refer to: categories, units, sources, ontologies. Bounded: what is beyond is said in place. */
import type { IsaComment } from '../tsv/isa-comments.js';

export interface IsaAnnotation {
  annotationValue: string;
  termSource: string;
  termAccession: string;
  comments?: IsaComment[];
}

/** Characters of all that is declared of one kind. */
const ROOM = 4_000_000;
/** Of ontologies, whose names are short. */
const ONTOLOGIES = 1_000;

class Names<T> {
  readonly kept = new Map<string, T>();
  #room = ROOM;

  /** Undefined when there is no room for another. */
  add(key: string, value: () => T): T | undefined {
    const known = this.kept.get(key);
    if (known !== undefined || this.#room < key.length) return known;
    this.#room -= key.length + OVERHEAD;
    const made = value();
    this.kept.set(key, made);
    return made;
  }
}
const OVERHEAD = 40;

interface Reference {
  '@id': string;
}

export class Declared {
  readonly #categories = new Names<Reference>();
  readonly #units = new Names<Reference & IsaAnnotation>();
  readonly #sources = new Names<Reference>();
  readonly #ontologies = new Set<string>();

  category(name: string): object {
    const made = this.#categories.add(name, () => ({ '@id': `#characteristic_category/${encodeURIComponent(name)}` }));
    return made ?? { characteristicType: categoryType(name) };
  }

  categories(): object[] {
    return [...this.#categories.kept].map(([name, reference]) => ({
      ...reference,
      characteristicType: categoryType(name),
    }));
  }

  unit(unit: IsaAnnotation): object {
    const made = this.#units.add(JSON.stringify(unit), () => ({
      '@id': `#unit/${this.#units.kept.size + 1}`,
      ...unit,
    }));
    return made === undefined ? unit : { '@id': made['@id'] };
  }

  units(): object[] {
    return [...this.#units.kept.values()];
  }

  /** A sample that others derive from, by its accession alone. */
  source(accession: string): Reference[] {
    const made = this.#sources.add(accession, () => ({ '@id': `#source/${encodeURIComponent(accession)}` }));
    return made === undefined ? [] : [made];
  }

  sources(): object[] {
    return [...this.#sources.kept].map(([accession, reference]) => ({
      ...reference,
      name: accession,
      characteristics: [],
      comments: [{ name: 'accession', value: accession }],
    }));
  }

  ontology(name: string): string {
    if (name === '' || (!this.#ontologies.has(name) && this.#ontologies.size >= ONTOLOGIES)) return '';
    this.#ontologies.add(name);
    return name;
  }

  ontologies(): object[] {
    return [...this.#ontologies].map((name) => ({ name, description: '', file: '', version: '' }));
  }
}

const categoryType = (name: string): IsaAnnotation => ({ annotationValue: name, termSource: '', termAccession: '' });
