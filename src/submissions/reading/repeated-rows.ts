/** Of sheets in which several rows are one sample: what became of a row that only repeats one above. Keeps 23 bytes a name. */
import { NameTable } from '../../tsv/rows/name-table.js';
import { Float64List, Uint32List } from '../../tsv/rows/number-list.js';

export interface Registered {
  id: number;
  existing: boolean;
}

export class RepeatedRows {
  readonly #names = new NameTable();
  readonly #lines = new Uint32List();
  /** Accession numbers of the first rows, below zero where the sample was there before; 0 for none. */
  readonly #ids = new Float64List();

  /** Notes what became of the row; answers what became of the first of its name, when this one repeats it. */
  note(name: string, line: number, registered: Registered | undefined): Registered | undefined {
    const first = this.#names.add(name, 0, name.length, line, false);
    if (first === 0) {
      this.#lines.push(line);
      this.#ids.push(registered ? registered.id * (registered.existing ? -1 : 1) : 0);
      return undefined;
    }
    const id = this.#ids.at(this.#lines.search(first));
    return id === 0 ? undefined : { id: Math.abs(id), existing: id < 0 };
  }
}
