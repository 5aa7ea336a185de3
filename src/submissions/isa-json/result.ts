/** What a submitter of ISA-JSON gets back: the document with accessions, and the receipt that MARS reads. Printed from the original and the ledger, never stored. */
import { formatAccession } from '../../registry/accession.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import { openSource, originalOf } from '../reading/stored-source.js';
import { LedgerReader } from '../results/ledger-reader.js';
import type { OutcomeDependencies } from '../results/outcomes.js';
import { isFinal, type Submission } from '../submission.js';
import { type Material, Materials } from './convert.js';
import {
  commentsOf,
  type Declared,
  type DeclaredStudy,
  isAccessionName,
  isMaterial,
  readDeclared,
  textOf,
} from './declared.js';
import { withComment } from './insert.js';
import { isAccessionOf } from './open.js';
import type { Part } from './parts.js';
import { isaPieces } from './scan.js';

/** The document as it came; each source and sample that was registered has its accession as the comment *accession*. */
export async function* isaResult(deps: OutcomeDependencies, submission: Submission): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of withOutcomes(deps, submission)) {
    yield piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : textWith(piece);
  }
}

function textWith({ part, members, accession }: Outcome): string {
  if (accession === undefined || members === undefined) return part.text;
  const has = commentsOf(members.comments).some(({ name, value }) => isAccessionName(name) && value === accession);
  return has ? part.text : withComment(part.text, members, { name: 'accession', value: accession });
}

interface Outcome extends Partial<Material> {
  part: Part;
  accession?: string;
  issues?: Issue[];
}

/** Every byte of the document, its sources and samples with what became of them. */
async function* withOutcomes(
  { store, blobs, prefix }: OutcomeDependencies,
  submission: Submission,
): AsyncGenerator<Buffer | Outcome> {
  const ledger = new LedgerReader(store.ledger(submission.id));
  const materials = new Materials(isAccessionOf(prefix));
  try {
    for await (const piece of isaPieces(openSource(blobs, originalOf(submission)))) {
      if (piece instanceof Uint8Array) yield piece;
      else if (!isMaterial(piece)) yield { part: piece };
      else {
        const material = materials.next(piece);
        const present = material.line === 0 ? undefined : await ledger.advance(material.line);
        const id = present?.idAt(material.line);
        const issues = present?.rejectedAt(material.line);
        yield {
          ...material,
          ...(id === undefined ? {} : { accession: formatAccession(prefix, id) }),
          ...(issues ? { issues } : {}),
        };
      }
    }
  } finally {
    await ledger.close();
  }
}

interface Step {
  key: string;
  where?: { key: string; value: string };
}

export interface ReceiptPlace {
  /** What the registry is called among repositories. */
  targetRepository: string;
  /** Where the same receipt is asked for again. */
  statusUrl: string;
}

/** JSON text. Both lists are there when some were registered and some rejected. */
export async function* marsReceipt(
  deps: OutcomeDependencies,
  submission: Submission,
  { targetRepository, statusUrl }: ReceiptPlace,
): AsyncGenerator<string> {
  const { id, state, counts, problem, created, options } = submission;
  yield `{"targetRepository":${JSON.stringify(targetRepository)},`;
  if (!isFinal(state)) {
    const { rows, rejected } = counts;
    yield `"status":${JSON.stringify({ statusUrl, id })},`;
    yield `"info":${JSON.stringify([{ name: 'Samples read so far', message: `${rows}, of which ${rejected} rejected` }])}}\n`;
    return;
  }
  yield `"info":${JSON.stringify([
    { name: 'Submission ID', message: id },
    { name: 'Submission date', message: new Date(created).toISOString() },
    ...(options.dryRun ? [{ name: 'Dry run', message: 'Everything was checked; nothing was registered.' }] : []),
  ])}`;
  if (problem && counts.rows === 0) yield `,"errors":${JSON.stringify(ofWhole(submission))}`;
  else yield* outcomeLists(deps, submission);
  yield '}\n';
}

/** What the submission failed for, which is wrong with no material in particular. */
const ofWhole = ({ problem }: Submission): object[] =>
  problem ? [{ type: 'INVALID_METADATA', message: problem.message }] : [];

async function* outcomeLists(deps: OutcomeDependencies, submission: Submission): AsyncGenerator<string> {
  const isOurs = isAccessionOf(deps.prefix);
  const declared = await readDeclared(openSource(deps.blobs, originalOf(submission)), isOurs);
  const pathOf = paths(declared);
  const { rejected, rows } = submission.counts;
  const failed = ofWhole(submission);
  const isBad = rejected > 0 || failed.length > 0;
  const lists: { key: string; isWanted: boolean; first: object[]; of: (outcome: Outcome) => object[] }[] = [
    {
      key: 'accessions',
      isWanted: !isBad || rejected < rows,
      first: [],
      of: (outcome) => (outcome.accession === undefined ? [] : [{ path: pathOf(outcome), value: outcome.accession }]),
    },
    {
      key: 'errors',
      isWanted: isBad,
      first: failed,
      of: (outcome) =>
        (outcome.issues ?? []).filter(isError).map(({ column, message }) => ({
          type: 'INVALID_METADATA',
          message: column === undefined ? message : `${column}: ${message}`,
          path: pathOf(outcome),
        })),
    },
  ];
  for (const { key, first, of } of lists.filter(({ isWanted }) => isWanted)) {
    yield `,"${key}":[${first.map((one) => `\n${JSON.stringify(one)}`).join(',')}`;
    let comma = first.length > 0 ? ',\n' : '\n';
    for await (const outcome of withOutcomes(deps, submission)) {
      if (outcome instanceof Uint8Array) continue;
      for (const one of of(outcome)) {
        yield comma + JSON.stringify(one);
        comma = ',\n';
      }
    }
    yield ']';
  }
}

const isError = ({ severity }: Issue): boolean => severity === 'error';

const STUDY_KEYS = ['@id', 'title', 'identifier', 'filename'] as const;

/** Where a source or sample stands, as MARS asks: each list by a member that tells its elements apart. */
function paths({ studies, wrapped }: Declared): (outcome: Outcome) => Step[] {
  const named = new Map<string, number>();
  for (const study of studies.values())
    for (const key of STUDY_KEYS) named.set(nameOf(key, study), (named.get(nameOf(key, study)) ?? 0) + 1);
  const ofStudy = new Map([...studies].map(([number, study]) => [number, whereOf(study, named)]));
  return ({ part, members }) => {
    const id = textOf(members?.['@id']);
    const where = id === '' ? { key: 'name', value: textOf(members?.name) } : { key: '@id', value: id };
    const study = ofStudy.get(part.study);
    return [
      ...(wrapped ? [{ key: 'investigation' }] : []),
      { key: 'studies', ...(study ? { where: study } : {}) },
      { key: 'materials' },
      { key: `${part.kind}s`, where },
    ];
  };
}

const nameOf = (key: (typeof STUDY_KEYS)[number], study: DeclaredStudy): string => `${key} ${study[key] ?? ''}`;

/** The first member that no other study has alike; `named` says how many studies have one. */
function whereOf(study: DeclaredStudy, named: ReadonlyMap<string, number>): Step['where'] {
  const key = STUDY_KEYS.find((one) => study[one] && named.get(nameOf(one, study)) === 1);
  return key && { key, value: study[key] as string };
}
