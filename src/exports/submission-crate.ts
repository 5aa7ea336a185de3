/**
 * A submission as an RO-Crate: its file, everything that the registry made of it, and the document that describes them,
 * last in the archive, when sizes and checksums of the others are known.
 */

import { type Crate, type CrateFile, crateDocument, METADATA_FILE } from '../formats/ro-crate.js';
import { NDJSON } from '../registry/json-form.js';
import { ownText } from '../registry/own-text.js';
import type { ReceiptPlace } from '../submissions/isa-json/result.js';
import { safeBase, safeName } from '../submissions/results/archive-names.js';
import {
  formOf,
  REJECTED_ENDING,
  REJECTED_TYPE,
  RESULT_ENDING,
  RESULT_TYPE,
} from '../submissions/results/result-form.js';
import type { Results } from '../submissions/results/results.js';
import { type ZipEntry, zipStream } from '../submissions/results/zip-stream.js';
import { isFinal, type Submission } from '../submissions/submission.js';

/** Described one by one in the document; all of them are in the mapping. */
export const CRATE_SAMPLES = 1_000;
/** Characters of their names. */
const NAMES_MOST = 512 * 1024;

export interface CrateMakers {
  results: Pick<Results, 'result' | 'original' | 'mapping' | 'errors' | 'errorsJson' | 'receipt' | 'registered'>;
  software: Crate['software'];
}

interface Part extends Omit<CrateFile, 'size' | 'sha256'> {
  content: () => AsyncIterable<string | Buffer>;
}

/** The archive, piece by piece. @throws RegistryError where result or original have one, before the first piece */
export async function* submissionCrate(
  { results, software }: CrateMakers,
  submission: Submission,
  place: ReceiptPlace & { registry: string },
): AsyncGenerator<Buffer> {
  for await (const _ of results.original(submission)) break;
  for await (const _ of results.result(submission)) break;
  const files: CrateFile[] = [];
  const parts = partsOf(results, submission, place);
  const entries = parts.map(
    ({ content, ...about }): ZipEntry => ({
      name: about.path,
      modified: submission.updated,
      content,
      written: (measures) => files.push({ ...about, ...measures }),
    }),
  );
  const document = async function* (): AsyncGenerator<string> {
    const [uploaded, ...made] = files as [CrateFile, ...CrateFile[]];
    const samples = await firstSamples(results, submission);
    const { registry } = place;
    const about = aboutSubmission(submission, samples.length);
    yield crateDocument({ registry, software, submission: about, uploaded, made, samples }, new Date().toISOString());
  };
  yield* zipStream([...entries, { name: METADATA_FILE, modified: submission.updated, content: document }]);
}

function partsOf(results: CrateMakers['results'], submission: Submission, place: ReceiptPlace): Part[] {
  const { fileName, counts, issues, state } = submission;
  const form = formOf(submission);
  const parts: Part[] = [
    {
      path: `original/${safeName(fileName)}`,
      description: 'The file as it was uploaded.',
      encodingFormat: typeOfOriginal(submission),
      content: () => results.original(submission),
    },
    {
      path: `result/${safeBase(fileName)}.result.${RESULT_ENDING[form]}`,
      description: 'The file with the accession of each sample, and what became of every row.',
      encodingFormat: RESULT_TYPE[form],
      content: () => results.result(submission),
    },
    {
      path: 'mapping.json',
      description: 'The name and accession of every sample of the file.',
      encodingFormat: JSON_TYPE,
      content: () => results.mapping(submission),
    },
  ];
  if (form === 'isa' && isFinal(state)) {
    parts.push({
      path: 'receipt.json',
      description: 'Where each accession belongs in the ISA-JSON document, as MARS reads it.',
      encodingFormat: JSON_TYPE,
      content: async function* () {
        yield* await results.receipt(submission, place);
      },
    });
  }
  if (counts.rejected > 0) {
    parts.push({
      path: `rejected.${REJECTED_ENDING[form]}`,
      description: 'The rejected rows alone, with what is wrong in each.',
      encodingFormat: REJECTED_TYPE[form],
      content: () => results.errors(submission),
    });
  }
  if (counts.rejected > 0 || issues.some(({ severity }) => severity !== 'note')) {
    parts.push({
      path: 'errors.json',
      description: 'Errors and warnings by line and column.',
      encodingFormat: JSON_TYPE,
      content: () => results.errorsJson(submission),
    });
  }
  return parts;
}

async function firstSamples(results: CrateMakers['results'], submission: Submission): Promise<Crate['samples']> {
  const names = new Map<string, string>();
  let characters = 0;
  for await (const pairs of results.registered(submission)) {
    for (const { sampleName, sampleAccession } of pairs) {
      if (names.size >= CRATE_SAMPLES || characters + sampleName.length > NAMES_MOST) return listed(names);
      if (!names.has(sampleAccession)) characters += sampleName.length;
      names.set(sampleAccession, ownText(sampleName));
    }
  }
  return listed(names);
}

const listed = (names: ReadonlyMap<string, string>): Crate['samples'] =>
  [...names].map(([accession, name]) => ({ accession, name }));

function aboutSubmission(submission: Submission, described: number): Crate['submission'] {
  const { id, account, fileName, state, created, updated, counts, problem, options } = submission;
  const { rows, rejected } = counts;
  const all = counts.created + counts.updated + counts.unchanged;
  const outcomes = `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${rejected} rejected`;
  const summary = [
    `${fileName} as it was uploaded, with what the registry made of it: ${rows} rows, ${outcomes}.`,
    ...(options.dryRun ? ['It was a dry run: nothing was registered.'] : []),
    ...(isFinal(state) ? [] : ['It is still worked on: the files hold what is done so far.']),
    ...(state === 'CANCELLED' ? ['It was cancelled before its end.'] : []),
    ...(described < all
      ? [
          `Of ${all} samples, ${described} are described here one by one; mapping.json has every one that has an accession.`,
        ]
      : []),
  ].join(' ');
  const failed = state === 'FAILED' || state === 'CANCELLED';
  const error = problem?.message ?? (state === 'CANCELLED' ? 'It was cancelled.' : undefined);
  return {
    id,
    account,
    fileName,
    began: new Date(created).toISOString(),
    ...(isFinal(state) ? { ended: new Date(updated).toISOString() } : {}),
    outcome: failed ? 'Failed' : isFinal(state) ? 'Completed' : 'Active',
    ...(failed ? { error: error ?? `All of ${rows} rows were rejected.` } : {}),
    summary,
  };
}

const JSON_TYPE = 'application/json';

const TYPES: Record<string, string> = {
  tsv: RESULT_TYPE.sheet,
  tab: RESULT_TYPE.sheet,
  csv: 'text/csv',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  zip: 'application/zip',
  gz: 'application/gzip',
};

/** Of JSON as it was read; of everything else by its extension. */
function typeOfOriginal({ fileName, columns, options: { readAs } }: Submission): string {
  const archived = readAs?.archived === true;
  if (readAs?.isa || (columns?.json === 'array' && !archived)) return JSON_TYPE;
  if (columns?.json !== undefined && !archived) return NDJSON;
  const extension = fileName.toLowerCase().split('.').at(-1) ?? '';
  return TYPES[extension] ?? 'application/octet-stream';
}
