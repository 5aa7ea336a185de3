/** What the columns of a sheet are that no profile reads. */
import { type ColumnKind, columnKind, plainName } from './header-name.js';
import { meantHeader } from './meant-header.js';
import { unitInHeader } from './units.js';

/** Of a sheet without a Sample Name: whether it is a table of ISA-Tab. */
interface Foreign {
  ofIsaTab: boolean;
}

export function chosenKind(
  text: string,
  unknownColumns: 'ignore' | 'characteristics' | 'reject',
  foreign: Foreign | undefined,
): ColumnKind {
  const ours = columnKind(text);
  const isPlain = isPlainUnknown(text) || (foreign !== undefined && isPlainWord(text, foreign));
  if (isPlain && unknownColumns === 'characteristics') return { kind: 'characteristic', name: plainName(text) };
  return foreign && ours.kind === 'name' ? { kind: 'ignored column' } : ours;
}

/** Whether a sheet has protocols, or parameters and factors of one: its dates and people are of these. */
export const isOfIsaTab = (header: readonly string[]): boolean =>
  header.some((text) => columnKind(text).kind === 'owner');

/** A word of ours (`Sample Name`), or one of ISA-Tab (`Date`, `Source Name`) that means nothing of that elsewhere. */
function isPlainWord(text: string, { ofIsaTab }: Foreign): boolean {
  const { kind } = columnKind(text);
  return kind === 'name' || (kind === 'ignored column' && !ofIsaTab && !text.includes('['));
}

/** A header that is no word of ISA-Tab and has not the form of one: `Depth [m]`, `Depth [m] (bottom)`, `Ratio [C/N]`. */
const isPlainUnknown = (text: string): boolean =>
  columnKind(text).kind === 'unknown' &&
  (!text.includes('[') || unitInHeader(text)?.marked === true || !isOfForm(text));

/** `Material[x]`, also as pandas and R number it; `Factor Value [EF1](Prognosis)`; `Charateristics [age]`, which is probably meant for one. */
const isOfForm = (text: string): boolean =>
  OF_FORM.test(text.trim()) ||
  columnKind(text.slice(0, text.lastIndexOf(']') + 1)).kind === 'owner' ||
  meantHeader(text) !== undefined;
const OF_FORM = /^[^[\]]*[^[\]\s]\[\s*[^[\]\s][^[\]]*\](?:\.\d{1,5})?$/;
