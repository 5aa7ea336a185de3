/** What a format is made of: a sample as `GET /samples/{accession}` shows it to the caller, and where it is. */
import type { SampleDocument } from '../registry/samples/representation.js';

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

/** The first value of a characteristic, by any of these names, without regard to case. */
export function firstText({ characteristics }: FormattedSample['sample'], ...names: string[]): string | undefined {
  const found = Object.keys(characteristics).find((name) => names.includes(name.trim().toLowerCase()));
  return found === undefined ? undefined : characteristics[found]?.find(({ text }) => text)?.text;
}

export const organismOf = (sample: FormattedSample['sample']): string | undefined =>
  firstText(sample, 'organism', 'scientific_name', 'scientific name');

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
