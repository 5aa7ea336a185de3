/** Writes XML: elements as data, every text and attribute escaped in one place. */
import { type FormattedSample, oneByOne, type Printer } from './format.js';

export interface XmlElement {
  name: string;
  attributes?: Record<string, string | number | undefined>;
  /** A text, or elements; undefined ones are left out. */
  children?: string | readonly (XmlElement | undefined)[];
}

export const element = (
  name: string,
  children: XmlElement['children'] = [],
  attributes: NonNullable<XmlElement['attributes']> = {},
): XmlElement => ({ name, attributes, children });

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** A document in UTF-8 whose root holds an element for each sample. */
export function xmlPrinter(root: string, sample: (sample: FormattedSample) => XmlElement): Printer {
  const many = oneByOne(`${DECLARATION}\n<${root}>\n`, (each) => `${print(sample(each))}\n`, `</${root}>\n`);
  return {
    one(each) {
      const { head, sample: printed, tail } = many();
      return head + printed(each) + tail();
    },
    many,
  };
}

function print({ name, attributes = {}, children = [] }: XmlElement): string {
  const given = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined ? [] : [` ${attribute}="${escapeXml(String(value))}"`],
  );
  const inner =
    typeof children === 'string' ? escapeXml(children) : children.map((child) => child && print(child)).join('');
  const open = `<${name}${given.join('')}`;
  return inner === '' ? `${open}/>` : `${open}>${inner}</${name}>`;
}

/** What XML 1.0 cannot hold, however it is written. */
const NOT_XML = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Characters that XML cannot hold become U+FFFD; line breaks and tabs survive in attributes, too. */
export const escapeXml = (text: string): string =>
  text.replace(NOT_XML, '\uFFFD').replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] as string);
