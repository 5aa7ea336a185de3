/** What a format is made of: a sample as `GET /samples/{accession}` shows it to the caller, and where it is. */
import type { SampleDocument } from '../registry/representation.js';

export interface FormattedSample {
  sample: SampleDocument & { accession: string };
  /** Its address, for links and identifiers. */
  address: string;
  /** Address of the registry. */
  registry: string;
}

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
