/** Rows right below a header that say of its columns what they hold and whether they must be filled: `required, optional`, `text, number`. */
import { saysNoUnit } from './units.js';

const REQUIREMENT =
  /^(?:required|mandatory|optional|recommended|preferred|conditional(?:ly)?(?: (?:required|mandatory))?|not (?:required|mandatory)|pflicht(?:feld)?|optionell)$/i;
/** These stand in the cells of samples, too. */
const NO_VALUE = /^(?:-|n\/?a|none)$/i;

export const saysRequired = (text: string): boolean => REQUIREMENT.test(text.trim());

/** As MIxS writes what a column holds: `{text}`, `{float} m`; in a row that begins so, `[blood|serum]`, too. */
const PLACE = /^\{[^{}]+\}/;
const CHOICE = /^\[[^[\]]+\]/;

const saysWhat = (text: string): boolean => PLACE.test(text) || (saysNoUnit(text) && !NO_VALUE.test(text));

/** Fewer cells of one kind may be what a sample has. */
const FEWEST_CODES = 3;
const CODE = /^([a-z][\w.-]*:)\S*$/i;

/** Whether the row has the numbers of its columns in a dictionary and nothing else: `CDE_ID:2003301, CDE_ID:`. */
function areCodes(texts: readonly string[], names: readonly string[]): boolean {
  const kinds = new Set([...names, ...texts].map((text) => CODE.exec(text.trim())?.[1]));
  return texts.length >= FEWEST_CODES && kinds.size === 1 && !kinds.has(undefined);
}

/**
 * Whether the row holds such words, or such codes, and nothing else, two at least. Words of one form alone (`text, text`) may be what somebody tries out.
 * @param names its cells in the columns that name the samples: they say what a name is, too
 */
export function saysOfColumns(cells: readonly string[], names: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '' && !NO_VALUE.test(text));
  if (names.length > 0 && areCodes(texts, names)) return true;
  const said = [...names, ...texts].map((text) => text.trim());
  const holdsPlaces = names.some((text) => PLACE.test(text.trim()));
  const isSaid = (text: string): boolean =>
    REQUIREMENT.test(text) || saysWhat(text) || (holdsPlaces && CHOICE.test(text));
  if (names.length === 0 || texts.length < 2 || !said.every(isSaid)) return false;
  return texts.some((text) => REQUIREMENT.test(text)) || new Set(texts.map((text) => text.toLowerCase())).size > 1;
}

/** Whether a row of units may have this in place of a name. */
export const isNoName = (text: string): boolean => /^(?:units?)?$/i.test(text.trim()) || saysNoUnit(text);
