/** Which column names the samples, or which ones together do. */
import { parseAccession } from '../../registry/accession.js';
import { columnTitle } from '../header/name-column.js';
import { saysDate, saysName, saysOrganism, saysRowNumber, wordsOf } from './header-words.js';
import { joinedColumns, saysPart } from './joined-names.js';
import type { Confidence } from './proposal.js';
import type { SeenColumn } from './seen-column.js';

export interface ProposedName {
  columns: number[];
  why: string;
  confidence: Confidence;
}

const SAMPLES = /(?:sample|specimen)(?![rd]s?\b)/;
const IDENTIFIER =
  /\b(?:id|uid|guid|uuid|identifier)\b|barcode|code|number|\b(?:inv|cat|kat|acc|mus)[a-z]* ?(?:nr|no|nummer)\b/;
const INVENTORY =
  /^(?:inv|inventar|inventory|cat|catalog(?:ue)?|kat|katalog|accession|museum)[a-z]* ?(?:nr|no|num|number|nummer|id|code)$/;
/** Words of headers that name things, likeliest first. */
const NAMING = [SAMPLES, /isolate|strain|biosample|alias/, /name|label|title/, IDENTIFIER];
/** The rank of a header that does not speak of names. */
const NAMES_NOTHING = NAMING.length + 1;
/** What is said of a sample in other words than its name. */
const OF_SAMPLE =
  / (?:type|kind|source|origin|site|location|status|size|depth|range|value|unit|volume|amount|mass|weight|concentration|quality|group|batch|project|description|material|matrix|species|organism|collector|owner|provider|storage|position)$/;

/** What has names and numbers of its own, and is no sample: species in plain words, files, places, people, and what collects and publishes. */
const OF_OTHERS =
  /^(?:common|vernacular|trivial|scientific|file|event|site|station|locality|location|country|city|region|institution|institute|collection|collector|sampler|dataset|project|study|user|owner|author|taxon|locus|gene|publication) ?(?:\w+ )?(?:name|id|identifier|code|number|label|title)s?(?: \d+)?$|^file ?name\b/;

/** How much a header speaks of names: the lower, the more. */
function nameRank(header: string): number {
  const words = wordsOf(header);
  if (saysName(words)) return 0;
  if (saysOrganism(words) || saysDate(words) || OF_SAMPLE.test(words) || OF_OTHERS.test(words)) return NAMES_NOTHING;
  const rank = NAMING.findIndex((naming) => naming.test(words));
  return rank < 0 ? NAMES_NOTHING : rank + 1;
}

/** Whether the header itself says that the column names or numbers things that may be samples. */
export const speaksOfNames = (header: string): boolean => nameRank(header) < NAMES_NOTHING;

/** Columns with a value in each row and none twice that could be names, likeliest first. */
const ablest = (columns: readonly SeenColumn[], prefix: string): SeenColumn[] =>
  columns
    .filter((column) => column.values.unique && !column.values.counts && ableToName(column, prefix))
    .sort((one, other) => nameRank(one.header) - nameRank(other.header));

const MOST_NAMED = 5;

/** What columns are called that could name the samples, likeliest first; one whose header says so may lack a value or have one twice. */
export function namingHeaders(columns: readonly SeenColumn[], prefix: string): string[] {
  const said = columns.filter(
    (column) =>
      saysName(column.words) && mayNameOthers(column) && !column.values.empty && !areAccessions(column, prefix),
  );
  const counted = columns.filter(
    ({ header, own, words, values }) => !own && values.counts && !saysRowNumber(words) && speaksOfNames(header),
  );
  const able = ablest(columns, prefix);
  const sayNothing = able.filter(({ header }) => !speaksOfNames(header));
  const speaking = [...said, ...able.filter((column) => !sayNothing.includes(column))];
  const best = speaking.length > 0 ? speaking : almostAble(columns, prefix);
  const all = [...best, ...sayNothing, ...rowNames(columns), ...counted].map(({ header, at }) =>
    columnTitle(header, at),
  );
  return [...new Set(all)].slice(0, MOST_NAMED);
}

/**
 * Where no column whose header speaks of names has a value in each row and none twice: those that do although they lack one or have one twice, of
 * samples rather than of anything else. Rows without a value, or with that of another row, have errors of their own.
 */
function almostAble(columns: readonly SeenColumn[], prefix: string): SeenColumn[] {
  const able = columns.filter(
    (column) =>
      !column.values.counts && speaksOfNames(column.header) && mostlyDifferent(column) && ableToName(column, prefix),
  );
  const best = Math.min(...able.map(({ header }) => nameRank(header)));
  return able.filter(({ header }) => nameRank(header) === best);
}

/** More than half of its values are different; of a column whose header speaks of an identifier of samples, any two. */
function mostlyDifferent({ header, values }: SeenColumn): boolean {
  const words = wordsOf(header);
  const least = SAMPLES.test(words) && IDENTIFIER.test(words) ? 1 : values.values.length / 2;
  return values.distinct.size > Math.max(1, least);
}

/** A `Sample Identifier` that has no accessions of ours has the names by which somebody else knows the samples. */
const mayNameOthers = ({ own }: SeenColumn): boolean => !own || own.as === 'identifier';

/** A first column without a header that is different in each row and does not count them: what R and pandas know the rows by. */
const rowNames = (columns: readonly SeenColumn[]): SeenColumn[] =>
  columns.slice(0, 1).filter(({ header, values }) => header === '' && values.unique && !values.counts);

/** Undefined when no column has a value in each row and none twice, nor several joined. `prefix`: of this registry's accessions. */
export function proposedName(columns: readonly SeenColumn[], prefix: string): ProposedName | undefined {
  const ours = columns.find(({ own }) => own?.as === 'name');
  if (ours) return { columns: [ours.at], why: 'This is the header for names of samples.', confidence: 'high' };
  const named = columns.filter((column) => saysName(column.words) && !areAccessions(column, prefix));
  const good = named.find(({ values }) => values.unique);
  if (good) {
    const others = named.length - 1;
    const why =
      others === 0
        ? 'The header says that it names samples; each row has a value, none twice.'
        : `The header says that it names samples; so does that of ${others === 1 ? 'another column' : `${others} other columns`}.`;
    return { columns: [good.at], why, confidence: others === 0 ? 'high' : 'middle' };
  }
  return unsaidName(columns, named, prefix);
}

/** Where no column that is different in each row says that it names samples. `named`: those that say so. */
function unsaidName(
  columns: readonly SeenColumn[],
  named: readonly SeenColumn[],
  prefix: string,
): ProposedName | undefined {
  const able = ablest(columns, prefix);
  const [best] = able;
  const alone = best && named.length === 0 ? aloneName(best, able) : undefined;
  // What says nothing of names may be different in each row by chance, as places in a freezer and files are; a tube is meant to be.
  if (alone && best && (speaksOfNames(best.header) || saysPart(best))) return alone;
  const almost = almostAble(columns, prefix)[0];
  const object = almost && numbersObjects(almost) ? almost : undefined;
  // An object has parts; a year or a depth tells its rows apart by chance.
  const others =
    object && named.length === 0 ? columns.filter((column) => column === object || saysPart(column)) : columns;
  const joined = joinedName(others, named[0] ?? object, prefix);
  if (joined) return joined;
  if (alone) return object ? repeatedName(object, undefined) : alone;
  const counted = columns.find(({ words, values }) => values.counts && NUMBERED.test(words) && !saysRowNumber(words));
  return repeatedName(named[0] ?? almost, best ?? counted);
}

/** What collections know their objects by: one that is there twice has two parts, or is a slip; a column that says nothing of names is different by chance. */
const numbersObjects = ({ header }: SeenColumn): boolean => INVENTORY.test(wordsOf(header));

/** The ablest of several. */
function aloneName(best: SeenColumn, able: readonly SeenColumn[]): ProposedName {
  const alone = able.filter(({ header }) => nameRank(header) === nameRank(best.header)).length === 1;
  // A name stands in front: a column before it that could name the samples may be meant.
  const first = able.every(({ at }) => at >= best.at);
  const sure = nameRank(best.header) < NAMES_NOTHING && alone && first;
  return { columns: [best.at], why: UNIQUE, confidence: sure ? 'middle' : 'low' };
}

/** A number of something that the header names; a header that only says number counts the rows. */
const NUMBERED = /[a-z]{3,} (?:no|nr|number)$|(?:^|[a-z]{3,} )id$/;

const UNIQUE = 'Each row has a value here, and none twice.';

/** Dates, times of day, measurements, accessions of archives and addresses are unique, too, and name nothing; nor do our own accessions. */
const NO_NAME =
  /^\d{4}([-/.])\d\d?\1\d\d?(?!\d)|^\d{4}[年년]|^\d{1,2}\.? \p{L}{3,12}\.? \d{4}$|^\d{1,2}[./]\d{1,2}[./]\d{4}|^\d{1,2}:\d\d(?::\d\d)?$|^[+-]?\d+[.,]\d+$|^[<>≤≥~]? ?[+-]?\d+(?:[.,]\d+)? ?%$|^[<>≤≥] ?\d+(?:[.,]\d+)?$|^(?:SAM(?:EA|N|D)|[EDS]R[SRXP]|PRJ[A-Z]{2})\d+$|^https?:/u;
const NAME_LENGTH = 60;

const ableToName = ({ header, own, unit, values }: SeenColumn, prefix: string): boolean =>
  header !== '' &&
  !own &&
  !unit &&
  !(values.numeric && nameRank(header) === NAMES_NOTHING) &&
  values.values.every((text) => text.length <= NAME_LENGTH && !NO_NAME.test(text)) &&
  !areAccessions({ values }, prefix);

/** Such as Sample Identifier has them in a result: they are of samples that are there already. */
const areAccessions = ({ values }: Pick<SeenColumn, 'values'>, prefix: string): boolean =>
  values.all((text) => parseAccession(prefix, text) !== undefined);

/** The same of a column of which several samples have a value: donors and plots may be numbered. */
const mayBegin =
  (prefix: string) =>
  (column: SeenColumn): boolean =>
    ableToName(column, prefix) || (ableToNumber(column) && !areAccessions(column, prefix));

const ableToNumber = ({ values }: SeenColumn): boolean => values.all((text) => /^\d{1,12}$/.test(text));

/** Columns of which none names a row and which do so together. */
function joinedName(
  columns: readonly SeenColumn[],
  named: SeenColumn | undefined,
  prefix: string,
): ProposedName | undefined {
  const joined = joinedColumns(columns, named, mayBegin(prefix));
  if (joined === undefined) return undefined;
  const headers = joined.map(({ header }) => header);
  const last = headers.pop();
  const why =
    headers.length === 1
      ? `Neither ${headers[0]} nor ${last} is different in each row; both together are.`
      : `None of ${headers.join(', ')} and ${last} is different in each row; together they are.`;
  return { columns: joined.map(({ at }) => at), why, confidence: 'low' };
}

function repeatedName(named: SeenColumn | undefined, unique: SeenColumn | undefined): ProposedName | undefined {
  if (unique) return { columns: [unique.at], why: UNIQUE, confidence: 'low' };
  if (!named) return undefined;
  return {
    columns: [named.at],
    why: `The header says that it names ${saysName(named.words) ? 'samples' : 'something'}, but a row is without a value or has that of another row.`,
    confidence: 'low',
  };
}
