/** Which columns of a sheet the checks between cells look at, chosen once by what its characteristics are called. */
import { comparedName } from '../../../registry/characteristic-name.js';
import type { CheckedSheet } from '../../../registry/checklist.js';
import { BESIDE_OTHER_TAXA, saysAnyTaxonId, wordsOf } from '../../propose/header-words.js';
import type { OrganismCells } from './organism-check.js';
import type { PlaceCells } from './place-check.js';
import type { Constancy } from './series-check.js';

export interface SenseColumns {
  organisms: OrganismCells[];
  places: PlaceCells[];
  /** Cells with the day of collection. */
  days: number[];
  series: { cell: number; constancy: Constancy }[];
}

/** Columns of one kind that are looked at: each check keeps values of its own. */
const MOST = 100;

const ORGANISM = /^(?:organism|organism name|scientific name|species|species name|ncbi organism name|taxon name)$/;
const HOST = /^(?:specific host|host|host organism|host species|host scientific name|host name)$/;
const TAX_ID =
  /^(?:(?:ncbi|organism|species|sample|specific) )*(?:tax|taxon|taxonomy|taxonomic|txid|ncbitaxon|ncbi ?tax)[ -]?(?:id|identifier)?$/;
const COUNTRY =
  /^(?:country|country name|country or sea|(?:collection|sampling) country|country of (?:collection|sampling|isolation)|geo loc(?:ation)? name|geographic location(?: ?\(country[^)]*\))?(?: region)?)$/;
const LATITUDE = /(?:^|[^a-z]|decimal)lat(?:itude)?(?![a-z])/;
const LONGITUDE = /(?:^|[^a-z]|decimal)long?(?:itude)?(?![a-z])/;
const COORDINATES = /^(?:(?:gps|geographic|geo|sampling|site) )?coordinates?$/;
/** Of another place than that of the sample. */
const ELSEWHERE = /birth|origin|ancest|lab\b|institut|depth|altitude/;
const COLLECTED = /collect|sampl|isolat/;
const DAY = /date|year|\bon$/;
const NO_DAY = /updat|format|ship|receiv|process|method|storage|expir|planned|next/;
const ALWAYS =
  /^(?:country|geo loc name|disease|disease name|host disease|diagnosis|medical condition|term accession number)$/;
const UNLESS_IT_COUNTS =
  /^(?:(?:.* )?(?:address|street|affiliation|institute|institution|university|department|laboratory|organi[sz]ation|doi|email|e-mail|pubmed id|pmid|phone|telephone)|organism|scientific name|species|project(?: name| title)?|study(?: name| title)?|bioproject|investigation(?: title)?|instrument(?: model)?|platform|sequencing (?:platform|instrument)|(?:library|extraction|sequencing) kit|kit|(?:.* )?protocol|(?:growth |culture )?medium|reference genome|genome build|grant(?: number)?|funding|isolation source|checklist)$/;
/** What numbers its rows, whatever the values look like. */
const COUNTS =
  /\b(?:id|ids|identifier|name|label|barcode|alias|code|no|number|index|well|position|plate|dose|time|age|year|day|week)\b/;

export function senseColumns({ layout, cells }: CheckedSheet): SenseColumns {
  const named = layout.characteristics.map(({ name, text, terms = [] }) => ({
    name: comparedName(name),
    cell: text,
    terms: terms.flatMap(({ accession }) => (accession === undefined ? [] : [accession])),
  }));
  const ofOthers = layout.characteristics.some(({ name }) => BESIDE_OTHER_TAXA.includes(wordsOf(name)));
  const organisms = [
    ...pairs(
      named,
      (name) => ORGANISM.test(name),
      (name) => TAX_ID.test(name) && !(ofOthers && saysAnyTaxonId(name)),
    ),
    ...pairs(
      named,
      (name) => HOST.test(name),
      (name) => name.startsWith('host ') && TAX_ID.test(name.slice(5)),
    ),
  ];
  const others = new Set([...layout.relationships.map(({ target }) => target), ...layout.externalReferences]);
  return {
    organisms: organisms.slice(0, MOST),
    places: placesOf(named).slice(0, MOST),
    days: named
      .filter(({ name }) => isDay(name))
      .map(({ cell }) => cell)
      .slice(0, MOST),
    series: cells.flatMap(({ column }, cell): SenseColumns['series'] => {
      const name = comparedName(column);
      if (others.has(cell)) return [];
      if (ALWAYS.test(name)) return [{ cell, constancy: 'always' }];
      if (TAX_ID.test(name) || UNLESS_IT_COUNTS.test(name)) return [{ cell, constancy: 'unless it counts' }];
      return COUNTS.test(name) ? [] : [{ cell, constancy: 'by its values' }];
    }),
  };
}

interface Named {
  name: string;
  cell: number;
  terms: readonly number[];
}

const isDay = (name: string): boolean => COLLECTED.test(name) && DAY.test(name) && !NO_DAY.test(name);

/** The first column of the name with every column of its id, the terms beside it among them. */
function pairs(
  named: readonly Named[],
  isName: (name: string) => boolean,
  isId: (name: string) => boolean,
): OrganismCells[] {
  const name = named.find((one) => isName(one.name));
  if (!name) return [];
  const ids = [...named.filter((one) => isId(one.name)).map(({ cell }) => cell), ...name.terms];
  return ids.filter((id) => id !== name.cell).map((id) => ({ name: name.cell, id }));
}

function placesOf(named: readonly Named[]): PlaceCells[] {
  const country = named.find(({ name }) => COUNTRY.test(name))?.cell;
  const here = named.filter(({ name }) => !ELSEWHERE.test(name));
  /** By what is left of a longitude's name without that word: the first two, of which one may be the latitude itself. */
  const longitudes = new Map<string, number[]>();
  for (const { name, cell } of here) {
    if (!LONGITUDE.test(name)) continue;
    const rest = name.replace(LONGITUDE, '');
    const known = longitudes.get(rest) ?? [];
    longitudes.set(rest, known.length < 2 ? [...known, cell] : known);
  }
  const places: PlaceCells[] = [];
  for (const { name, cell } of here) {
    const latitude = LATITUDE.test(name);
    if (COORDINATES.test(name) || (latitude && LONGITUDE.test(name)))
      places.push({ country, latitude: cell, longitude: cell });
    else if (latitude) {
      const other = longitudes.get(name.replace(LATITUDE, ''))?.find((one) => one !== cell);
      if (other !== undefined) places.push({ country, latitude: cell, longitude: other });
    }
  }
  return places;
}
