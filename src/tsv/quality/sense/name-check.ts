/**
 * Rows that are no samples: notes and sums that people write below a table, its header over again, and the rows of a table that
 * has its samples in columns.
 */
import type { CheckedSheet } from '../../../registry/checklist.js';
import { isColumnName } from '../../header/turned-table.js';
import { saysForm, unitOf } from '../../header/units.js';
import { saysNoValue } from '../../propose/column-values.js';
import { saysName, wordsOf } from '../../propose/header-words.js';
import type { Finding, SenseCheck, SenseRow } from './finding.js';

const NOTE_WORDS =
  'foot ?notes?|notes?|n\\. ?b\\.?|remarks?|comments?|legend|key|sources?|source of data|data from|abbreviations?|disclaimer|see also|protocols?|(?:raw|processed data) files|paired-end experiments|bemerkung(?:en)?|anmerkung(?:en)?|hinweise?|quellen?|legende|remarques?|nota|notas|observaciones|fuente';
/** A word that begins a note, and what it says. */
const NOTE = new RegExp(`^(?:${NOTE_WORDS})\\s*(?::|$)`, 'i');
/** What programs write below a table that they print: `-- end of report --`, `Printed on …`, `Page 1 of 2`. */
const PRINTED =
  /^\W*(?:end of (?:the )?(?:report|file|list|table|data|export|document)|(?:printed|exported|generated|created|downloaded)(?::| (?:on|by|at|from|with|\d)).*|(?:report|file|list|data) (?:printed|exported|generated|created) .*|(?:page|seite) \d+(?: (?:of|von|\/) \d+)?|\(?\d+ (?:records?|entries|results?|items?|rows?|samples?|specimens?|lines?)(?: (?:found|listed|in (?:total|set)|exported|returned|selected|affected|fetched|retrieved|shown|displayed|printed))?\)?|confidential|©.*|\(c\) .*)\W*$/i;
/** What an abbreviation or a colour means: `M = male, F = female`, `Yellow cells: to be measured`. */
const MEANING = /^(?:\S{1,3}(?: ?=|: )|\w+ (?:cells?|rows?|fields?|columns?) ?[=:]) ?\S/i;
/** Above the samples of a template: one that is made up. */
const EXAMPLE = /^(?:e\. ?g\.|for example\b|(?:example|z\. ?b\.|beispiel|exemple|ejemplo)(?:$|:| ?\())/i;
/** A sign of a footnote before words, or a sentence. */
const SENTENCE = /^(?:[*†‡§]+|\(\w\)|\[\w\])\s*\S+\s\S|^\p{Lu}\S*(?:\s+\S+){5,}$/u;
const DONE =
  'signed|checked|approved|reviewed|verified|prepared|analy[sz]ed|measured|tested|recorded|entered|geprüft|erstellt|bearbeitet|gemessen|freigegeben|unterschrieben|vérifié|signé|mesuré';
const FORM_WORDS =
  'operators?|analysts?|technicians?|signatures?|instruments?|devices?|serial (?:no\\.?|number)|software(?: version)?|firmware|methods?|date|time|user(?: name)?|file(?: name)?|laboratory|contact|bearbeiter(?:in)?|prüfer(?:in)?|laborleit(?:er|ung)|labor|unterschrift|gerät|seriennummer|methode|datum|uhrzeit|datei|opérateur|appareil|méthode|fichier|fecha|equipo|firma';
/** What forms and instruments write below a table: `Checked by: M. Müller`, `Date: 2024-03-12`. */
const OF_FORM = new RegExp(`^(?:(?:${DONE})(?: (?:by|on|at|von|am|par|le))?|${FORM_WORDS}) ?: ?\\S`, 'i');
const SUM_WORDS =
  '(?:grand |sub[ -]?|over)?(?:total|sum|all)|summary|mean|average|avg\\.?|median|mode|count|variance|std\\.?(?: ?dev(?:iation)?\\.?)?|standard (?:deviation|error)|s\\.?d\\.?|s\\.?e\\.?m\\.?|min(?:imum)?\\.?|max(?:imum)?\\.?|range|(?:gesamt)?summe|gesamt|insgesamt|mittelwert|durchschnitt|somme|moyenne|suma|promedio|totale?';
const SUM = new RegExp(
  `^(?:(?:${SUM_WORDS})(?:\\s*\\((?:n|sum|total)\\))?(?:\\s+(?:number\\s+)?(?:of\\s+)?(?:the\\s+)?(?:samples?|rows?|n|proben|echantillons|muestras))?\\s*[:=]?\\s*[\\d.,]*|n\\s*=\\s*\\d+|\\d+\\s+(?:samples?|rows?)(?:\\s+in\\s+total)?)\\s*$`,
  'i',
);
const NUMBER = /^[-+]?[\d.,\s]*\d%?$|^#[A-Z/0!?]+$/;

const isBare = (packed: string): boolean => !/[^\t]/.test(packed);
/** Numbers, and the units of these. */
const isCounted = (packed: string): boolean =>
  packed.split('\t').every((cell) => cell === '' || NUMBER.test(cell) || unitOf(cell) !== undefined);

/** In a few languages: looked for before a name is taken apart for it. */
const SPEAKS_OF_SAMPLES = /sample|specimen|proben?|muestra|chantillon|campione|amostra/i;
const HEADER_LETTERS = 60;
/** `Probenname`, `Sample ID`; a sample may be called `Sample` alone. */
const isHeader = (name: string): boolean => {
  if (name.length > HEADER_LETTERS || !SPEAKS_OF_SAMPLES.test(name)) return false;
  const words = wordsOf(name);
  return saysName(words) && !ALONE.test(words);
};
const ALONE = /^\S*(?:samples?|specimen|proben?|muestra|echantillon|campione|amostra)$/;

type Verdict = (name: string, packed: string) => boolean;

const NOTES = [NOTE, SENTENCE, PRINTED, MEANING, OF_FORM];
const saysNote = (name: string): boolean => NOTES.some((pattern) => pattern.test(name));
const isNote: Verdict = (name, packed) => saysNote(name) && isBare(packed);
const isSum: Verdict = (name, packed) => SUM.test(name) && isCounted(packed);

/** Most names: one word with a digit. Nothing else is tried on them. */
const CODE = /^[^\s:=[(\d]*\d\S*$/;
const LONGEST = 300;

/** What is tried: nothing of a code, and no two blanks in a row, of which patterns could try every share. */
const triedOf = (name: string): string =>
  name.length > LONGEST || CODE.test(name) ? '' : name.replace(/\s+/g, ' ').trim();

export class NameCheck implements SenseCheck {
  readonly wanted = [];
  /** A row before had a value beside its name: in a sheet of names alone, a name is all that a sample has. */
  #values = false;
  readonly #own: string;

  constructor(name: CheckedSheet['name']) {
    this.#own = name.column.trim().toLowerCase();
  }

  /** Whether a row of this name has to be looked at. */
  concerns(name: string): boolean {
    const text = triedOf(name);
    return (
      text !== '' &&
      (saysNote(text) ||
        SUM.test(text) ||
        EXAMPLE.test(text) ||
        saysNoValue(text) ||
        isColumnName(text) ||
        saysForm(text) ||
        isHeader(text) ||
        this.#isOwn(text))
    );
  }

  learn({ packed }: SenseRow): void {
    this.#values ||= !isBare(packed);
  }

  look({ name, packed }: SenseRow, found: Finding[]): void {
    const text = triedOf(name);
    const what = text === '' ? undefined : this.#whatOf(text, packed);
    if (what) found.push({ code: 'suspect.name', cell: -1, value: name, what });
  }

  #isOwn(name: string): boolean {
    return name.length === this.#own.length && name.toLowerCase() === this.#own;
  }

  #whatOf(name: string, packed: string): string | undefined {
    if (this.#isOwn(name)) return 'is the header over again; delete the row if it is no sample';
    if (saysNoValue(name))
      return 'is what programs and people write where there is no value: give the sample a name, or delete the row if it is no sample';
    if (isColumnName(name))
      return 'is what columns are called: delete the row if it is no sample; if the samples of this table stand side by side, turn it so that each has a row';
    if (saysForm(name)) return 'is what columns hold: delete the row if it is no sample';
    if (isHeader(name))
      return 'reads like a header, perhaps in another language than the one above: delete the row if it is no sample';
    if (EXAMPLE.test(name))
      return 'reads like an example of how the table is filled: delete the row if it is no sample';
    if (!this.#values) return undefined;
    if (isNote(name, packed)) return 'reads like a note beside the table: begin its line with `#` if it is no sample';
    if (isSum(name, packed)) return 'reads like a sum of the table: delete the row if it is no sample';
    return undefined;
  }
}
