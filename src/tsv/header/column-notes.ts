/**
 * What forms print beside and below a header to say what its columns hold and whether they must be filled: marks in it (`Sample Name*`, `*Organism`,
 * `Tissue (optional)`), and rows right below it (`required, optional`, `text, number`).
 */
import { saysNoUnit } from './units.js';

/** Of an expression. */
export const REQUIREMENTS =
  'required|mandatory|optional|recommended|preferred|conditional(?:ly)?(?: (?:required|mandatory))?|not (?:required|mandatory)|pflicht(?:feld)?|optionell';
const REQUIREMENT = new RegExp(`^(?:${REQUIREMENTS})$`, 'i');
const BEHIND = new RegExp(`\\s*\\((?:${REQUIREMENTS})\\)$`, 'i');
const STARS = '*＊';
/** Longer texts are no headers of a form. */
const LONGEST = 300;

export const saysRequired = (text: string): boolean => REQUIREMENT.test(text.trim());

/** The header without such marks, trimmed; with them where nothing else stands there. */
export function withoutMark(header: string): string {
  const text = header.trim();
  if (text.length > LONGEST || !mayBeMarked(text)) return text;
  const left = withoutStars(withoutStars(text).replace(BEHIND, ''));
  return left || text;
}

/** A row of a table may have thousands of cells that are not. */
function mayBeMarked(text: string): boolean {
  const last = text.at(-1);
  return isStar(text[0]) || isStar(last) || last === ')';
}

function withoutStars(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isStar(text[from])) from++;
  while (to > from && isStar(text[to - 1])) to--;
  return text.slice(from, to).trim();
}

const isStar = (letter = ''): boolean => letter !== '' && STARS.includes(letter);

/** These stand in the cells of samples, too. */
const NO_VALUE = /^(?:-|n\/?a|none)$/i;

/** As MIxS writes what a column holds: `{text}`, `{float} m`; in a row that begins so, `[blood|serum]`, too. */
const PLACE = /^\{[^{}]+\}/;
const CHOICE = /^\[[^[\]]+\]/;

const saysWhat = (text: string): boolean => PLACE.test(text) || (saysNoUnit(text) && !NO_VALUE.test(text));

/** What stands in the column of names of a row of forms; `q2:types` where QIIME 2 wants `#q2:types`. */
const OF_FORMS = /^#?(?:q2:types|(?:(?:data|column) ?)?types?)$/i;

/** Fewer cells of one kind may be what a sample has. */
const FEWEST_CODES = 3;
const CODE = /^([a-z][\w.-]*:)\S*$/i;

/** Whether the row has the numbers of its columns in a dictionary and nothing else: `CDE_ID:2003301, CDE_ID:`. */
function areCodes(texts: readonly string[], names: readonly string[]): boolean {
  if (texts.length < FEWEST_CODES) return false;
  const kindOf = (text: string | undefined): string | undefined => CODE.exec(text?.trim() ?? '')?.[1];
  const kind = kindOf(texts[0]);
  return kind !== undefined && [...texts, ...names].every((text) => kindOf(text) === kind);
}

const areForms = (texts: readonly string[], names: readonly string[]): boolean =>
  names.every((text) => OF_FORMS.test(text.trim())) && texts.every((text) => OF_FORMS.test(text) || saysNoUnit(text));

/**
 * Whether the row holds such words, or such codes, and nothing else, two at least. Words of one form alone (`text, text`) may be what somebody tries out.
 * @param names its cells in the columns that name the samples: they say what a name is, too
 */
export function saysOfColumns(cells: readonly string[], names: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '' && !NO_VALUE.test(text));
  if (names.length > 0 && areCodes(texts, names)) return true;
  if (names.length > 0 && texts.length > names.length && areForms(texts, names)) return true;
  const said = [...names, ...texts].map((text) => text.trim());
  const holdsPlaces = names.some((text) => PLACE.test(text.trim()));
  const isSaid = (text: string): boolean => saysRequired(text) || saysWhat(text) || (holdsPlaces && CHOICE.test(text));
  if (names.length === 0 || texts.length < 2 || !said.every(isSaid)) return false;
  return texts.some((text) => saysRequired(text)) || new Set(texts.map((text) => text.toLowerCase())).size > 1;
}

/** Whether a row of units may have this in place of a name. */
export const isNoName = (text: string): boolean => /^(?:units?)?$/i.test(text.trim()) || saysNoUnit(text);
