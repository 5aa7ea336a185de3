/**
 * What RO-Crate 1.2 asks of an attached package, as far as a program can tell: the document by its schema, and the
 * document beside the files. The schema is written from the rules of the specification.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ROOT } from '../support/output.js';

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTuples: false,
  strictTypes: false,
  strictRequired: false,
});
addFormats.default(ajv);
// RFC 3987, by its characters.
ajv.addFormat('iri-reference', /^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2}|[^\0-\x7f])*$/u);
const validate = ajv.compile(
  JSON.parse(readFileSync(join(ROOT, 'test/formats/schemas/ro-crate.schema.json'), 'utf8')) as object,
);

const METADATA = 'ro-crate-metadata.json';
/** Terms of the context of 1.2 that a crate of ours may use. */
const TERMS = new Set(
  (
    'about actionStatus agent author conformsTo contentSize dateCreated datePublished description encodingFormat endTime ' +
    'error hasPart identifier instrument license mentions name object propertyID result sha256 startTime url value version ' +
    'CreateAction CreativeWork Dataset File Organization Profile PropertyValue SoftwareApplication'
  ).split(' '),
);

export interface CrateEntity {
  '@id': string;
  '@type': string | string[];
  [member: string]: unknown;
}
export interface CrateDocument {
  '@context': unknown;
  '@graph': CrateEntity[];
}

/** What is wrong with a crate, in words; nothing of a good one. `entries`: path in the archive → bytes. */
export function crateFaults(document: CrateDocument, entries: ReadonlyMap<string, Buffer>): string[] {
  if (!validate(document)) return [ajv.errorsText(validate.errors)];
  const graph = document['@graph'];
  const ids = graph.map((entity) => entity['@id']);
  const referred = graph.flatMap(({ '@id': _, ...members }) => Object.values(members).flatMap(referencesOf));
  const types = graph.flatMap((entity) => entity['@type']);
  const own = Object.keys((document['@context'] as [string, object?])[1] ?? {});
  const used = [...types, ...graph.flatMap((entity) => Object.keys(entity).filter((key) => !key.startsWith('@')))];
  const files = graph.filter((entity) => entity['@type'] === 'File');
  const parts = referencesOf(graph.find((entity) => entity['@id'] === './')?.hasPart);
  const paths = files.map((entity) => decodeURIComponent(entity['@id']));
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is described twice`),
    ...referred.filter((id) => isLocal(id) && !ids.includes(id)).map((id) => `${id} is referred to and not described`),
    ...used
      .filter((term) => !TERMS.has(term) && !own.includes(term))
      .map((term) => `${term} is no term of the context`),
    ...files.filter((entity) => !parts.includes(entity['@id'])).map((entity) => `${entity['@id']} is no part`),
    ...[...entries.keys()]
      .filter((path) => path !== METADATA && !paths.includes(path))
      .map((path) => `${path} is in the archive and not described`),
    ...files.flatMap((entity, at) => fileFaults(entity, entries.get(paths[at] as string))),
  ];
}

function fileFaults({ '@id': id, contentSize, sha256 }: CrateEntity, bytes: Buffer | undefined): string[] {
  if (!bytes) return [`${id} is not in the archive`];
  if (String(bytes.length) !== contentSize) return [`${id} has ${bytes.length} bytes`];
  return createHash('sha256').update(bytes).digest('hex') === sha256 ? [] : [`${id} has another checksum`];
}

const isLocal = (id: string): boolean => !/^[a-z][a-z0-9+.-]*:/i.test(id);

const referencesOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => {
    const id = typeof one === 'object' && one !== null ? (one as { '@id'?: string })['@id'] : undefined;
    return id === undefined ? [] : [id];
  });
