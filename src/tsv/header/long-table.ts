/** Tables that have a row for each value: what a sample is said to have in one column, how much of it in another. */
import type { HeadRow } from '../bytes/head-rows.js';
import { fold } from '../dialect.js';

/** As `fold` makes them. */
const WHAT =
  /^(?:attribute|property|characteristic|field|variable|parameter|measurement|analyte|key|tag|feature|merkmal|eigenschaft)(?:name|type|key|tag)?$/;
const VALUE =
  /^(?:(?:attribute|property|characteristic|field|variable|parameter|measurement|tag)?value|wert|valeur|valor)$/;

const LOOKED_AT = 200;

/** The two columns, where samples are named once for each thing that is said of them. */
export function longForm(
  header: readonly string[],
  rows: Iterable<HeadRow>,
  nameColumn: number,
): { what: number; value: number } | undefined {
  const folded = header.map(fold);
  const what = folded.findIndex((text) => WHAT.test(text));
  const value = folded.findIndex((text) => VALUE.test(text));
  if (what < 0 || value < 0) return undefined;
  const said = new Map<string, Set<string>>();
  let seen = 0;
  for (const { cells } of rows) {
    const [name = '', of = ''] = [cells[nameColumn]?.trim(), cells[what]?.trim()];
    if (name !== '' && of !== '') said.set(name, (said.get(name) ?? new Set()).add(of));
    if (++seen === LOOKED_AT) break;
  }
  return [...said.values()].some((of) => of.size > 1) ? { what, value } : undefined;
}
