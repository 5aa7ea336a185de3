/** One column → what it is taken for, why, and how sure that is. */
import { parseAccession } from '../../registry/accession.js';
import { fold } from '../dialect.js';
import type { CellReading, ColumnMeaning } from '../header/profile.js';
import { dateForm } from './cell-forms.js';
import * as say from './header-words.js';
import type { Confidence } from './proposal.js';
import { characteristic, type Surroundings, type Taken } from './propose-characteristic.js';
import { MAX_HEADER, type SeenColumn } from './seen-column.js';

const taken = (meaning: ColumnMeaning & CellReading, why: string, confidence: Confidence): Taken => ({
  meaning,
  why,
  confidence,
});

const RULES: ((column: SeenColumn, around: Surroundings) => Taken | undefined)[] = [
  noHeader,
  ownHeader,
  identifier,
  release,
  taxonId,
  term,
  unit,
  relationship,
  nearlyOurs,
  organism,
  reference,
  rowNumber,
  remark,
];

export function takenFor(column: SeenColumn, around: Surroundings): Taken {
  for (const rule of RULES) {
    const found = rule(column, around);
    if (found) return found;
  }
  return characteristic(column, around);
}

function ownHeader({ own, values }: SeenColumn): Taken | undefined {
  if (!own) return undefined;
  if (own.as !== 'release') return taken(own, 'This header means so in any sheet.', 'high');
  const form = dateForm(values, true);
  if (form?.kind === 'form' && form.certain)
    return taken(
      { ...own, date: form.form },
      `This header means so in any sheet; all values are ${form.form}.`,
      'high',
    );
  const sure = values.empty || form?.kind === 'iso';
  const why = sure
    ? 'This header means so in any sheet.'
    : 'This header means so in any sheet, but not all values are dates that can be read in one way.';
  return { ...taken(own, why, sure ? 'high' : 'low'), ...(form?.kind === 'either' ? { dateForms: form.forms } : {}) };
}

function noHeader({ header, values }: SeenColumn): Taken | undefined {
  if (header.length > MAX_HEADER)
    return { why: `Its header is longer than ${MAX_HEADER} characters, so no profile can name it.`, confidence: 'low' };
  if (header !== '') return undefined;
  return values.empty
    ? { why: 'It has no header and no values.', confidence: 'high' }
    : { why: 'It has no header: it is not stored. Give it one to keep its values.', confidence: 'middle' };
}

function identifier({ values, words }: SeenColumn, { prefix }: Surroundings): Taken | undefined {
  if (!values.all((text) => parseAccession(prefix, text) !== undefined)) return undefined;
  if (say.relationshipOf(words) !== undefined || values.distinct.size < values.values.length) return undefined;
  return /accession|identifier|\bid\b|biosample/.test(words)
    ? taken(
        { as: 'identifier' },
        'Its values are accessions of this registry, none twice: its rows update those samples.',
        'middle',
      )
    : undefined;
}

function release({ words, values }: SeenColumn): Taken | undefined {
  if (!say.saysRelease(words)) return undefined;
  const form = dateForm(values, true);
  if (form?.kind === 'iso')
    return taken({ as: 'release' }, 'The header speaks of becoming public, and its values are dates.', 'middle');
  if (form?.kind !== 'form' || !form.certain) return undefined;
  return taken(
    { as: 'release', date: form.form },
    'The header speaks of becoming public, and its values are dates.',
    'middle',
  );
}

function taxonId({ words, values }: SeenColumn, { organisms, byWords }: Surroundings): Taken | undefined {
  if (!say.saysTaxonId(words) || !values.all((text) => /^(?:NCBI(?:Taxon|_taxid)?[:_])?\d+$/i.test(text)))
    return undefined;
  if (say.saysAnyTaxonId(words) && say.BESIDE_OTHER_TAXA.some((other) => byWords.has(other)))
    return taken(
      { as: 'characteristic' },
      'Beside these columns its numbers are of another taxonomy than that of NCBI: kept under its header.',
      'low',
    );
  return taken(
    { as: 'term', of: 'organism' },
    organisms > 0
      ? 'Numbers of the NCBI taxonomy, beside the organism.'
      : 'Numbers of the NCBI taxonomy: they say which organism it is.',
    'high',
  );
}

/** The column that a unit or term is of: the one whose words the header has, else the one on the left. */
function ownerOf(
  column: SeenColumn,
  kind: 'unit' | 'term',
  { columns, byWords }: Surroundings,
): { owner: SeenColumn; named: boolean } | undefined {
  const words = say.ownerIn(say.wordsOf(column.header), kind);
  if (words === undefined) return undefined;
  const named = words === '' ? undefined : byWords.get(words)?.find((other) => other !== column);
  const owner = named ?? (words === '' ? columns[column.at - 1] : undefined);
  return owner && { owner, named: named !== undefined };
}

const ownerName = ({ header }: SeenColumn): { of: string } => ({ of: header });

function term(column: SeenColumn, around: Surroundings): Taken | undefined {
  const found = ownerOf(column, 'term', around);
  if (!found || !column.values.terms) return undefined;
  return taken(
    { as: 'term', ...(found.named ? ownerName(found.owner) : {}) },
    `Its values are terms of an ontology, and the header speaks of ${found.named ? found.owner.header : 'the column on its left'}.`,
    found.named || found.owner.values.values.some((text) => /[a-z]{3}/i.test(text)) ? 'high' : 'middle',
  );
}

function unit(column: SeenColumn, around: Surroundings): Taken | undefined {
  const found = ownerOf(column, 'unit', around);
  if (!found?.owner.values.numeric) return undefined;
  const { units } = column.values;
  if (!units && !column.values.all((text) => text.length <= 20 && !/^\d/.test(text))) return undefined;
  return taken(
    { as: 'unit', ...(found.named ? ownerName(found.owner) : {}) },
    `The header speaks of the unit of ${found.owner.header}, whose values are numbers.`,
    units ? 'high' : 'middle',
  );
}

function relationship(
  { words, values, header, nearly }: SeenColumn,
  { names, prefix }: Surroundings,
): Taken | undefined {
  const type = nearly?.meaning.as === 'relationship' ? nearly.meaning.type : say.relationshipOf(words);
  if (type === undefined || values.empty) return undefined;
  const text = (but: string): Taken =>
    taken(
      { as: 'characteristic', name: header },
      `The header speaks of another sample, but ${but}: kept as text.`,
      'low',
    );
  if (sameTexts(values.values, names)) return text('each of its values is the name of the sample itself');
  const here = values.values.filter((value) => names.has(value)).length;
  if (!values.all((value) => names.has(value) || parseAccession(prefix, value) !== undefined))
    return text('some of its values are neither names of this sheet nor accessions of this registry');
  const others = here === 0 ? 'accessions of samples' : 'names of samples of this sheet or accessions';
  return taken(
    { as: 'relationship', type },
    `Its values are ${here === values.values.length ? 'names of samples of this sheet' : others}.`,
    'high',
  );
}

/** Without values nothing speaks against it. */
function nearlyOurs({ nearly }: SeenColumn): Taken | undefined {
  return nearly && taken(nearly.meaning, `The header is nearly ${nearly.header}.`, 'middle');
}

const sameTexts = (texts: readonly string[], names: ReadonlySet<string>): boolean =>
  texts.length === names.size && [...names].every((name, at) => name === texts[at]);

export const isOrganism = ({ words, own }: SeenColumn): boolean =>
  say.saysOrganism(words) || (own?.as === 'characteristic' && fold(own.name ?? '') === 'organism');

/** Species beside their genus: `canina`, which is no organism by itself. */
const isEpithet = ({ values }: SeenColumn, byWords: Surroundings['byWords']): boolean =>
  byWords.has('genus') && values.all((text) => /^\p{Ll}[\p{Ll}-]+(?: .*)?$/u.test(text));

function organism(column: SeenColumn, { organisms, byWords }: Surroundings): Taken | undefined {
  if (!say.saysOrganism(column.words)) return undefined;
  if (organisms > 1)
    return taken(
      { as: 'characteristic', name: column.words === 'organism' ? 'organism' : column.header },
      'Several columns speak of the organism.',
      'low',
    );
  const { values } = column;
  if (isEpithet(column, byWords))
    return taken(
      { as: 'characteristic' },
      'Species without their genus, which another column has: kept under its header. Join both in one column, if the organism is to be said.',
      'low',
    );
  if (values.organisms || values.empty)
    return taken(
      { as: 'characteristic', name: 'organism' },
      values.empty
        ? 'The header speaks of the organism; the rows looked at are empty.'
        : 'The header speaks of the organism, and its values are names of organisms.',
      values.empty ? 'middle' : 'high',
    );
  return taken(
    { as: 'characteristic', name: 'organism' },
    'The header speaks of the organism; not all values look like its scientific name.',
    column.words === 'art' ? 'low' : 'middle',
  );
}

function reference({ words, values }: SeenColumn): Taken | undefined {
  if (!values.addresses || !say.saysAddress(words)) return undefined;
  return taken({ as: 'reference' }, 'Its values are addresses on the web.', 'middle');
}

function rowNumber({ words, values }: SeenColumn): Taken | undefined {
  if (!say.saysRowNumber(words) || !values.counts) return undefined;
  return taken({ as: 'ignored' }, 'It numbers the rows of the sheet.', 'high');
}

function remark({ words }: SeenColumn): Taken | undefined {
  if (!say.saysRemark(words)) return undefined;
  return taken(
    { as: 'comment' },
    'The header speaks of remarks: they come back with the result and are not stored.',
    'middle',
  );
}
