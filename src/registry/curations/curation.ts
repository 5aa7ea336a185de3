/** Curations: changes to a sample's visible content that leave the stored sample as it is. */
import type { ExternalReference, Relationship } from '../samples/sample.js';

/** One characteristic value as curations spell it. */
export interface CuratedAttribute {
  type: string;
  value: string;
  iri?: string[];
  unit?: string;
  tag?: string;
}

/** What a curation takes away (Pre) and puts in its place (Post). */
export interface Curation {
  attributesPre: CuratedAttribute[];
  attributesPost: CuratedAttribute[];
  externalReferencesPre: ExternalReference[];
  externalReferencesPost: ExternalReference[];
  relationshipsPre: Relationship[];
  relationshipsPost: Relationship[];
  /** SHA-256, hex, of the canonical JSON of the six lists. */
  hash: string;
}

/** A curation tied to one sample by one account. */
export interface CurationLink {
  curation: Curation;
  domain: string | null;
  /** Name of the account that curates. */
  account: string;
  /** Milliseconds since 1970, the server's clock. */
  created: number;
  /** When the sample's owner declined it, milliseconds since 1970; absent: it applies to what readers see. */
  declined?: number;
  /** SHA-256, hex, of curation hash + accession + account. */
  hash: string;
}
