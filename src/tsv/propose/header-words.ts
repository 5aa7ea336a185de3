/** Words of headers, in the languages and habits of laboratories, and what they say of a column. */

import { REQUIREMENTS } from '../header/column-notes.js';

/** What templates say behind a header of how it is filled. */
const HOW_FILLED = new RegExp(
  ` ?[([](?:${REQUIREMENTS}|iso ?8601|(?:[ymdhs]{1,4}[-./: ]){1,5}[ymdhs]{1,4})[)\\]] ?$`,
  'i',
);

/** `sampleName`, `SAMPLE_NAME`, `Sample-Name.`, `Sample name (required)` → `sample name`. */
export const wordsOf = (header: string): string =>
  header
    .replace(HOW_FILLED, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_\-./:#*]+/g, ' ')
    .trim();

/** As `wordsOf` leaves them, in alphabets that write the words together or in other cases. */
const inWords = (texts: string): string => texts.split(' ').map(wordsOf).join('|');

const FOREIGN_SAMPLE = inWords(
  'образец образца проба пробы зразок зразка 样品 样本 标本 樣品 樣本 標本 検体 試料 サンプル 시료 샘플 검체 표본 δείγμα δείγματος próbka próbki próba próby vzorek vzorku vzorka numune örnek minta näyte prøve prov monster عينة العينة דגימה',
);
const FOREIGN_NAME = inWords(
  'номер код имя название 编号 編號 名称 名稱 番号 名 번호 이름 명 κωδικός αριθμός όνομα numer kod nazwa číslo kód název adı nro nummer رقم اسم מספר שם',
);
const SAMPLE = '(?:samples?|specimen|proben?|muestra|echantillon|campione|amostra)';
const NAME =
  '(?:name|id|identifier|code|codigo|label|no|nr|num|number|nummer|bezeichnung|kennung|ref|reference|alias|key)';
const IS_NAME = new RegExp(
  `^(?:(?:lab|our|lims|unique|biological) )?${SAMPLE}(?: ?${NAME})?$|^(?:our|lab|lims|internal|local) ${NAME}$|^(?:${NAME}|nom|nombre) (?:(?:of|de|del|der) )?(?:the |la |l ?['’]? ?)?${SAMPLE}$`,
);

const IS_FOREIGN_NAME = new RegExp(
  `^(?:(?:${FOREIGN_NAME}|nr|no|id) ?)?(?:${FOREIGN_SAMPLE})(?: ?(?:${FOREIGN_NAME}|nr|no|id))?$`,
);

/** The header says: this names the sample. */
export const saysName = (words: string): boolean => IS_NAME.test(words) || IS_FOREIGN_NAME.test(words);

const ORGANISM = new RegExp(
  `^(?:organism(?:us|e|o)?(?: name)?|species(?: name)?|scientific name|taxon(?: name)?|spezies|art|tierart|espece|especie|nom scientifique|nombre cientifico|${inWords('вид 物种 物種 生物種 学名 學名 종 학명 είδος gatunek druh')})$`,
);
const TAXON_ID = /^(?:(?:ncbi )?tax(?:on|onomy)?(?: ?id)|(?:organism|species) tax(?:on|onomy)?(?: ?id))$/;
const REMARK =
  /^(?:internal )?(?:remarks?|comments?|notes?|bemerkung(?:en)?|anmerkung(?:en)?|kommentar|observaciones|remarques?|free text)$/;
const ROW_NUMBER =
  /^(?:|no|nr|n|n°|num|row|row (?:no|nr|number)|line|line (?:no|nr|number)|index|idx|(?:lfd|laufende) ?(?:nr|nummer)|s n|(?:s|sl|sr) no|zeile|unnamed 0)$/;
const POSITION = /^pos(?:ition)?$/;
const DATE =
  /\b(?:date|datum|fecha|day of|collected|sampled|received|frozen|born|birth|dob|entnahme|geburtstag|time ?stamp|taken|drawn)\b|datum$/;
const RELEASE =
  /^(?:(?:public |sample )?release ?date|date of release|public(?: release)? (?:from|date|on)|hold (?:until|date)|embargo(?: (?:until|date|end))?|release)$/;

const EVENT =
  /\b(?:collect(?:ion|ed)|sampl(?:e|ed|ing)|survey|harvest(?:ed|ing)?|planting|sowing|birth|born|death|onset|captured?|catch|isolation|isolated|observation|observed|event|publication|published|start|end|epi|epidemiological|calendar|iso|entnahme|geburt)$/;

export const saysOrganism = (words: string): boolean => ORGANISM.test(words);
export const saysTaxonId = (words: string): boolean => TAXON_ID.test(words);
/** What stands beside numbers of other taxonomies: headers of iNaturalist, GBIF and Darwin Core, and of lists of marine species. */
export const BESIDE_OTHER_TAXA: readonly string[] = [
  'observed on',
  'iconic taxon name',
  'quality grade',
  'user login',
  'basis of record',
  'occurrence id',
  'gbif id',
  'gbif taxon key',
  'taxon key',
  'dataset key',
  'taxon rank',
  'scientific name id',
  'accepted name usage',
  'aphia id',
];
/** `taxon_id`: of whichever taxonomy. */
export const saysAnyTaxonId = (words: string): boolean => /^taxon ?id$/.test(words);
export const saysRemark = (words: string): boolean => REMARK.test(words);
export const saysRowNumber = (words: string): boolean => ROW_NUMBER.test(words);
/** The same, or where the row stands in a form; of a sample that would be its place in a box, too. */
export const saysNumberOfRow = (words: string): boolean => saysRowNumber(words) || POSITION.test(words);
export const saysDate = (words: string): boolean => DATE.test(words);
/** The words end with what happens once: a collection, a birth. */
export const saysEvent = (words: string): boolean => EVENT.test(words);
export const saysRelease = (words: string): boolean => RELEASE.test(words);
export const saysAddress = (words: string): boolean =>
  /\b(?:url|uri|link|links|web|doi|xref|database|external|ref|reference|references)\b/.test(words);

/** Words → name of the characteristic that they mean. */
const CHARACTERISTICS: [RegExp, string][] = [
  [/^(?:sex|gender|geschlecht|sexe|sexo)$/, 'sex'],
  [/^(?:age|alter|edad)$/, 'age'],
  [/^(?:tissue|gewebe|tissu|tejido)$/, 'tissue'],
  [
    /^(?:(?:sample |sampling )?collection date|date of (?:collection|sampling)|(?:sampling|sample) date|collected(?: on)?|date (?:collected|sampled)|(?:entnahme|probenahme)datum|fecha de (?:muestreo|recoleccion)|date de prelevement|data (?:di |del )?prelievo)$/,
    'collection date',
  ],
];

export const characteristicOf = (words: string): string | undefined =>
  CHARACTERISTICS.find(([pattern]) => pattern.test(words))?.[1];

const RELATIONSHIPS: [RegExp, string][] = [
  [
    /^(?:derived from|(?:parent|source|origin|original)(?: (?:sample|specimen))?(?: (?:id|name))?|aliquot of|ausgangsprobe|made from|extracted from)$/,
    'derived from',
  ],
  [/^(?:mother|father|dam|sire|mutter|vater|child of|mere|pere|madre|padre)(?: (?:id|name|sample))?$/, 'child of'],
  [/^(?:same as|identical to|duplicate of)$/, 'same as'],
];

/** Type of the relationship that the header speaks of. */
export const relationshipOf = (words: string): string | undefined =>
  RELATIONSHIPS.find(([pattern]) => pattern.test(words))?.[1];

const UNIT = /^(.*?) ?(?:unit|units|einheit|unite|unidad)(?: (?:of|von|de) (.+))?$/;
const TERM =
  /^(.*?) ?(?:ontology(?: (?:id|term|term id|accession))?|term(?: (?:id|accession|accession number|iri))?|curie|iri|purl)(?: (?:of|for) (.+))?$/;

/** Words of the column whose unit, or whose term, this header speaks of; empty for the one on the left. */
export function ownerIn(words: string, kind: 'unit' | 'term'): string | undefined {
  const found = (kind === 'unit' ? UNIT : TERM).exec(words);
  return found ? (found[2] ?? (found[1] as string)) : undefined;
}

/** Texts in a column of the sex of animals, and the word that checklists have for it. */
export const SEX: Readonly<Record<string, string>> = {
  m: 'male',
  male: 'male',
  männlich: 'male',
  f: 'female',
  w: 'female',
  female: 'female',
  weiblich: 'female',
};
