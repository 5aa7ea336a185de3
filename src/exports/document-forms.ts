/**
 * Of a million samples of one sheet the documents differ in their cells only, so that for each layout the document is made
 * once, by the rule that makes it for one sample, with marks where the values of a row come, and cut at the marks.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { formatAccession } from '../registry/accession.js';
import { formatDateTime } from '../registry/date-time.js';
import { contentOf } from '../registry/samples/decide.js';
import { CELL_SEPARATOR, type SampleLayout } from '../registry/samples/packed-sample.js';
import type { ShownRecord } from '../registry/samples/sample-reader.js';
import type { ResultRow } from '../registry/samples/whole-result.js';

/** Characters of forms that are kept: a form for each set of filled cells and of terms that rows of a layout have. */
const KEPT = 4_000_000;

/** The text of a document before, between and after its values, in UTF-8, and which values those are. */
export interface DocumentForm {
  texts: Uint8Array[];
  /** Positions in the values of a row: its cells, name, accession, and when it is released, was updated, submitted and created. */
  places: number[];
  /** Bytes of the texts, and how often the value stands in it that stands there most often. */
  size: number;
  repeats: number;
}

export interface FormSettings {
  prefix: string;
  /** Milliseconds since 1970 by which a release is past or to come. */
  now: number;
  /** What readers see of a sample. */
  document(record: ShownRecord): object;
}

export class DocumentForms {
  readonly #terms = new WeakMap<SampleLayout, boolean[]>();
  readonly #forms = new Map<SampleLayout, Map<string, DocumentForm>>();
  #kept = 0;

  constructor(private readonly settings: FormSettings) {}

  /** A form fits all rows with these members, these terms and text in the same cells. */
  formOf(row: ResultRow, layout: SampleLayout): DocumentForm {
    const cells = row.doc.split(CELL_SEPARATOR);
    const isTerm = this.termsOf(layout);
    let key = `${row.account}\t${row.via}\t${row.adminStatus ?? ''}\t${row.release <= this.settings.now}`;
    for (let at = 0; at < layout.cells; at++) {
      const cell = cells[at];
      key += isTerm[at] ? `\t${cell ?? ''}` : cell ? '\t1' : '\t0';
    }
    return this.#forms.get(layout)?.get(key) ?? this.#keep(layout, key, this.#made(row, layout, cells, isTerm));
  }

  /** The form with these values for its last places: when a row was updated, submitted and created. */
  withDates(form: DocumentForm, layout: SampleLayout, dates: readonly Uint8Array[]): DocumentForm {
    const first = layout.cells + 3;
    const texts: Uint8Array[] = [];
    const places: number[] = [];
    let text: Uint8Array[] = [];
    form.texts.forEach((before, nth) => {
      const place = form.places[nth];
      text.push(before);
      const date = place === undefined ? undefined : dates[place - first];
      if (date) text.push(date);
      else {
        texts.push(Buffer.concat(text));
        if (place !== undefined) places.push(place);
        text = [];
      }
    });
    return formOfTexts(texts, places);
  }

  /** Which cells are terms: a document shows them joined, and what they imply. */
  termsOf(layout: SampleLayout): boolean[] {
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

  #keep(layout: SampleLayout, key: string, form: DocumentForm): DocumentForm {
    this.#kept += form.size + key.length;
    if (this.#kept > KEPT) {
      this.#forms.clear();
      this.#kept = 0;
    }
    const forms = this.#forms.get(layout) ?? new Map<string, DocumentForm>();
    this.#forms.set(layout, forms.set(key, form));
    return form;
  }

  /** The document of the row with marks for values, cut at the marks. */
  #made(row: ResultRow, layout: SampleLayout, cells: readonly string[], isTerm: readonly boolean[]): DocumentForm {
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
    const { account, via, adminStatus } = row;
    const sample: ResultRow = {
      id: 2 ** 52 + randomInt(2 ** 47),
      account,
      name: mark(layout.cells),
      release: released ? time(before) : time(after),
      via,
      created: time(before),
      updated: time(before),
      submitted: time(before),
      adminStatus,
      layout,
      doc: marked.join(CELL_SEPARATOR),
    };
    const marks = [
      ...marked.map((text, at) => (text === mark(at) ? text : undefined)),
      sample.name,
      formatAccession(this.settings.prefix, sample.id),
      ...[sample.release, sample.updated, sample.submitted ?? 0, sample.created].map(formatDateTime),
    ];
    return cut(`${JSON.stringify(this.settings.document(recordOf(sample)))}\n`, marks);
  }
}

function cut(text: string, marks: readonly (string | undefined)[]): DocumentForm {
  const texts: Uint8Array[] = [];
  const found: number[] = [];
  const places = new Map(marks.flatMap((mark, at) => (mark === undefined ? [] : [[mark, at] as const])));
  const any = new RegExp([...places.keys()].map((mark) => mark.replaceAll('.', '\\.')).join('|'), 'g');
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(any)) {
    texts.push(Buffer.from(text.slice(from, index)));
    found.push(places.get(mark) as number);
    from = index + mark.length;
  }
  texts.push(Buffer.from(text.slice(from)));
  return formOfTexts(texts, found);
}

const formOfTexts = (texts: Uint8Array[], places: number[]): DocumentForm => ({
  texts,
  places,
  size: texts.reduce((sum, { length }) => sum + length, 0),
  repeats: Math.max(0, ...places.map((place) => places.filter((other) => other === place).length)),
});

/** What readers see a document of. */
export function recordOf(row: ResultRow): ShownRecord {
  const { id, account, name, release, via, created, updated, submitted, adminStatus, layout, doc } = row;
  const sample = {
    id,
    account,
    name,
    release,
    via,
    created,
    updated,
    content: contentOf({ layout, doc }),
    ...(adminStatus === undefined ? {} : { adminStatus }),
    ...(submitted === undefined ? {} : { submitted }),
  };
  return { sample, curationLinks: row.curationLinks ?? [], structuredData: row.structuredData ?? [] };
}
