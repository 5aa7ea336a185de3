/** Units as people write them into headers, and which header says one. */

/** Written in full, in some languages, and what is stored instead. */
const SPELLED: Record<string, string> = {
  years: 'year',
  yrs: 'year',
  yr: 'year',
  y: 'year',
  jahre: 'year',
  ans: 'year',
  años: 'year',
  months: 'month',
  monate: 'month',
  mois: 'month',
  weeks: 'week',
  wks: 'week',
  wk: 'week',
  wochen: 'week',
  days: 'day',
  tage: 'day',
  jours: 'day',
  hours: 'hour',
  hrs: 'hour',
  hr: 'hour',
  stunden: 'hour',
  minutes: 'minute',
  mins: 'minute',
  seconds: 'second',
  sec: 'second',
  degc: '°C',
  celsius: '°C',
  'deg c': '°C',
  'degrees celsius': '°C',
  degree_c: '°C',
  degrees_celsius: '°C',
  degree_celsius: '°C',
  percent: '%',
  pct: '%',
  meters: 'm',
  metres: 'm',
  meter: 'm',
  grams: 'g',
  'decimal degrees': 'decimal degrees',
  'decimal degree': 'decimal degrees',
  'degrees decimal': 'decimal degrees',
};

const AS_WRITTEN = new Set(
  (
    'year month week day hour minute second h min s d a ms m/s cm/s km/h m/h mm/h mm/d ' +
    'degrees_north degrees_east m cm mm µm μm um nm km m2 m² m3 m³ ha masl ft ' +
    'g kg mg µg μg ug ng pg t l L ml mL µl μl µL μL ul uL dl % ‰ °C °F K ° deg degrees ' +
    'M mM µM μM uM nM mol mmol mol/l mmol/l mmol/L µmol/l µmol/L umol/l g/l g/L mg/l mg/L mg/dl mg/dL g/dl g/dL µg/l µg/L ug/l ug/L ' +
    'ng/µl ng/μl ng/µL ng/μL ng/ul ng/uL ng/ml ng/mL µg/ml µg/mL mg/ml mg/mL g/kg mg/kg µg/kg kg/m2 kg/m² ' +
    'bp kb Mb Gb bar mbar dbar Pa kPa hPa mmHg ppm ppb ppt PSU psu NTU mS/cm µS/cm uS/cm bpm rpm ' +
    'cells/ml cells/mL cells/µl CFU/ml CFU/mL CFU/g cfu/ml cfu/g copies/ml copies/mL IU/ml IU/l U/l U/L'
  ).split(' '),
);

/** What is counted or measured in so much of another unit, beside the units above: `cells/mm3`, `pmol/l`. */
const IN_ANOTHER = new Set('cells copies reads CFU cfu U IU mIU µIU fmol pmol nmol µmol μmol umol mEq mOsm'.split(' '));

/** Two units, one in the other: `pg/ml`, `µmol/kg`. `d/m` is a form of dates. */
function isCompound(text: string): boolean {
  if (DATE_FORM.test(text)) return false;
  const [one, other, ...more] = text.split('/');
  if (one === undefined || other === undefined || more.length > 0) return false;
  return (AS_WRITTEN.has(one) || IN_ANOTHER.has(one)) && AS_WRITTEN.has(other);
}

/** Characters of a cell that may be a unit: a cell may be a megabyte long. */
const LONGEST = 100;

/** The unit that the text is, as it is stored; undefined for any other text. */
export function unitOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const written = text.trim();
  if (Object.hasOwn(SPELLED, written.toLowerCase())) return SPELLED[written.toLowerCase()];
  if (AS_WRITTEN.has(written) || isCompound(written)) return written;
  return AS_WRITTEN.has(written.toLowerCase()) && written.length > 3 ? written.toLowerCase() : undefined;
}

/** What programs call the forms of values. */
const FORMS =
  'text|str(?:ing)?|number|numeric|int(?:eger)?|float|double|decimal|bool(?:ean)?|varchar|categorical|dates?|date ?time|timestamp';
const FORM = new RegExp(`^#?(?:${FORMS})$`, 'i');
const DATE_PARTS = '(?:[ymdhs]{1,4}[-./: ]){1,5}[ymdhs]{1,4}';
const DATE_FORM = new RegExp(`^${DATE_PARTS}$`, 'i');
/** What stands in a row of units under columns without one. */
const NO_UNIT = new RegExp(
  `^(?:-|n/?a|none|(?:no )?units?:?|unitless|einheit(?:en)?|utc|${FORMS}|${DATE_PARTS})$`,
  'i',
);

/** Whether the text is a word for a form of values, as programs mark it: `#STRING`. */
export const saysForm = (text: string): boolean => FORM.test(text.trim());

/** Whether the text says of a column that it has no unit. */
export const saysNoUnit = (text: string): boolean => unitOf(text) === undefined && NO_UNIT.test(text.trim());

/** One letter may be the value of a row: `m` is a sex, too. */
const FEWEST_LETTERS = 2;

/** The unit that a cell of a row of units is, as `m`, `[m]` or `(m)`. */
export const unitInRow = (text: string): string | undefined =>
  unitOf(text) ?? unitOf(text.trim().replace(/^(?:\((.*)\)|\[(.*)\])$/, '$1$2'));

/** `, yyyy-mm-dd, m, °C`: nothing but units and words for forms, as tables of instruments have it below their header. */
export function isUnitsRow(cells: readonly string[]): boolean {
  let letters = 0;
  for (const cell of cells) {
    const text = cell.trim();
    if (text === '' || saysNoUnit(text)) continue;
    if (unitInRow(text) === undefined) return false;
    letters += text.length;
  }
  return letters >= FEWEST_LETTERS;
}

export interface UnitInHeader {
  name: string;
  unit: string;
  /** Its own sign sets the unit off: `(years)`, `[m]`. Else it is the last word: `weight_kg`. */
  marked: boolean;
}

// A header may be a megabyte long: blanks are made one before these look at it, and a unit is at most 40 characters.
const MARKED = /^(.*\S) ?(?:\(([^()]{1,40})\)|\[([^[\]]{1,40})\])$/;
const BEHIND = /^(.*\S)(?: \/ | ?, | in |_in_)([^,/]{1,40})$/;
const LAST_WORD = /^(.*[^\s_])[\s_]([A-Za-zµμ%°]+)$/s;
/** As last words, these mean something else: temp_min is a minimum, group_a a group. */
const AMBIGUOUS = new Set(['min', 'a', 'd', 's', 'h', 'y', 't', 'l', 'K', 'M', 'deg', 'ms', 'second', 'day', 'ans']);

/** `age (years)`, `Depth [m]`, `Weight, g`, `height in cm`, `weight_kg`. */
export function unitInHeader(header: string): UnitInHeader | undefined {
  const written = header.replace(/\s+/g, ' ').trim();
  const marked = MARKED.exec(written) ?? BEHIND.exec(written);
  const inside = marked?.[2] ?? marked?.[3];
  if (marked && inside !== undefined) {
    const unit = unitOf(inside);
    if (unit !== undefined) return { name: marked[1] as string, unit, marked: true };
  }
  const last = LAST_WORD.exec(written);
  const word = last?.[2] ?? '';
  const unit = AMBIGUOUS.has(word) ? undefined : unitOf(word);
  return last && unit !== undefined ? { name: last[1] as string, unit, marked: false } : undefined;
}
