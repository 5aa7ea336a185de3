/** Comments on cells, as far as somebody is to be asked about them: not those that the service has made itself. */
import { AUTHOR } from './author.js';
import { placeOf } from './cell-links.js';
import type { ColumnNotes } from './cell-notes.js';
import type { XmlHandler } from './xml.js';

/** Characters of a comment that are looked at. */
const LETTERS = 1000;
/** What Excel writes into comments that are answered, for programs that do not know them. */
const ANSWERED = /^\[Threaded comment\][\s\S]*?\nComment:\s*/;

/** What it says; undefined where it is ours or says nothing. */
export function saidIn(text: string, author: string): string | undefined {
  const said = text.replace(ANSWERED, '').trim();
  return said === '' || author.trim() === AUTHOR ? undefined : said;
}

/** Those of a sheet of an .xlsx workbook, a part of their own. */
export class CommentsReader implements XmlHandler {
  readonly #authors: string[] = [];
  #text = '';
  #reading: 'author' | 't' | undefined;
  #place: { row: number; column: number } | undefined;
  #author = '';

  constructor(private readonly notes: ColumnNotes) {}

  open(name: string, { ref = '', authorId = '' }: Record<string, string>): void {
    if (name === 'author' || name === 't') this.#reading = name;
    if (name === 'author' || name === 'comment') this.#text = '';
    if (name !== 'comment') return;
    this.#place = placeOf(ref);
    this.#author = this.#authors[Number(authorId)] ?? '';
  }

  close(name: string): void {
    if (name === this.#reading) this.#reading = undefined;
    if (name === 'author') this.#authors.push(this.#text);
    if (name !== 'comment' || this.#place === undefined) return;
    const said = saidIn(this.#text, this.#author);
    if (said !== undefined) this.notes.add(this.#place.row, this.#place.column, said);
  }

  text(text: string): void {
    if (this.#reading && this.#text.length < LETTERS) this.#text += text;
  }
}

/** One that stands in a cell of an OpenDocument: who has written it, and paragraphs. */
export class AnnotationReader {
  #creator = '';
  #text = '';
  #reading: 'creator' | 'p' | undefined;

  open(name: string): void {
    if (name === 'p' && this.#text !== '') this.#text += '\n';
    if (name === 'creator' || name === 'p') this.#reading = name;
  }

  close(name: string): void {
    if (name === this.#reading) this.#reading = undefined;
  }

  text(text: string): void {
    if (this.#reading === 'creator') this.#creator += text;
    else if (this.#reading === 'p' && this.#text.length < LETTERS) this.#text += text;
  }

  said(): string | undefined {
    return saidIn(this.#text, this.#creator);
  }
}
