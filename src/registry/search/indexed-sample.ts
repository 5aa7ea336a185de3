/** What the search index takes in of one sample, and the bounds that keep a step of indexing short whatever is stored. */
import { formatAccession } from '../accession.js';
import type { CurationLink } from '../curations/curation.js';
import { applyCurations } from '../curations/curation-rules.js';
import { emptyContent, type SampleContent } from '../samples/sample.js';
import { noFacets, type SampleFacets } from './sample-facets.js';
import { type IndexedParts, partsOf, partsOfRow, type SheetRow } from './sample-parts.js';
import { termsOf } from './search-terms.js';
import { Terms } from './term-keys.js';

/** Stored bytes of the samples of one step (one sample may be larger): some 50 ms, and 20 MB of the indexer's memory. */
export const STEP_BYTES = 1_000_000;
/** Milliseconds after which a step takes in no further sample. */
export const STEP_MS = 100;
/** Stored bytes of a sample with its curations beyond which it is found by its name and accession alone. */
export const SAMPLE_BYTES = 4_000_000;
/** Attempts at a step that ended with their process, the last two of them at one sample alone: it is passed by name only. */
export const FAILED_ATTEMPTS = 3;
/**
 * Samples that are taken in one at a time after such an attempt: a step of each costs some milliseconds. One to blame that lies behind
 * them is met by a step of many again.
 */
export const CAREFUL_SAMPLES = 200;

/** Samples opened at once when their date has come. */
export const OPENED_AT_ONCE = 2_000;

/** What is known of a sample before its content is read. */
export interface SampleHead {
  id: number;
  name: string;
  /** Stored bytes of content and curations. */
  bytes: number;
}

export interface IndexedSample {
  /** The word of its accession among them, but in parts (`numberOfWord` in accession-terms.ts). */
  terms: Terms[];
  facets: SampleFacets;
  /** Why it is found by its name and accession alone. */
  nameOnly?: string;
}

export interface ReadContent {
  content: SampleContent;
  curationLinks: CurationLink[];
}

/**
 * The terms of a sample. One that is too large, has failed too often (`failed`), or whose content cannot be read is
 * found by name and accession: it must not stop all that come after it.
 */
export function indexedSample(
  prefix: string,
  head: SampleHead,
  failed: boolean,
  read: () => ReadContent,
): IndexedSample {
  const made = unlessUnreadable(head, failed, () => ofContent(prefix, head, read()));
  const found = typeof made === 'string' ? { ...ofContent(prefix, head, NOTHING), nameOnly: made } : made;
  found.terms.push(new Terms(formatAccession(prefix, head.id)));
  return found;
}

/** The same part by part; `read` may give a sheet's row as it is stored. */
export function indexedParts(
  prefix: string,
  head: SampleHead,
  failed: boolean,
  read: () => ReadContent | SheetRow,
): IndexedParts {
  const found = unlessUnreadable(head, failed, () => {
    const stored = read();
    return 'content' in stored ? partsOf(ofContent(prefix, head, stored)) : partsOfRow(prefix, head, stored);
  });
  return typeof found === 'string' ? { ...partsOf(ofContent(prefix, head, NOTHING)), nameOnly: found } : found;
}

const NOTHING: ReadContent = { content: emptyContent(), curationLinks: [] };

function ofContent(prefix: string, head: SampleHead, { content, curationLinks }: ReadContent): IndexedSample {
  const facets = noFacets();
  const curated = applyCurations(content, curationLinks, formatAccession(prefix, head.id)).content;
  return { terms: termsOf(prefix, head, curated, facets), facets };
}

/** What `make` gives, or why it gives nothing. */
function unlessUnreadable<T extends object>({ bytes }: SampleHead, failed: boolean, make: () => T): T | string {
  if (failed) return 'The process that indexes ended twice while it read this sample.';
  if (bytes > SAMPLE_BYTES) {
    return `Content and curations take ${bytes} bytes; up to ${SAMPLE_BYTES} are indexed.`;
  }
  try {
    return make();
  } catch (error) {
    return `The stored sample cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
