/**
 * The parts of an ISA-JSON document that say something of samples, found in its bytes as they pass: a document may be
 * larger than memory, and nearly all of it is about assays. What is between them is handed on as it is.
 */
import { isUtf8 } from 'node:buffer';
import { RegistryError } from '../../registry/errors.js';
import { mayBeIsaJson } from '../../registry/json-form.js';
import { timeSlices } from '../../registry/time-slices.js';
import { LEADS, PARTS, type Part } from './parts.js';

/** Bytes between two parts, or a part. */
export type Piece = Buffer | Part;

const MAX_PART_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 100;
/** Bytes that are looked at before others have their turn. */
const STEP = 64 * 1024;
/** Of a member's name, bytes that are looked at. */
const MAX_KEY = 100;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125];

interface Frame {
  list: boolean;
  /** Steps from the investigation; undefined where nothing of ours is below. */
  path: string | undefined;
  /** Of an object: the member whose value comes; of a list, how many values came. */
  key: string | undefined;
  count: number;
}

/** In order; every byte of the document is in exactly one piece. @throws RegistryError file.not-understood, file.too-large */
export async function* isaPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  const scanner = new Scanner();
  const nextSlice = timeSlices();
  for await (const block of bytes) {
    for (let at = 0; at < block.length; at += STEP) {
      for (const piece of scanner.take(block.subarray(at, at + STEP))) {
        yield piece;
        await nextSlice();
      }
      await nextSlice();
    }
  }
  scanner.end();
}

/** Whether a file begins as an ISA-JSON document: an object that has studies, by itself or in its investigation. */
export function isIsaJson(head: Buffer): boolean {
  if (!mayBeIsaJson(head.toString('utf8'))) return false;
  const scanner = new Scanner();
  try {
    for (const _ of scanner.take(head)) if (scanner.hasStudies) return true;
  } catch {
    // What is broken behind its studies is for the reader to say.
  }
  return scanner.hasStudies;
}

type Gathered = Omit<Part, 'text'> & { depth: number; bytes: Buffer[]; size: number };

class Scanner {
  hasStudies = false;
  readonly #stack: Frame[] = [];
  #state: 'value' | 'key' | 'colon' | 'after' = 'value';
  #text: 'none' | 'key' | 'value' = 'none';
  #escaped = false;
  #key: number[] = [];
  /** The part that is being gathered, and the depth at which it began. */
  #part: Gathered | undefined;
  #began = false;

  *take(block: Buffer): Generator<Piece> {
    let from = 0;
    for (let at = this.#began ? 0 : markLength(block); at < block.length; at++) {
      at = this.#passText(block, at);
      if (at === block.length) break;
      const turn = this.#read(block[at] as number);
      if (turn === 'begins') {
        if (at > from) yield block.subarray(from, at);
        from = at;
      } else if (turn === 'ends') {
        yield this.#endPart(block.subarray(from, at + 1));
        from = at + 1;
      }
    }
    this.#began = true;
    if (this.#part) this.#gather(block.subarray(from));
    else if (from < block.length) yield block.subarray(from);
  }

  end(): void {
    if (this.#stack.length > 0 || this.#state !== 'after')
      throw broken('The JSON document is cut off: it does not end. Send the file whole.');
  }

  /** Position of the next byte that says something, within a text whose letters are not wanted. */
  #passText(block: Buffer, from: number): number {
    if (this.#escaped || this.#text === 'none' || (this.#text === 'key' && this.#stack.at(-1)?.path !== undefined))
      return from;
    let at = from;
    while (at < block.length && block[at] !== QUOTE && block[at] !== BACKSLASH) at++;
    return at;
  }

  /** Whether a part begins or ends with this byte. */
  #read(code: number): 'begins' | 'ends' | undefined {
    if (this.#text !== 'none') return this.#readText(code);
    if (code <= 0x20) return undefined;
    if (code === COMMA || code === COLON) return this.#separate(code);
    if (code === CLOSE || code === CLOSE_LIST) return this.#close(code);
    if (this.#state === 'key') {
      if (code !== QUOTE) throw misplaced(code);
      this.#text = 'key';
      this.#key = [];
      return undefined;
    }
    if (this.#state === 'after' && !isScalar(code)) throw misplaced(code);
    if (this.#state === 'after') return undefined;
    return this.#beginValue(code);
  }

  #readText(code: number): 'ends' | undefined {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) {
      if (this.#text === 'value') {
        this.#text = 'none';
        return this.#endValue();
      }
      this.#text = 'none';
      this.#state = 'colon';
      (this.#stack.at(-1) as Frame).key = Buffer.from(this.#key).toString('utf8');
      return undefined;
    }
    if (this.#text === 'key' && this.#key.length < MAX_KEY) this.#key.push(code);
    return undefined;
  }

  #separate(code: number): undefined {
    const frame = this.#stack.at(-1);
    if (code === COLON) {
      if (this.#state !== 'colon') throw misplaced(code);
      this.#state = 'value';
      return undefined;
    }
    if (this.#state !== 'after' || frame === undefined) throw misplaced(code);
    this.#state = frame.list ? 'value' : 'key';
    return undefined;
  }

  #beginValue(code: number): 'begins' | undefined {
    if (this.#state !== 'value') throw misplaced(code);
    const frame = this.#stack.at(-1);
    if (frame?.list) frame.count++;
    const path = frame ? below(frame) : '';
    if (frame === undefined && code !== OPEN) throw misplaced(code);
    const begins = this.#part === undefined && path !== undefined && Object.hasOwn(PARTS, path);
    if (begins) this.#beginPart(path as keyof typeof PARTS, code);
    if (code === QUOTE) this.#text = 'value';
    else if (isScalar(code)) this.#state = 'after';
    else this.#open(code === OPEN_LIST, begins ? undefined : path);
    return begins && this.#part ? 'begins' : undefined;
  }

  #open(list: boolean, path: string | undefined): void {
    if (this.#stack.length >= MAX_DEPTH)
      throw broken(`The JSON document is nested more than ${MAX_DEPTH} levels deep.`);
    this.hasStudies ||= list && path === 'studies';
    const leads = path === '' || (path !== undefined && LEADS.has(path));
    this.#stack.push({ list, path: leads ? path : undefined, key: undefined, count: 0 });
    this.#state = list ? 'value' : 'key';
  }

  #close(code: number): 'ends' | undefined {
    const frame = this.#stack.pop();
    const empty = this.#state === 'key' || (this.#state === 'value' && frame?.count === 0);
    if (frame?.list !== (code === CLOSE_LIST) || !(empty || this.#state === 'after')) throw misplaced(code);
    return this.#endValue();
  }

  #endValue(): 'ends' | undefined {
    this.#state = 'after';
    return this.#part?.depth === this.#stack.length ? 'ends' : undefined;
  }

  /** Texts of the investigation and its studies may be anything else, which says nothing; what is listed is an object. */
  #beginPart(path: keyof typeof PARTS, code: number): void {
    const kind = PARTS[path];
    const study = (this.#stack.find(({ path: at }) => at === 'studies')?.count ?? 0) - 1;
    const isText = kind === 'study' || kind === 'release';
    if (isText ? code !== QUOTE : code !== OPEN) {
      if (isText) return;
      throw broken(`${path.replaceAll('*', '…')}: an element of the list is no object in { }.`);
    }
    const key = path.split('/').at(-1) as string;
    const wrapped = this.#stack[1]?.path === '';
    this.#part = { kind, key: key === '*' ? '' : key, study, wrapped, depth: this.#stack.length, bytes: [], size: 0 };
  }

  #gather(bytes: Buffer): void {
    const part = this.#part as Gathered;
    part.size += bytes.length;
    if (part.size > MAX_PART_BYTES) {
      const message = `A ${part.kind} of study ${part.study + 1} has more than ${MAX_PART_BYTES} bytes, the most that one may have.`;
      throw new RegistryError('file.too-large', message);
    }
    part.bytes.push(bytes);
  }

  #endPart(bytes: Buffer): Part {
    this.#gather(bytes);
    const { kind, key, study, wrapped, bytes: all } = this.#part as Gathered;
    this.#part = undefined;
    const whole = Buffer.concat(all);
    if (!isUtf8(whole))
      throw new RegistryError(
        'file.encoding',
        `A ${kind} of study ${study + 1} is not valid UTF-8. Save the document as UTF-8.`,
      );
    return { kind, key, study, wrapped, text: whole.toString('utf8') };
  }
}

/** Path of the value that comes next; the investigation may stand in a member of that name. */
function below({ list, path, key }: Frame): string | undefined {
  if (path === undefined) return undefined;
  if (path === '' && key === 'investigation' && !list) return '';
  const step = list ? '*' : key;
  return path === '' ? step : `${path}/${step}`;
}

const isScalar = (code: number): boolean => code !== QUOTE && code !== OPEN && code !== OPEN_LIST;

const markLength = (block: Buffer): number => (block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf ? 3 : 0);

const broken = (message: string): RegistryError => new RegistryError('file.not-understood', message);

const misplaced = (code: number): RegistryError =>
  broken(
    `The JSON document is broken: ${JSON.stringify(String.fromCharCode(code))} stands where it cannot. Send it as your program wrote it.`,
  );
