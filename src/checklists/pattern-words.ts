/**
 * A regular expression in the words of who fills in a sheet: described by what it takes and refuses, with an example that it
 * takes. Nobody at a bench reads `^[+-]?([0-8]?\d(\.\d{1,8})?|90(\.0{1,8})?)$`.
 */
import { compilePattern } from './linear-pattern.js';

interface Form {
  words: string;
  /** All of these are taken… */
  takes: readonly string[];
  /** …and none of these. */
  refuses: readonly string[];
}

/** The first that fits is said; the examples in the words are among what is taken. */
const FORMS: readonly Form[] = [
  { words: 'degrees from -90 to 90, such as 45.5', takes: ['45.5', '-90'], refuses: ['91', 'abc'] },
  { words: 'degrees from -180 to 180, such as -71.25', takes: ['-71.25', '180'], refuses: ['181', 'abc'] },
  {
    words: 'a date, year first, such as 2024-05-31, or 2024-05 or 2024 where no more is known',
    takes: ['2024-05-31', '2024-05', '2024'],
    refuses: ['31/05/2024', 'abc'],
  },
  { words: 'a date, year first, such as 2024-05-31', takes: ['2024-05-31'], refuses: ['31/05/2024', 'abc'] },
  { words: 'a number, such as 36.6', takes: ['36.6', '12'], refuses: ['abc'] },
  { words: 'a whole number, such as 12', takes: ['12', '7'], refuses: ['36.6', 'abc'] },
  { words: 'a web address, such as https://example.org/1', takes: ['https://example.org/1'], refuses: ['abc', '12'] },
  {
    words: 'an ontology term, such as NCBITaxon:9606',
    takes: ['NCBITaxon:9606'],
    refuses: ['abc', '12', 'SAMEA1234567'],
  },
  { words: 'an accession, such as SAMEA1234567', takes: ['SAMEA1234567'], refuses: ['abc', '12'] },
  { words: 'an accession, such as ERS1234567', takes: ['ERS1234567'], refuses: ['abc', '12'] },
  { words: 'a DOI, such as 10.1000/182', takes: ['10.1000/182'], refuses: ['abc', '12'] },
  { words: 'a time, such as 14:30', takes: ['14:30'], refuses: ['abc', '12'] },
];

/** What the field writes where there is no value (INSDC). */
const MISSING = ['not applicable', 'not collected', 'not provided', 'missing', 'restricted access'];

const known = new Map<string, string>();

/** `degrees from -90 to 90, such as 45.5, or one of: not collected, not provided`; never the expression itself. */
export function patternInWords(source: string): string {
  const said = known.get(source) ?? describe(source);
  known.set(source, said);
  return said;
}

function describe(source: string): string {
  const pattern = compilePattern(source);
  const takes = (text: string): boolean => pattern.test(text);
  const form = FORMS.find((one) => one.takes.every(takes) && !one.refuses.some(takes));
  const missing = takes('abc') ? [] : MISSING.filter(takes);
  const words = form?.words ?? 'in a form of its own, see the description of the checklist';
  return missing.length > 0 ? `${words}, or one of: ${missing.join(', ')}` : words;
}
