/** How curations are named and how they change what is seen of a sample (decisions, section 3). Pure. */
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.js';
import type { CuratedAttribute, Curation, CurationLink } from './curation.js';
import type { Characteristic, Characteristics, ExternalReference, Relationship, SampleContent } from './sample.js';

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
}

/** Applies each link in order, as a whole or not at all. `links` are in order of `created`. */
export function applyCurations(content: SampleContent, links: readonly CurationLink[], accession: string): CuratedView {
  const applied = new Set<string>();
  if (links.length === 0) return { content, applied };
  let parts = takeApart(content);
  for (const { curation, hash } of links) {
    const changed = applyOne(parts, curation, accession);
    if (changed === undefined) continue;
    parts = changed;
    applied.add(hash);
  }
  return { content: applied.size === 0 ? content : putTogether(content, parts), applied };
}

/** A characteristic as a list item that remembers what curations cannot spell: the unit's terms. */
interface AttributeItem {
  attribute: CuratedAttribute;
  entry: Characteristic;
}

interface Parts {
  attributes: AttributeItem[];
  externalReferences: ExternalReference[];
  relationships: Relationship[];
}

function applyOne(parts: Parts, curation: Curation, accession: string): Parts | undefined {
  const attributes = exchange(
    parts.attributes,
    curation.attributesPre.map(itemOf),
    curation.attributesPost.map(itemOf),
    ({ attribute }) => attributeKey(attribute),
  );
  const externalReferences = exchange(
    parts.externalReferences,
    curation.externalReferencesPre,
    curation.externalReferencesPost,
    referenceKey,
  );
  const relationships = exchange(
    parts.relationships,
    curation.relationshipsPre,
    curation.relationshipsPost,
    (relationship) => relationshipKey(relationship, accession),
  );
  return attributes && externalReferences && relationships && { attributes, externalReferences, relationships };
}

/** Every Pre entry must be there and goes; every Post entry comes. One that is in both stays where it is. */
function exchange<T>(
  present: readonly T[],
  pre: readonly T[],
  post: readonly T[],
  keyOf: (item: T) => string,
): T[] | undefined {
  if (pre.length === 0 && post.length === 0) return [...present];
  const keys = new Set(present.map(keyOf));
  const going = new Set(pre.map(keyOf));
  for (const key of going) if (!keys.has(key)) return undefined;
  const coming = new Set(post.map(keyOf));
  const kept = present.filter((item) => {
    const key = keyOf(item);
    return !going.has(key) || coming.has(key);
  });
  const there = new Set(kept.map(keyOf));
  for (const item of post) {
    const key = keyOf(item);
    if (there.has(key)) continue;
    there.add(key);
    kept.push(item);
  }
  return kept;
}

const iriKey = (iri: readonly string[] | undefined): string[] =>
  [...new Set((iri ?? []).filter((item) => item !== ''))].sort();

/** Absent and empty members are the same, IRIs are a set. */
const attributeKey = ({ type, value, iri, unit, tag }: CuratedAttribute): string =>
  JSON.stringify([type, value, iriKey(iri), unit ?? '', tag ?? '']);

const referenceKey = ({ url, duo }: ExternalReference): string => JSON.stringify([url, iriKey(duo)]);

/** Types are compared without case, blanks and underscores; a blank source is the sample itself. */
const relationshipKey = ({ source, type, target }: Relationship, accession: string): string =>
  JSON.stringify([source || accession, foldType(type), target]);

export const foldType = (type: string): string => type.toLowerCase().replace(/[\s_]+/g, '');

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

function takeApart(content: SampleContent): Parts {
  const attributes: AttributeItem[] = [];
  for (const type of Object.keys(content.characteristics)) {
    for (const entry of content.characteristics[type] ?? []) {
      const { text: value = '', ontologyTerms: iri = [], unit = '' } = entry;
      attributes.push({ attribute: { type, value, iri, unit }, entry });
    }
  }
  return {
    attributes,
    externalReferences: content.externalReferences,
    relationships: content.relationships,
  };
}

function putTogether(content: SampleContent, parts: Parts): SampleContent {
  const characteristics = Object.create(null) as Characteristics;
  for (const { attribute, entry } of parts.attributes) {
    const entries = characteristics[attribute.type];
    if (entries) entries.push(entry);
    else characteristics[attribute.type] = [entry];
  }
  return {
    ...content,
    characteristics,
    externalReferences: parts.externalReferences,
    relationships: parts.relationships,
  };
}
