/** Where the cells of a row stand in its bytes. */
import type { RowBytes } from '../registry/samples/whole-result.js';

const [TAB, SPACE, QUOTE, BACKSLASH] = [0x09, 0x20, 0x22, 0x5c];

export class RowCells {
  bytes: Uint8Array = new Uint8Array();
  /** `starts[at]` to `ends[at]`; absent cells are empty. */
  starts = new Int32Array();
  ends = new Int32Array();

  /** False when the name or a cell holds what JSON writes otherwise, or there are more cells than that. */
  find({ bytes, name, doc, end }: RowBytes, count: number): boolean {
    if (this.starts.length < count) {
      this.starts = new Int32Array(count);
      this.ends = new Int32Array(count);
    }
    this.bytes = bytes;
    for (let at = name; at < doc; at++) if (isEscaped(bytes[at] as number)) return false;
    const { starts, ends } = this;
    let cell = 0;
    let from = doc;
    for (let at = doc; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === TAB) {
        if (cell === count) return false;
        starts[cell] = from;
        ends[cell++] = at;
        from = at + 1;
      } else if (isEscaped(byte)) return false;
    }
    if (cell < count) {
      starts[cell] = from;
      ends[cell++] = end;
    } else if (from < end) return false;
    starts.fill(end, cell, count);
    ends.fill(end, cell, count);
    return true;
  }

  /** To be compared with later ones. */
  kept(count: number): RowCells {
    const copy = new RowCells();
    copy.bytes = this.bytes;
    copy.starts = this.starts.slice(0, count);
    copy.ends = this.ends.slice(0, count);
    return copy;
  }

  isEmpty(cell: number): boolean {
    return this.starts[cell] === this.ends[cell];
  }

  isSame(cell: number, other: RowCells): boolean {
    const start = this.starts[cell] as number;
    const end = this.ends[cell] as number;
    let at = other.starts[cell] as number;
    if ((other.ends[cell] as number) - at !== end - start) return false;
    for (let own = start; own < end; own++, at++) if (this.bytes[own] !== other.bytes[at]) return false;
    return true;
  }
}

/** Of UTF-8, all of whose other bytes JSON leaves as they are. */
const isEscaped = (byte: number): boolean => (byte <= QUOTE ? byte < SPACE || byte === QUOTE : byte === BACKSLASH);
