/** A sample as it is stored, with what is attached to it, for those who keep a copy of a registry. */

import type { Curation, CurationLink } from '../curations/curation.js';
import { formatDateTime } from '../date-time.js';
import { type Caller, mayReadHistory } from '../permissions.js';
import { decodeContent, encodeContent } from '../samples/content-json.js';
import type { HeldStatus, SubmittedVia } from '../samples/sample.js';
import type { SampleRecord } from '../samples/sample-store.js';
import type { StructuredDataTable } from '../structured-data/structured-data.js';

/** Times are ISO 8601. Members that only the history tells are there for those who may read it. */
export interface SampleRecordDocument {
  accession: string;
  account: string;
  name: string;
  release: string;
  adminStatus?: HeldStatus;
  created: string;
  updated: string;
  /** Absent for a placeholder. */
  submitted?: string;
  via: SubmittedVia;
  version?: number;
  author?: string;
  line?: number;
  /** As submitted; absent lists are empty. */
  content: object;
  curationLinks: (Omit<CurationLink, 'created' | 'declined' | 'curation'> & {
    curation: Curation;
    created: string;
    declined?: string;
  })[];
  structuredData: (Omit<StructuredDataTable, 'created' | 'updated'> & { created: string; updated: string })[];
}

export function sampleRecordDocument(
  { sample, curationLinks, structuredData }: SampleRecord,
  accession: string,
  caller: Caller | undefined,
): SampleRecordDocument {
  const { account, name, adminStatus, via, version, author, line } = sample;
  return {
    accession,
    account,
    name,
    release: formatDateTime(sample.release),
    ...(adminStatus === undefined ? {} : { adminStatus }),
    created: formatDateTime(sample.created),
    updated: formatDateTime(sample.updated),
    ...(sample.submitted === undefined ? {} : { submitted: formatDateTime(sample.submitted) }),
    via,
    ...(mayReadHistory(sample, caller) ? { version, author, ...(line === undefined ? {} : { line }) } : {}),
    content: JSON.parse(encodeContent(sample.content)) as object,
    curationLinks: curationLinks.map(({ declined, created, ...link }) => ({
      ...link,
      created: formatDateTime(created),
      ...(declined === undefined ? {} : { declined: formatDateTime(declined) }),
    })),
    structuredData: structuredData.map(({ created, updated, ...table }) => ({
      ...table,
      created: formatDateTime(created),
      updated: formatDateTime(updated),
    })),
  };
}

/** The sample of such a document under its number; what the document does not say is as in a first version of its owner. */
export function recordOfDocument(document: SampleRecordDocument, id: number): SampleRecord {
  const { account, name, adminStatus, via, version = 1, author = account, line, submitted } = document;
  return {
    sample: {
      id,
      account,
      name,
      release: Date.parse(document.release),
      content: decodeContent(JSON.stringify(document.content)),
      author,
      via,
      ...(line === undefined ? {} : { line }),
      ...(adminStatus === undefined ? {} : { adminStatus }),
      version,
      created: Date.parse(document.created),
      updated: Date.parse(document.updated),
      ...(submitted === undefined ? {} : { submitted: Date.parse(submitted) }),
    },
    curationLinks: document.curationLinks.map(({ declined, created, ...link }) => ({
      ...link,
      created: Date.parse(created),
      ...(declined === undefined ? {} : { declined: Date.parse(declined) }),
    })),
    structuredData: document.structuredData.map(({ created, updated, ...table }) => ({
      ...table,
      created: Date.parse(created),
      updated: Date.parse(updated),
    })),
  };
}
