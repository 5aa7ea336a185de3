/** Rows right below a header that say of its columns what they hold and whether they must be filled: `required, optional`, `text, number`. */
import { saysNoUnit } from './units.js';

const REQUIREMENT =
  /^(?:required|mandatory|optional|recommended|preferred|conditional(?:ly)?(?: (?:required|mandatory))?|not (?:required|mandatory)|pflicht(?:feld)?|optionell)$/i;
/** These stand in the cells of samples, too. */
const NO_VALUE = /^(?:-|n\/?a|none)$/i;

export const saysRequired = (text: string): boolean => REQUIREMENT.test(text.trim());

/** As MIxS writes what a column holds: `{text}`, `{float} m`. */
const PLACE = /^\{[^{}]+\}/;

const saysForm = (text: string): boolean => PLACE.test(text) || (saysNoUnit(text) && !NO_VALUE.test(text));

/**
 * Whether the row holds such words and nothing else, two at least. Words of one form alone (`text, text`) may be what somebody tries out.
 * @param names its cells in the columns that name the samples: they say what a name is, too
 */
export function saysOfColumns(cells: readonly string[], names: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '' && !NO_VALUE.test(text));
  const said = [...names, ...texts].map((text) => text.trim());
  if (names.length === 0 || texts.length < 2 || !said.every((text) => REQUIREMENT.test(text) || saysForm(text)))
    return false;
  return texts.some((text) => REQUIREMENT.test(text)) || new Set(texts.map((text) => text.toLowerCase())).size > 1;
}

/** Whether a row of units may have this in place of a name. */
export const isNoName = (text: string): boolean => /^(?:units?)?$/i.test(text.trim()) || saysNoUnit(text);
