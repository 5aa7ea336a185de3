/** What a format is made of: a sample as `GET /samples/{accession}` shows it to the caller, and where it is. */
import { comparedName } from '../registry/characteristic-name.js';
import type { SampleDocument } from '../registry/samples/representation.js';
import type { Characteristic } from '../registry/samples/sample.js';

export interface FormattedSample {
  sample: SampleDocument & { accession: string };
  /** Its address, for links and identifiers. */
  address: string;
  /** Address of the registry. */
  registry: string;
}

/** A document of many samples, printed one after the other: `head`, each sample, `tail`. For one document each. */
export interface ManySamples {
  head: string;
  sample(sample: FormattedSample): string;
  /** After the last sample. */
  tail(): string;
}

/** How a format prints one sample and, as one document or line by line, many of them. `registry`: its address. */
export interface Printer {
  one(sample: FormattedSample): string;
  many(registry: string): ManySamples;
}

/** Samples that need nothing of each other. */
export const oneByOne =
  (head: string, sample: (sample: FormattedSample) => string, tail: string) => (): ManySamples => ({
    head,
    sample,
    tail: () => tail,
  });

/** What stands between the members of a JSON array: nothing before the first. */
export function commas(): () => string {
  let comma = '';
  return () => {
    const before = comma;
    comma = ',\n';
    return before;
  };
}

/** A JSON document on each line. */
export const linePrinter = (document: (sample: FormattedSample) => object): Printer => ({
  one: (sample) => asJson(document(sample)),
  many: oneByOne('', (sample) => `${JSON.stringify(document(sample))}\n`, ''),
});

/** A value with its unit, as one text. */
export const valueText = ({ text = '', unit }: { text?: string; unit?: string }): string =>
  unit === undefined ? text : `${text} ${unit}`;

/** What the sample says under these names, however they are spelled, those of the first name first. */
export const valuesNamed = (
  { characteristics }: FormattedSample['sample'],
  names: readonly string[],
): readonly Characteristic[] => {
  const own = Object.entries(characteristics).map(([name, values]) => ({ name: comparedName(name), values }));
  return names.flatMap((wanted) => own.flatMap(({ name, values }) => (name === wanted ? values : [])));
};

/** The first text among them. */
export const firstText = (sample: FormattedSample['sample'], ...names: string[]): string | undefined =>
  valuesNamed(sample, names).find(({ text }) => text)?.text;

export const organismOf = (sample: FormattedSample['sample']): string | undefined =>
  firstText(sample, 'organism', 'scientific name');

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
