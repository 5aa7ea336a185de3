/** The JSON document of a sample, in a fixed order of members, without links. */
import { formatAccession } from '../accession.js';
import { formatDateTime } from '../date-time.js';
import type { StructuredDataRow, StructuredDataTable } from '../structured-data/structured-data.js';
import { taxIdOf } from '../tax-id.js';
import type { Characteristics, SampleContent, SampleStatus, StoredSample, SubmittedVia, TextRecord } from './sample.js';
import { statusOf } from './status.js';

export interface SampleDocument {
  name: string;
  accession?: string;
  domain?: string;
  submissionAccountId?: string;
  taxId?: number;
  status: SampleStatus;
  release: string;
  update: string;
  submitted?: string;
  characteristics: Characteristics;
  relationships?: { source?: string; type: string; target: string }[];
  externalReferences?: { url: string; duo: string[] }[];
  submittedVia: SubmittedVia;
  create: string;
  data?: StructuredDataDocument[];
  contact?: TextRecord[];
  organization?: TextRecord[];
  publications?: TextRecord[];
}

/** One element of `data`. */
export interface StructuredDataDocument {
  domain: string | null;
  submissionAccountId: string | null;
  type: string;
  schema: string | null;
  content: StructuredDataRow[];
}

export interface RepresentationSettings {
  prefix: string;
  /** A second name under which the owner is written, for clients of the reference system. */
  accountFieldAlias?: string | undefined;
  now: number;
}

/** What of a stored sample a document shows beside its content. */
export type ShownSample = Pick<
  StoredSample,
  'id' | 'name' | 'account' | 'release' | 'adminStatus' | 'updated' | 'submitted' | 'created' | 'via'
>;

/** `content` is the sample's own or its curated one. */
export function sampleDocument(
  sample: ShownSample,
  content: SampleContent,
  tables: readonly StructuredDataTable[],
  settings: RepresentationSettings,
): SampleDocument {
  const accession = formatAccession(settings.prefix, sample.id);
  return {
    name: sample.name,
    accession,
    ...(content.domain ? { domain: content.domain } : {}),
    ...accountMembers(sample.account, settings),
    ...contentTaxId(content),
    status: statusOf(sample, settings.now),
    release: formatDateTime(sample.release),
    update: formatDateTime(sample.updated),
    // A placeholder was submitted when it was made, until its first update.
    submitted: formatDateTime(sample.submitted ?? sample.created),
    ...contentMembers(content, accession),
    submittedVia: sample.via,
    create: formatDateTime(sample.created),
    ...(tables.length > 0 ? { data: tables.map((table) => tableDocument(table, settings)) } : {}),
    ...recordMembers(content),
  };
}

export const accountMembers = (
  account: string,
  { accountFieldAlias }: Pick<RepresentationSettings, 'accountFieldAlias'>,
): Record<string, string> => ({
  submissionAccountId: account,
  ...(accountFieldAlias === undefined ? {} : { [accountFieldAlias]: account }),
});

export const tableDocument = (
  table: StructuredDataTable,
  settings: Pick<RepresentationSettings, 'accountFieldAlias'>,
): StructuredDataDocument => ({
  domain: table.domain,
  submissionAccountId: table.account,
  ...accountMembers(table.account, settings),
  type: table.type,
  schema: table.schema,
  content: table.content,
});

export function contentTaxId(content: SampleContent): { taxId?: number } {
  const taxId = taxIdOf(content);
  return taxId === undefined ? {} : { taxId };
}

/** A blank source means the sample itself. */
export function contentMembers(
  { characteristics, relationships, externalReferences }: SampleContent,
  accession: string | undefined,
): Pick<SampleDocument, 'characteristics' | 'relationships' | 'externalReferences'> {
  return {
    characteristics,
    ...(relationships.length > 0
      ? {
          relationships: relationships.map(({ source = accession, type, target }) => ({
            ...(source === undefined ? {} : { source }),
            type,
            target,
          })),
        }
      : {}),
    ...(externalReferences.length > 0
      ? { externalReferences: externalReferences.map(({ url, duo }) => ({ url, duo: duo ?? [] })) }
      : {}),
  };
}

export function recordMembers({
  contact,
  organization,
  publications,
}: SampleContent): Pick<SampleDocument, 'contact' | 'organization' | 'publications'> {
  return {
    ...(contact.length > 0 ? { contact } : {}),
    ...(organization.length > 0 ? { organization } : {}),
    ...(publications.length > 0 ? { publications } : {}),
  };
}
