/** RO-Crate 1.2: what a submission was, as the document `ro-crate-metadata.json` of the archive that holds its files. */
import { BIOSAMPLE_PROFILE } from './bioschemas.js';
import { asJson } from './format.js';

export const METADATA_FILE = 'ro-crate-metadata.json';

const VERSION = 'https://w3id.org/ro/crate/1.2';
/** The type of Bioschemas, which the context of RO-Crate lacks. */
const CONTEXT = [`${VERSION}/context`, { BioSample: 'https://bioschemas.org/types/BioSample' }];

export interface CrateFile {
  /** Path in the archive. */
  path: string;
  description: string;
  /** Media type. */
  encodingFormat: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
}

export interface Crate {
  /** Address of the registry. */
  registry: string;
  software: { name: string; version: string };
  submission: {
    id: string;
    account: string;
    fileName: string;
    /** ISO 8601. */
    began: string;
    /** ISO 8601; absent while it is worked on. */
    ended?: string;
    outcome: 'Active' | 'Completed' | 'Failed';
    /** Why it failed. */
    error?: string;
    /** What became of it, in a sentence. */
    summary: string;
  };
  uploaded: CrateFile;
  made: readonly CrateFile[];
  samples: readonly { accession: string; name: string }[];
}

type Entity = { '@id': string } & Record<string, unknown>;

/** The date stands for one that is not there yet: the document asks for it. */
export function crateDocument(crate: Crate, now: string): string {
  const { registry, submission, uploaded, made, samples } = crate;
  const { id, account, fileName, began, ended, summary } = submission;
  const address = `${registry}/submissions/${id}`;
  const addressOf = (accession: string): string => `${registry}/samples/${accession}`;
  const root: Entity = {
    '@id': './',
    '@type': 'Dataset',
    name: `${fileName}, submission ${id}`,
    description: summary,
    identifier: ref('#submission'),
    url: address,
    dateCreated: began,
    datePublished: ended ?? now,
    license: `No licence is recorded for this submission. Ask the account ${account} of ${registry} before its files are used by others.`,
    author: ref('#account'),
    hasPart: refs([uploaded, ...made].map(({ path }) => uriOf(path))),
    mentions: refs(['#registration', ...samples.map(({ accession }) => addressOf(accession))]),
  };
  const graph: Entity[] = [
    { '@id': METADATA_FILE, '@type': 'CreativeWork', conformsTo: ref(VERSION), about: ref('./') },
    root,
    { '@id': '#submission', '@type': 'PropertyValue', propertyID: 'submission ID', value: id, url: address },
    { '@id': '#account', '@type': 'Organization', name: account, description: `An account of ${registry}.` },
    { '@id': '#software', '@type': 'SoftwareApplication', ...crate.software, url: registry },
    registration(crate),
    ...[uploaded, ...made].map(fileEntity),
    ...samples.map(({ accession, name }) => ({
      '@id': addressOf(accession),
      '@type': 'BioSample',
      conformsTo: ref(BIOSAMPLE_PROFILE),
      identifier: accession,
      name,
      url: addressOf(accession),
    })),
  ];
  if (samples.length > 0)
    graph.push({ '@id': BIOSAMPLE_PROFILE, '@type': ['CreativeWork', 'Profile'], name: 'Bioschemas BioSample 0.2' });
  return asJson({ '@context': CONTEXT, '@graph': graph });
}

/** What the registry did with the file. */
const registration = ({ submission, uploaded, made }: Crate): Entity => ({
  '@id': '#registration',
  '@type': 'CreateAction',
  name: `Registration of ${submission.fileName}`,
  agent: ref('#account'),
  instrument: ref('#software'),
  object: ref(uriOf(uploaded.path)),
  result: refs(made.map(({ path }) => uriOf(path))),
  startTime: submission.began,
  ...(submission.ended === undefined ? {} : { endTime: submission.ended }),
  actionStatus: ref(`http://schema.org/${submission.outcome}ActionStatus`),
  ...(submission.error === undefined ? {} : { error: submission.error }),
});

const fileEntity = ({ path, description, encodingFormat, size, sha256 }: CrateFile): Entity => ({
  '@id': uriOf(path),
  '@type': 'File',
  name: path.split('/').at(-1),
  description,
  encodingFormat,
  contentSize: String(size),
  sha256,
});

const ref = (id: string): { '@id': string } => ({ '@id': id });

/** One stands by itself: the document is compacted. */
function refs(ids: readonly string[]): { '@id': string } | { '@id': string }[] {
  const [first, ...rest] = ids.map(ref);
  return first && rest.length === 0 ? first : ids.map(ref);
}

/** A path as an `@id`: letters of every language stay as they are, what has a meaning in addresses is escaped. */
const uriOf = (path: string): string =>
  path.replace(/[^A-Za-z0-9/._~!$&'()*+,;=@\u0080-\u{10FFFF}-]/gu, encodeURIComponent);
