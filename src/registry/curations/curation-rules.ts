/** How curations are named and how they change what is seen of a sample. Pure. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../samples/canonical.js';
import type {
  Characteristic,
  Characteristics,
  ExternalReference,
  Relationship,
  SampleContent,
} from '../samples/sample.js';
import { withoutOwnSource } from '../tax-id.js';
import type { CuratedAttribute, Curation, CurationLink } from './curation.js';

export type CurationLists = Omit<Curation, 'hash'>;

const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex');

/** SHA-256 hex of the canonical JSON of the six lists. */
export function curationHash(lists: CurationLists): string {
  return sha256(
    canonicalJson({
      attributesPre: lists.attributesPre,
      attributesPost: lists.attributesPost,
      externalReferencesPre: lists.externalReferencesPre,
      externalReferencesPost: lists.externalReferencesPost,
      relationshipsPre: lists.relationshipsPre,
      relationshipsPost: lists.relationshipsPost,
    }),
  );
}

/** SHA-256 hex of curation hash + accession + account. */
export const linkHash = (curation: string, accession: string, account: string): string =>
  sha256(curation + accession + account);

export interface CuratedView {
  content: SampleContent;
  /** Hashes of the links that applied; the others were skipped. */
  applied: Set<string>;
  /** Of those that would take away what is not there: JSON pointers to these entries in the link. */
  missing: Map<string, string[]>;
}

/**
 * Applies each link in order, as a whole or not at all; those that the sample's owner declined only where a reader asks
 * for them. `links` are in order of `created`. The work grows with what the
 * sample and the links hold and not with their product: anybody may curate a sample, everybody pays for reading it.
 */
export function applyCurations(
  content: SampleContent,
  links: readonly CurationLink[],
  accession: string,
  { declined: withDeclined = false } = {},
): CuratedView {
  const applied = new Set<string>();
  const missing = new Map<string, string[]>();
  const asked = withDeclined ? links : links.filter(({ declined }) => declined === undefined);
  if (asked.length === 0) return { content, applied, missing };
  const parts = takeApart(content, accession);
  for (const { curation, hash } of asked) {
    const lacking = applyOne(parts, curation, accession);
    if (lacking.length === 0) applied.add(hash);
    else missing.set(hash, lacking);
  }
  return { content: applied.size === 0 ? content : putTogether(content, parts), applied, missing };
}

/** A characteristic as a list item that remembers what curations cannot spell: the unit's terms. */
interface AttributeItem {
  attribute: CuratedAttribute;
  entry: Characteristic;
}

/** A list whose items are found by what they say. */
class KeyedList<T> {
  /** In the order of the list: numbers only grow. */
  private readonly items = new Map<number, T>();
  private readonly places = new Map<string, number[]>();
  private next = 0;

  constructor(private readonly keyOf: (item: T) => string) {}

  add(item: T, key = this.keyOf(item)): void {
    const places = this.places.get(key);
    if (places) places.push(this.next);
    else this.places.set(key, [this.next]);
    this.items.set(this.next++, item);
  }

  /** By which `missing` and `exchange` know the entries of Pre. */
  keys(pre: readonly T[]): string[] {
    return pre.map(this.keyOf);
  }

  /** Which of the Pre entries are not there, all of which must be. */
  missing(pre: readonly string[]): number[] {
    return [...pre.keys()].filter((at) => !this.places.has(pre[at] as string));
  }

  /** Puts the Post entries in the place of those. */
  exchange(pre: readonly string[], post: readonly T[]): void {
    const going = new Set(pre);
    const coming = new Map<string, T>();
    for (const item of post) {
      const key = this.keyOf(item);
      if (!coming.has(key)) coming.set(key, item);
    }
    // One that is in both stays where it is.
    for (const key of going) if (!coming.has(key)) this.remove(key);
    for (const [key, item] of coming) if (!this.places.has(key)) this.add(item, key);
  }

  get list(): T[] {
    return [...this.items.values()];
  }

  private remove(key: string): void {
    for (const place of this.places.get(key) as number[]) this.items.delete(place);
    this.places.delete(key);
  }
}

interface Parts {
  attributes: KeyedList<AttributeItem>;
  externalReferences: KeyedList<ExternalReference>;
  relationships: KeyedList<Relationship>;
}

/** Answers what is missing for it, nothing where it was applied. */
function applyOne(
  { attributes, externalReferences, relationships }: Parts,
  curation: Curation,
  accession: string,
): string[] {
  const attributesPre = attributes.keys(curation.attributesPre.map(itemOf));
  const externalReferencesPre = externalReferences.keys(curation.externalReferencesPre);
  const relationshipsPre = relationships.keys(curation.relationshipsPre);
  const missing = [
    ...pointersTo('attributesPre', attributes.missing(attributesPre)),
    ...pointersTo('externalReferencesPre', externalReferences.missing(externalReferencesPre)),
    ...pointersTo('relationshipsPre', relationships.missing(relationshipsPre)),
  ];
  if (missing.length > 0) return missing;
  attributes.exchange(
    attributesPre,
    // One without value, terms and unit says nothing that a sample could hold.
    curation.attributesPost.map(itemOf).filter(({ entry }) => Object.keys(entry).length > 0),
  );
  externalReferences.exchange(externalReferencesPre, curation.externalReferencesPost);
  relationships.exchange(
    relationshipsPre,
    // As in a sample's own, where its own accession stands for none: who sends back what is shown says the same.
    curation.relationshipsPost.map((one) => withoutOwnSource(one, accession)),
  );
  return missing;
}

const pointersTo = (list: keyof Curation, entries: readonly number[]): string[] =>
  entries.map((at) => `/curation/${list}/${at}`);

const NO_IRIS: readonly string[] = [];

const iriKey = (iri: readonly string[] | undefined): readonly string[] =>
  iri?.length ? [...new Set(iri.filter((item) => item !== ''))].sort() : NO_IRIS;

/** Absent and empty members are the same, IRIs are a set. */
const attributeKey = ({ type, value, iri, unit, tag }: CuratedAttribute): string =>
  JSON.stringify([type, value, iriKey(iri), unit ?? '', tag ?? '']);

const referenceKey = ({ url, duo }: ExternalReference): string => JSON.stringify([url, iriKey(duo)]);

/** Types are compared without case, blanks and underscores; a blank source is the sample itself. */
const relationshipKey = ({ source, type, target }: Relationship, accession: string): string =>
  JSON.stringify([source || accession, foldType(type), target]);

export const foldType = (type: string): string => type.toLowerCase().replace(/[\s_]/g, '');

function itemOf(attribute: CuratedAttribute): AttributeItem {
  const { value, iri, unit } = attribute;
  return {
    attribute,
    entry: {
      ...(value ? { text: value } : {}),
      ...(iri?.length ? { ontologyTerms: iri } : {}),
      ...(unit ? { unit } : {}),
    },
  };
}

function takeApart(content: SampleContent, accession: string): Parts {
  const attributes = new KeyedList<AttributeItem>(({ attribute }) => attributeKey(attribute));
  for (const [type, entries] of Object.entries(content.characteristics)) {
    for (const entry of entries) {
      const { text: value = '', ontologyTerms: iri = [], unit = '' } = entry;
      attributes.add({ attribute: { type, value, iri, unit }, entry });
    }
  }
  const externalReferences = new KeyedList(referenceKey);
  for (const reference of content.externalReferences) externalReferences.add(reference);
  const relationships = new KeyedList<Relationship>((relationship) => relationshipKey(relationship, accession));
  for (const relationship of content.relationships) relationships.add(relationship);
  return { attributes, externalReferences, relationships };
}

function putTogether(content: SampleContent, parts: Parts): SampleContent {
  const characteristics = Object.create(null) as Characteristics;
  for (const { attribute, entry } of parts.attributes.list) {
    const entries = characteristics[attribute.type];
    if (entries) entries.push(entry);
    else characteristics[attribute.type] = [entry];
  }
  return {
    ...content,
    characteristics,
    externalReferences: parts.externalReferences.list,
    relationships: parts.relationships.list,
  };
}
