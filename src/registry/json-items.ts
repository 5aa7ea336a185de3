/** Many samples in one JSON text, one after the other: an array, or an object on each line. Memory holds one item, whatever the length of the text. */
import { isUtf8 } from 'node:buffer';
import { RegistryError } from './errors.js';
import { findJsonFault } from './json-fault.js';
import { type JsonForm, jsonFormOfText } from './json-form.js';

export interface JsonItem {
  /** Of `lines` the line in the file, of `array` the number of the item; from 1. */
  line: number;
  /** As written, without blanks around it; what could be read where there is a fault. */
  text: string;
  /** Why it is no JSON value that can be taken. */
  fault?: string;
}

export interface JsonBlock {
  items: JsonItem[];
  /** Bytes up to the end of the block that the last item ends in. */
  bytes: number;
}

/** Of one item, unless said otherwise. */
const MAX_ITEM_BYTES = 1024 * 1024;
/** Of an item that cannot be read whole. */
const SHOWN = 100;

const [LF, QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [10, 34, 92, 44, 91, 93, 123, 125];

/**
 * In order; blank lines are left out and counted.
 * @throws RegistryError file.not-understood for an array that does not end, or that something follows
 */
export async function* jsonItems(
  bytes: AsyncIterable<Buffer>,
  form: JsonForm,
  { maxBytes = MAX_ITEM_BYTES }: { maxBytes?: number } = {},
): AsyncGenerator<JsonBlock> {
  const splitter = form === 'array' ? new ArraySplitter(maxBytes) : new LineSplitter(maxBytes);
  let read = 0;
  /** Bytes of the beginning, until there are enough to tell whether they are a mark. */
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const block of bytes) {
    read += block.length;
    if (head === undefined) splitter.take(block);
    else {
      head = Buffer.concat([head, block]);
      if (head.length < MARK.length) continue;
      splitter.take(withoutMark(head));
      head = undefined;
    }
    const items = splitter.found;
    splitter.found = [];
    if (items.length > 0) yield { items, bytes: read };
  }
  if (head !== undefined) splitter.take(head);
  splitter.end();
  if (splitter.found.length > 0) yield { items: splitter.found, bytes: read };
}

/** Of UTF-8, before the text. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const withoutMark = (head: Buffer): Buffer =>
  head.subarray(0, MARK.length).equals(MARK) ? head.subarray(MARK.length) : head;

/** The item that is being gathered, over blocks. */
abstract class Splitter {
  found: JsonItem[] = [];
  protected line = 1;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(private readonly maxBytes: number) {}

  abstract take(block: Buffer): void;
  abstract end(): void;

  protected gather(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= this.maxBytes) this.#parts.push(part);
    else this.#parts.length = Math.min(this.#parts.length, 1);
  }

  /** The item is whole. False when there is nothing but blanks. */
  protected finish(): boolean {
    const whole = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    const item = size > this.maxBytes ? tooLong(this.line, whole, this.maxBytes) : itemOf(this.line, whole);
    if (item.text === '' && item.fault === undefined) return false;
    this.found.push(item);
    return true;
  }
}

class LineSplitter extends Splitter {
  take(block: Buffer): void {
    let from = 0;
    for (let at = block.indexOf(LF); at >= 0; at = block.indexOf(LF, from)) {
      this.gather(block.subarray(from, at));
      this.finish();
      this.line++;
      from = at + 1;
    }
    this.gather(block.subarray(from));
  }

  end(): void {
    this.finish();
  }
}

class ArraySplitter extends Splitter {
  /** 0 outside of the array, 1 between its items. */
  #depth = 0;
  #state: 'before' | 'within' | 'after' = 'before';
  #inText = false;
  #escaped = false;

  take(block: Buffer): void {
    let from = 0;
    for (let at = 0; at < block.length; at++) {
      const code = block[at] as number;
      if (this.#inText) this.#readText(code);
      else if (this.#state === 'within') from = this.#readWithin(block, from, at);
      else if (code > 0x20) {
        this.#begin(code);
        from = at + 1;
      }
    }
    if (this.#state === 'within') this.gather(block.subarray(from));
  }

  /** What stands there outside of texts; where the item that goes on behind it begins in the block. */
  #readWithin(block: Buffer, from: number, at: number): number {
    const code = block[at] as number;
    if (code === QUOTE) this.#inText = true;
    else if (code === OPEN || code === OPEN_LIST) this.#depth++;
    else if (code === COMMA && this.#depth === 1) {
      this.#end(block.subarray(from, at), 'There is nothing before this comma.');
      this.line++;
      return at + 1;
    } else if ((code === CLOSE_LIST || (code === CLOSE && this.#depth > 1)) && --this.#depth === 0) {
      this.#end(block.subarray(from, at), this.line > 1 ? 'There is nothing behind the last comma.' : undefined);
      this.#state = 'after';
    }
    return from;
  }

  #readText(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) this.#inText = false;
  }

  #begin(code: number): void {
    if (this.#state === 'after' || code !== OPEN_LIST) throw this.#misplaced();
    this.#state = 'within';
    this.#depth = 1;
  }

  /** `ifNothing`: what is wrong where there is no item. */
  #end(rest: Buffer, ifNothing: string | undefined): void {
    this.gather(rest);
    if (!this.finish() && ifNothing !== undefined) this.found.push({ line: this.line, text: '', fault: ifNothing });
  }

  end(): void {
    if (this.#state === 'after') return;
    throw new RegistryError(
      'file.not-understood',
      `The JSON array does not end: item ${this.line} or its closing bracket ] is cut off. Send the file whole.`,
      { extra: { line: this.line } },
    );
  }

  #misplaced(): RegistryError {
    return new RegistryError(
      'file.not-understood',
      this.#state === 'after'
        ? `Something follows the JSON array behind item ${this.line}. Send one array, or one object on each line.`
        : 'The JSON text does not begin with [ of an array.',
      { extra: { line: this.line } },
    );
  }
}

function itemOf(line: number, bytes: Buffer): JsonItem {
  const text = bytes.toString('utf8').trim();
  if (text === '') return { line, text };
  return isUtf8(bytes) ? { line, text } : { line, text: text.slice(0, SHOWN), fault: 'It is not valid UTF-8.' };
}

const tooLong = (line: number, start: Buffer, maxBytes: number): JsonItem => ({
  line,
  text: start.toString('utf8', 0, SHOWN),
  fault: `It is longer than ${maxBytes} bytes, the most that one sample may have.`,
});

/** The value of an item, or why there is none. */
export function parseItem({ text, fault }: JsonItem): { value: unknown } | { fault: string } {
  const found = fault ?? findJsonFault(text);
  if (found !== undefined) return { fault: found };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `It is not valid JSON: ${(error as Error).message.slice(0, 200)}.` };
  }
}

/** What the first bytes of a file say: JSON of many samples in one of the two forms, or something else. */
export const jsonFormOf = (head: Buffer): JsonForm | undefined => jsonFormOfText(withoutMark(head).toString('utf8'));
