/** Reads a curation link from the JSON body of a request and writes one. */
import type { z } from 'zod';
import { memberOf, Problems, requireObject, wouldBeLost } from '../body.js';
import { formatDateTime } from '../date-time.js';
import { accountMembers, type RepresentationSettings } from '../samples/representation.js';
import type { externalReferenceSchema, relationshipSchema } from '../samples/sample-schema.js';
import type { Curation, CurationLink } from './curation.js';
import { type CuratedView, type CurationLists, curationHash } from './curation-rules.js';
import { curatedAttributeSchema, curationLinkBodySchema } from './curation-schema.js';

export interface CurationLinkBody {
  /** Accession as sent. */
  sample?: string;
  curation: Curation;
  domain: string | null;
}

/** @throws RegistryError request.invalid, curation.invalid */
export function parseCurationLink(body: unknown): CurationLinkBody {
  const members = requireObject(body);
  const problems = new Problems();
  const own = {
    sample: memberOf(members, 'sample'),
    curation: memberOf(members, 'curation'),
    domain: memberOf(members, 'domain'),
  };
  const read = problems.read(curationLinkBodySchema, own, []);
  if (read) findLost(own.curation as Record<string, unknown>, problems);
  problems.throwAs('curation.invalid');
  const { curation, sample, domain } = read as z.infer<typeof curationLinkBodySchema>;
  const lists: CurationLists = {
    attributesPre: (curation.attributesPre ?? []).map(readAttribute),
    attributesPost: (curation.attributesPost ?? []).map(readAttribute),
    externalReferencesPre: (curation.externalReferencesPre ?? []).map(readReference),
    externalReferencesPost: (curation.externalReferencesPost ?? []).map(readReference),
    relationshipsPre: (curation.relationshipsPre ?? []).map(readRelationship),
    relationshipsPost: (curation.relationshipsPost ?? []).map(readRelationship),
  };
  return {
    ...(sample ? { sample } : {}),
    curation: { ...lists, hash: curationHash(lists) },
    domain: domain ?? null,
  };
}

const LISTS = Object.keys(curationLinkBodySchema.shape.curation.shape);
/** Of older clients; they mean nothing. */
const PASSED_OVER = ['externalPre', 'externalPost'];
/** Beside what it is about. */
const ATTRIBUTE_MEMBERS = Object.keys(curatedAttributeSchema.shape).filter((name) => name !== 'type');

/** What is misspelt would change the sample otherwise than its sender means, and nobody would hear of it. */
function findLost(curation: Record<string, unknown>, problems: Problems): void {
  for (const [name, list] of Object.entries(curation)) {
    if (!Array.isArray(list) || list.length === 0 || PASSED_OVER.includes(name)) continue;
    if (!LISTS.includes(name)) {
      problems.add(['curation', name], `is not known here; the lists are ${LISTS.join(', ')}`);
    } else if (name.startsWith('attributes')) {
      for (const [at, { type, ...said }] of list.entries())
        problems.addAny(['curation', name, at], wouldBeLost(said, ATTRIBUTE_MEMBERS));
    }
  }
}

function readAttribute({ type, value, iri, unit, tag }: z.infer<typeof curatedAttributeSchema>) {
  return { type, value: value ?? '', ...list('iri', iri), ...(unit ? { unit } : {}), ...(tag ? { tag } : {}) };
}

const readReference = ({ url, duo }: z.infer<typeof externalReferenceSchema>) => ({ url, ...list('duo', duo) });

const readRelationship = ({ source, type, target }: z.infer<typeof relationshipSchema>) => ({
  ...(source ? { source } : {}),
  type,
  target,
});

function list<K extends string>(member: K, items: readonly string[] | null | undefined): { [P in K]?: string[] } {
  const kept = items?.filter((item) => item !== '') ?? [];
  return (kept.length > 0 ? { [member]: kept } : {}) as { [P in K]?: string[] };
}

export interface CurationDocument {
  attributesPre: { type: string; value: string; iri: string[]; unit?: string; tag?: string }[];
  attributesPost: { type: string; value: string; iri: string[]; unit?: string; tag?: string }[];
  externalReferencesPre: { url: string; duo: string[] }[];
  externalReferencesPost: { url: string; duo: string[] }[];
  relationshipsPre: { source?: string; type: string; target: string }[];
  relationshipsPost: { source?: string; type: string; target: string }[];
  hash: string;
}

export interface CurationLinkDocument {
  sample: string;
  curation: CurationDocument;
  domain: string | null;
  submissionAccountId: string;
  created: string;
  /** When the sample's owner declined it; absent: it applies to what readers see. */
  declined?: string;
  hash: string;
  /** In lists and at its own address: whether it changes what readers see. */
  applied?: boolean;
  /** JSON pointers to entries in this document that it would take away, and that the sample does not have. */
  missing?: string[];
}

export function curationDocument(curation: Curation): CurationDocument {
  const attribute = ({ type, value, iri, ...others }: Curation['attributesPre'][number]) => ({
    type,
    value,
    iri: iri ?? [],
    ...others,
  });
  const reference = ({ url, duo }: Curation['externalReferencesPre'][number]) => ({ url, duo: duo ?? [] });
  return {
    attributesPre: curation.attributesPre.map(attribute),
    attributesPost: curation.attributesPost.map(attribute),
    externalReferencesPre: curation.externalReferencesPre.map(reference),
    externalReferencesPost: curation.externalReferencesPost.map(reference),
    relationshipsPre: curation.relationshipsPre,
    relationshipsPost: curation.relationshipsPost,
    hash: curation.hash,
  };
}

export function curationLinkDocument(
  accession: string,
  link: CurationLink,
  settings: Pick<RepresentationSettings, 'accountFieldAlias'>,
  view?: Pick<CuratedView, 'applied' | 'missing'>,
): CurationLinkDocument {
  const missing = view?.missing.get(link.hash);
  return {
    sample: accession,
    curation: curationDocument(link.curation),
    domain: link.domain,
    submissionAccountId: link.account,
    ...accountMembers(link.account, settings),
    created: formatDateTime(link.created),
    ...(link.declined === undefined ? {} : { declined: formatDateTime(link.declined) }),
    hash: link.hash,
    ...(view ? { applied: view.applied.has(link.hash) } : {}),
    ...(missing ? { missing } : {}),
  };
}
