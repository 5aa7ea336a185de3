/** Tables that have a row for each value: what a sample is said to have in one column, how much of it in another. */
import { RegistryError } from '../../registry/errors.js';
import { shorten } from '../../registry/row-issue.js';
import { fold } from '../dialect.js';

interface Words {
  what: RegExp;
  value: RegExp;
}

/** As `fold` makes them. The first say by themselves that a table is long. */
const SURE: Words = {
  what: /^(?:attribute|property|characteristic|field|variable|parameter|parametre|parametro|measure|measurement|determinand|analyte|key|tag|feature|merkmal|eigenschaft)(?:name|type|key|tag)?$/,
  value:
    /^(?:(?:attribute|property|characteristic|field|variable|parameter|measurement|tag|result)?value|wert|messwert|valeur|valor|result|resultado|ergebnis)$/,
};
/** What may be said of a sample once, too: its gene, its species, a count. */
const LIKELY: Words = {
  what: /^(?:analysis|test|assay|analyte|feature|gene|transcript|protein|peptide|metabolite|compound|cytokine|antigen|target|marker|locus|allele|taxon|species|otu|asv)(?:name|id|symbol|code)?$/,
  value:
    /^(?:value|result|counts?|reads?|readcounts?|abundance|expression|intensity|concentration|[tfrc]pkm|[tc]pm|c[tq])$/,
};

/** Rows that are looked at: tables of counts have all samples of one gene in a row, or all genes of one sample. */
const LOOKED_AT = 2000;

interface Long {
  what: number;
  value: number;
}

function columnsOf(header: readonly string[], { what, value }: Words): Long | undefined {
  const folded = header.map(fold);
  const found = {
    what: folded.findIndex((text) => what.test(text)),
    value: folded.findIndex((text) => value.test(text)),
  };
  return found.what < 0 || found.value < 0 ? undefined : found;
}

/** How many things are said of each text in the column. */
function saidOf(rows: Iterable<readonly string[]>, of: number, what: number): number[] {
  const said = new Map<string, Set<string>>();
  let seen = 0;
  for (const cells of rows) {
    const [text = '', thing = ''] = [cells[of]?.trim(), cells[what]?.trim()];
    if (text !== '' && thing !== '') said.set(text, (said.get(text) ?? new Set()).add(thing));
    if (++seen === LOOKED_AT) break;
  }
  return [...said.values()].map((things) => things.size);
}

/**
 * The two columns, where samples are named once for each thing that is said of them: one of them, or most where the headers are less sure.
 * Without a column of names, where a thing is said with several values.
 */
function longForm(
  header: readonly string[],
  rows: Iterable<readonly string[]>,
  nameColumn: number | undefined,
): Long | undefined {
  const sure = columnsOf(header, SURE);
  if (nameColumn === undefined)
    return sure && saidOf(rows, sure.what, sure.value).some((values) => values > 1) ? sure : undefined;
  const found = sure ?? columnsOf(header, LIKELY);
  if (found === undefined || nameColumn === found.what) return undefined;
  const said = saidOf(rows, nameColumn, found.what);
  const several = said.filter((things) => things > 1).length;
  return several > (sure ? 0 : said.length / 2) ? found : undefined;
}

/**
 * Of a sample with a row for each of its values one would be registered, and the others refused for its name.
 * @throws RegistryError file.wrong-kind
 */
export function refuseLong(
  { header, headerLine: line }: { header: readonly string[]; headerLine: number },
  rows: Iterable<readonly string[]>,
  nameColumn?: number,
): void {
  const columns = longForm(header, rows, nameColumn);
  if (!columns) return;
  const [what, value] = [header[columns.what], header[columns.value]].map((text) => shorten(text?.trim() ?? ''));
  throw new RegistryError(
    'file.wrong-kind',
    `Line ${line}: this table has a row for each value of a sample, called by "${what}" and given in "${value}". Turn it so that each sample has one row, and what stands in "${what}" is the header of a column (a pivot table, or pivot_wider of R).`,
    { extra: { line } },
  );
}
