/** What a cell of an OpenDocument says: its paragraphs, as they stream by. */
import { addressIn } from '../cell-notes.js';
import { LIMITS } from '../limits.js';
import { mayHaveExponent, withRaised } from '../raised.js';
import { timesOf } from './open-document-values.js';

export class CellText {
  /** The first address that it links to. */
  link: string | undefined;
  #paragraphs: string[] = [];
  #characters = 0;
  #endsInBlank = true;
  /** Of each open part of the paragraph the letter that it begins with where it is raised. */
  #parts: (number | 'plain')[] = [];

  /** `raised`: styles of what is raised. `tooLong`: what is thrown of a text beyond the limit. */
  constructor(
    private readonly raised: ReadonlySet<string>,
    private readonly tooLong: () => Error,
  ) {}

  begin(link: string | undefined): void {
    this.link = link;
    this.#paragraphs = [];
    this.#characters = 0;
  }

  get isEmpty(): boolean {
    return this.#paragraphs.length === 0;
  }

  get text(): string {
    return this.#paragraphs.join('\n');
  }

  openParagraph(): void {
    this.#endsInBlank = true;
    this.#paragraphs.push('');
    this.#characters++;
  }

  openPart(name: string, attributes: Record<string, string>): void {
    const { length } = this.#last;
    const isRaised = name === 'span' && mayHaveExponent(length) && this.raised.has(attributes['text:style-name'] ?? '');
    this.#parts.push(isRaised ? length : 'plain');
    if (name === 'a') this.link ??= addressIn(attributes['xlink:href']);
    else if (name === 's') this.#add(' '.repeat(Math.min(timesOf(attributes['text:c']), LIMITS.cellText)));
    else if (name === 'tab') this.#add('\t');
    else if (name === 'line-break') this.#add('\n');
  }

  /** False where no part is open: it is the paragraph that is closed. */
  closePart(): boolean {
    const from = this.#parts.pop();
    if (typeof from === 'number') this.#last = withRaised(this.#last.slice(0, from), this.#last.slice(from));
    return from !== undefined;
  }

  /** Blanks and ends of lines of the XML are one blank, and none where a paragraph begins or behind another (ODF 1.3, 6.1.2). */
  write(text: string): void {
    const single = text.replace(/[ \t\r\n]+/g, ' ');
    this.#add(this.#endsInBlank && single.startsWith(' ') ? single.slice(1) : single);
    if (single !== '') this.#endsInBlank = single.endsWith(' ');
  }

  get #last(): string {
    return this.#paragraphs.at(-1) as string;
  }

  set #last(text: string) {
    this.#paragraphs[this.#paragraphs.length - 1] = text;
  }

  #add(text: string): void {
    this.#last += text;
    this.#endsInBlank = false;
    this.#characters += text.length;
    if (this.#characters > LIMITS.cellText) throw this.tooLong();
  }
}
