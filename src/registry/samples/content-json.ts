/** `SampleContent` as the JSON document that stores keep: empty members left out, users' names untouched. */
import { type Characteristic, type Characteristics, emptyContent, type SampleContent } from './sample.js';

const LISTS = ['relationships', 'externalReferences', 'contact', 'organization', 'publications'] as const;

export function encodeContent(content: SampleContent): string {
  const { domain, taxId, characteristics } = content;
  // JSON has no members that are undefined.
  const document: Record<string, unknown> = { domain, taxId, characteristics };
  for (const member of LISTS) {
    if (content[member].length > 0) document[member] = content[member];
  }
  return JSON.stringify(document);
}

/** Reads what `encodeContent` or `JSON.stringify` of a content wrote. */
export function decodeContent(text: string): SampleContent {
  const document = JSON.parse(text) as Partial<SampleContent>;
  const content = emptyContent();
  if (typeof document.domain === 'string') content.domain = document.domain;
  if (typeof document.taxId === 'number') content.taxId = document.taxId;
  content.characteristics = withoutPrototype(document.characteristics ?? {});
  if (document.relationships) content.relationships = document.relationships;
  if (document.externalReferences) content.externalReferences = document.externalReferences;
  if (document.contact) content.contact = document.contact.map(withoutPrototype);
  if (document.organization) content.organization = document.organization.map(withoutPrototype);
  if (document.publications) content.publications = document.publications.map(withoutPrototype);
  return content;
}

/** JSON.parse makes `__proto__` an own member; an assignment would not, so nothing is copied into a literal. */
function withoutPrototype<T extends Characteristics | Record<string, string>>(value: T): T {
  const bare = Object.create(null) as Record<string, Characteristic[] | string>;
  for (const name of Object.keys(value)) bare[name] = value[name] as Characteristic[] | string;
  return bare as T;
}
