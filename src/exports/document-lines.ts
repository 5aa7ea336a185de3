/**
 * Whole results as NDJSON. Of a million samples of one sheet the documents differ in their cells only, so that for each
 * layout the document is made once, by the rule that makes it for one sample, with marks where the values of a row come;
 * a row is then the text between the marks and its own values. Measured per row: 6 µs where making and printing each
 * document takes 40.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { formatAccession } from '../registry/accession.js';
import { formatDateTime } from '../registry/date-time.js';
import { contentOf } from '../registry/decide.js';
import { CELL_SEPARATOR, type SampleLayout } from '../registry/packed-sample.js';
import type { ShownRecord } from '../registry/sample-reader.js';
import type { ResultRow } from '../registry/whole-result.js';
import { DateTexts } from './date-texts.js';

/**
 * Not what JSON leaves as it is, or a TAB, which stands between cells. Pairs of surrogates are left as they are, too, but
 * seldom enough for the rule.
 */
const ESCAPED = /[^\t !#-[\]-\ud7ff\ue000-\uffff]/;
/** Characters of forms that are kept: a form for each set of filled cells and of terms that rows of a layout have. */
const KEPT = 4_000_000;

/** The text of a document before, between and after its values, and which values those are. */
interface Form {
  texts: string[];
  /** Positions in the values of a row: its cells, name, accession, and when it is released, was updated, submitted and created. */
  places: number[];
}

/** The row before, of which the next one mostly has the form: to see that takes 1 µs less than to spell the key of its form. */
interface LastRow {
  row: ResultRow;
  released: boolean;
  cells: readonly string[];
  form: Form;
}

export class DocumentLines {
  #last: LastRow | undefined;
  readonly #dates = new DateTexts();
  readonly #terms = new WeakMap<SampleLayout, boolean[]>();
  readonly #forms = new Map<SampleLayout, Map<string, Form>>();
  #kept = 0;

  constructor(
    private readonly settings: {
      prefix: string;
      /** Milliseconds since 1970 by which a release is past or to come. */
      now: number;
      /** What readers see of a sample. */
      document(record: ShownRecord): object;
    },
  ) {}

  /** With its line end. */
  line(row: ResultRow): string {
    return this.#filled(row) ?? `${JSON.stringify(this.settings.document(recordOf(row)))}\n`;
  }

  #filled(row: ResultRow): string | undefined {
    const { layout, doc, name } = row;
    if (!layout || row.curationLinks || row.structuredData || ESCAPED.test(doc) || ESCAPED.test(name)) return undefined;
    if (name.includes(CELL_SEPARATOR)) return undefined;
    const values = doc.split(CELL_SEPARATOR);
    const { texts, places } = this.#formOf(row, layout, values);
    while (values.length < layout.cells) values.push('');
    values.push(
      name,
      formatAccession(this.settings.prefix, row.id),
      this.#dates.text(row.release),
      this.#dates.text(row.updated),
      this.#dates.text(row.submitted ?? row.created),
      this.#dates.text(row.created),
    );
    let line = texts[0] as string;
    for (let at = 0; at < places.length; at++) {
      line += values[places[at] as number] as string;
      line += texts[at + 1] as string;
    }
    return line;
  }

  /** A form fits all rows with these members, these terms and text in the same cells. */
  #formOf(row: ResultRow, layout: SampleLayout, cells: readonly string[]): Form {
    const released = row.release <= this.settings.now;
    const last = this.#last;
    const isTerm = this.#termsOf(layout);
    if (last?.released === released && sameMembers(last.row, row) && sameForm(last.cells, cells, isTerm))
      return last.form;
    const form = this.#formOfKey(row, layout, cells, { isTerm, released });
    this.#last = { row, released, cells: cells.slice(0, layout.cells), form };
    return form;
  }

  /** Has to tell apart what `sameMembers` and `sameForm` tell apart. */
  #formOfKey(
    row: ResultRow,
    layout: SampleLayout,
    cells: readonly string[],
    { isTerm, released }: { isTerm: readonly boolean[]; released: boolean },
  ): Form {
    let key = `${row.account}\t${row.via}\t${row.adminStatus ?? ''}\t${released}`;
    for (let at = 0; at < layout.cells; at++) {
      const cell = cells[at];
      key += isTerm[at] ? `\t${cell ?? ''}` : cell ? '\t1' : '\t0';
    }
    return this.#forms.get(layout)?.get(key) ?? this.#keep(layout, key, this.#made(row, layout, cells, isTerm));
  }

  #keep(layout: SampleLayout, key: string, form: Form): Form {
    this.#kept += form.texts.reduce((sum, text) => sum + text.length, key.length);
    if (this.#kept > KEPT) {
      this.#forms.clear();
      this.#kept = 0;
    }
    const forms = this.#forms.get(layout) ?? new Map<string, Form>();
    this.#forms.set(layout, forms.set(key, form));
    return form;
  }

  /** The document of the row with marks for values, cut at the marks. */
  #made(row: ResultRow, layout: SampleLayout, cells: readonly string[], isTerm: readonly boolean[]): Form {
    // Nobody can have written into a term or a layout what is drawn now.
    const drawn = randomBytes(12).toString('hex');
    const mark = (at: number): string => `${drawn}.${at}.`;
    const marked = Array.from({ length: layout.cells }, (_, at) => {
      const cell = cells[at] ?? '';
      return isTerm[at] || cell === '' ? cell : mark(at);
    });
    const before = Date.UTC(1000, 0);
    const after = Date.UTC(9000, 0);
    const time = (from: number): number => from + randomInt(2 ** 44);
    const released = row.release <= this.settings.now;
    const sample = {
      ...row,
      name: mark(layout.cells),
      id: 2 ** 52 + randomInt(2 ** 47),
      release: released ? time(before) : time(after),
      updated: time(before),
      submitted: time(before),
      created: time(before),
      doc: marked.join(CELL_SEPARATOR),
    };
    const marks = [
      ...marked.map((text, at) => (text === mark(at) ? text : undefined)),
      sample.name,
      formatAccession(this.settings.prefix, sample.id),
      ...[sample.release, sample.updated, sample.submitted, sample.created].map(formatDateTime),
    ];
    return cut(`${JSON.stringify(this.settings.document(recordOf(sample)))}\n`, marks);
  }

  /** Which cells are terms: a document shows them joined, and what they imply. */
  #termsOf(layout: SampleLayout): boolean[] {
    let terms = this.#terms.get(layout);
    if (!terms) {
      terms = Array.from({ length: layout.cells }, () => false);
      for (const { terms: own = [], unitTerms = [] } of layout.characteristics) {
        for (const cell of [...own, ...unitTerms].flatMap(({ source, accession }) => [source, accession])) {
          if (cell !== undefined) terms[cell] = true;
        }
      }
      this.#terms.set(layout, terms);
    }
    return terms;
  }
}

const sameMembers = (one: ResultRow, other: ResultRow): boolean =>
  one.layout === other.layout &&
  one.account === other.account &&
  one.via === other.via &&
  one.adminStatus === other.adminStatus;

/** Whether the same cells are filled, and those of terms alike; absent ones are empty. */
function sameForm(one: readonly string[], other: readonly string[], isTerm: readonly boolean[]): boolean {
  for (let at = 0; at < isTerm.length; at++) {
    const [before, now] = [one[at] ?? '', other[at] ?? ''];
    if (isTerm[at] ? before !== now : (before === '') !== (now === '')) return false;
  }
  return true;
}

function cut(text: string, marks: readonly (string | undefined)[]): Form {
  const form: Form = { texts: [], places: [] };
  const places = new Map(marks.flatMap((mark, at) => (mark === undefined ? [] : [[mark, at] as const])));
  const any = new RegExp([...places.keys()].map((mark) => mark.replaceAll('.', '\\.')).join('|'), 'g');
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(any)) {
    form.texts.push(text.slice(from, index));
    form.places.push(places.get(mark) as number);
    from = index + mark.length;
  }
  form.texts.push(text.slice(from));
  return form;
}

/** What readers see a document of. */
export function recordOf({ layout, doc, curationLinks = [], structuredData = [], ...shown }: ResultRow): ShownRecord {
  const { adminStatus, submitted, ...rest } = shown;
  const sample = {
    ...rest,
    content: contentOf({ layout, doc }),
    ...(adminStatus === undefined ? {} : { adminStatus }),
    ...(submitted === undefined ? {} : { submitted }),
  };
  return { sample, curationLinks, structuredData };
}
