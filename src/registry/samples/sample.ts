/**
 * The sample and its parts, as every room of the house names them.
 * Shapes: interface section 2; member order, defaults and clock rules: docs/api.md.
 */

/** One entry of a characteristic. `unitOntologyTerms` exists only when a sheet or a client gave it. */
export interface Characteristic {
  text?: string;
  ontologyTerms?: string[];
  unit?: string;
  unitOntologyTerms?: string[];
}

/** Name → entries. Names are users' data: the object has no prototype, so `__proto__` is a name like any other. */
export type Characteristics = Record<string, Characteristic[]>;

/** A link to another sample. An absent source means the sample itself. */
export interface Relationship {
  source?: string;
  type: string;
  target: string;
}

/** A link to a resource elsewhere. */
export interface ExternalReference {
  url: string;
  duo?: string[];
}

/** Contacts, organizations and publications: flat records of text, in the submitter's own member names. */
export type TextRecord = Record<string, string>;

/** What a submitter says of a sample beside its name and release date. */
export interface SampleContent {
  domain?: string;
  taxId?: number;
  characteristics: Characteristics;
  relationships: Relationship[];
  externalReferences: ExternalReference[];
  contact: TextRecord[];
  organization: TextRecord[];
  publications: TextRecord[];
}

/** A sample as it asks to be stored. `release` is milliseconds since 1970, UTC. */
export interface SampleDraft {
  name: string;
  release: number;
  content: SampleContent;
}

/** How a sample came in (`submittedVia`). */
export type SubmittedVia = 'JSON_API' | 'FILE_UPLOADER';

/** Statuses that an administrator sets; they win over the one derived from the release date. */
export const ADMIN_STATUSES = ['SUPPRESSED', 'KILLED', 'CANCELLED'] as const;
export type AdminStatus = (typeof ADMIN_STATUSES)[number];
/** What its owner sets and takes back. */
export const WITHDRAWN = 'WITHDRAWN';
/** Nothing is kept of the sample but its number, its owner, its release and when versions of it were written; nobody changes it any more (docs/decisions/0198). */
export const ERASED = 'ERASED';
/**
 * What is stored of a sample that its release does not decide about. `MISSING`: withdrawn by a standing sheet that has it no
 * more, and shown as WITHDRAWN; the sheet that has it again takes back that and nothing else.
 */
export type HeldStatus = AdminStatus | typeof WITHDRAWN | 'MISSING' | typeof ERASED;
export type SampleStatus = 'PUBLIC' | 'PRIVATE' | AdminStatus | typeof WITHDRAWN | typeof ERASED;
export const SAMPLE_STATUSES = ['PUBLIC', 'PRIVATE', ...ADMIN_STATUSES, WITHDRAWN, ERASED] as const;

/** Who wrote a version and with what: a request, or a line of a submission. */
export interface Provenance {
  /** Name of the account that wrote this version. */
  author: string;
  via: SubmittedVia;
  submissionId?: string;
  line?: number;
}

/** One version of a sample as the store holds it. Times are milliseconds since 1970, UTC. */
export interface StoredSample extends SampleDraft, Provenance {
  /** The number in the accession. */
  id: number;
  /** Name of the owning account; never changes. */
  account: string;
  /** Column and member keep the name that they had when only administrators set one. */
  adminStatus?: HeldStatus;
  /** 1 for the first; each overwrite adds one. */
  version: number;
  created: number;
  updated: number;
  /** Absent while the sample is a placeholder that only has an accession. */
  submitted?: number;
}

/** Content with nothing in it. */
export function emptyContent(): SampleContent {
  return {
    characteristics: Object.create(null) as Characteristics,
    relationships: [],
    externalReferences: [],
    contact: [],
    organization: [],
    publications: [],
  };
}
