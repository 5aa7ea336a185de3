/**
 * The same bytes once more, their columns read otherwise: the lines mean the samples of the first upload, which are
 * updated, unless something else has changed them since. Then, and for any other option, the caller hears what can be done.
 */
import { formatAccession } from '../../registry/accession.js';
import { RegistryError } from '../../registry/errors.js';
import type { Submission } from '../submission.js';
import type { Acceptance, NewSubmission, ReplayRule, SubmissionStore } from '../submission-store.js';
import { differingOptions, readsOtherwise } from '../uploads/upload-options.js';
import { runsOf } from './line-index.js';

export interface ChangedSample {
  line: number;
  accession: string;
}

/** Changed samples that an answer names. */
const MAX_NAMED = 100;

interface RereadDependencies {
  store: Pick<SubmissionStore, 'accept' | 'ledger' | 'findRewritten'>;
  prefix: string;
}

export type Accepted = Exclude<Acceptance, { kind: 'other-options' | 'registered-since' | 'half-undone' }>;

/** @throws RegistryError submission.same-file-other-options with `differingOptions`, `changedSamples` and `offers`; conflict for a commit */
export async function acceptOrReread(
  deps: RereadDependencies,
  draft: NewSubmission,
  rule: ReplayRule,
): Promise<Accepted> {
  const acceptance = await acceptOrRefuse(deps, draft, rule);
  if (acceptance.kind !== 'other-options') return acceptance;
  const { submission } = acceptance;
  if (!readsOtherwise(submission.options, draft.options)) throw otherOptions(submission, draft, []);
  const changed = await changedSamples(deps, submission.id);
  if (changed.length > 0) throw otherOptions(submission, draft, changed);
  draft.options = { ...draft.options, rereadOf: submission.id };
  const again = await acceptOrRefuse(deps, draft, rule);
  if (again.kind === 'other-options')
    throw new Error(`submission ${submission.id} keeps ${draft.id} from rereading it`);
  return again;
}

async function acceptOrRefuse(
  { store }: RereadDependencies,
  draft: NewSubmission,
  rule: ReplayRule,
): Promise<Exclude<Acceptance, { kind: 'registered-since' | 'half-undone' }>> {
  const acceptance = await store.accept(draft, rule);
  const { kind, submission } = acceptance;
  if (kind === 'registered-since') {
    throw new RegistryError(
      'conflict',
      `The dry run ${draft.options.commitOf?.submissionId} cannot be carried out as it was shown: the same file was uploaded since as submission ${submission.id}, and its rows would be registered twice. Look at that one, or make a new dry run.`,
      { extra: { submissionId: submission.id } },
    );
  }
  if (kind === 'half-undone')
    throw new RegistryError('conflict', halfUndone(submission), { extra: { submissionId: submission.id } });
  return acceptance;
}

/** Of a file some of whose samples were withdrawn by an undo that stopped. */
export const halfUndone = ({ id, options: { undoOf } }: Submission): string =>
  `This file was uploaded before as submission ${undoOf}, and its undo ${id} stopped before its end: some of its samples are withdrawn and others are not. Undo submission ${undoOf} again, which goes on with it, and upload the file then; the option duplicate=allow registers each row as a new sample.`;

/** Samples of an upload's lines that something else than uploads of the same bytes wrote last; the first 100. */
export async function changedSamples(
  { store, prefix }: Pick<RereadDependencies, 'prefix'> & { store: Pick<SubmissionStore, 'ledger' | 'findRewritten'> },
  submissionId: string,
): Promise<ChangedSample[]> {
  const changed: ChangedSample[] = [];
  for await (const chunk of store.ledger(submissionId)) {
    for (const [line, first, count] of runsOf(chunk)) {
      for (const id of await store.findRewritten(submissionId, first, count)) {
        changed.push({ line: line + id - first, accession: formatAccession(prefix, id) });
        if (changed.length >= MAX_NAMED) return changed;
      }
    }
  }
  return changed;
}

/** `changed` in words, for a message. */
export function namedSamples(changed: readonly ChangedSample[]): string {
  const shown = changed.slice(0, 5).map(({ line, accession }) => `${accession} (line ${line})`);
  return shown.join(', ') + (changed.length > shown.length ? ' …' : '');
}

interface Offer {
  action: 'register-anew' | 'move-release';
  /** To be sent with the same file. */
  options: Record<string, string>;
  consequence: string;
}

const ANEW: Offer = {
  action: 'register-anew',
  options: { duplicate: 'allow' },
  consequence: 'A second set of samples with accessions of their own is registered.',
};

const MOVE: Offer = {
  action: 'move-release',
  options: { releaseExisting: 'true' },
  consequence: 'The samples of the first upload get the release date of this one.',
};

function otherOptions(earlier: Submission, draft: NewSubmission, changed: readonly ChangedSample[]): RegistryError {
  const differing = differingOptions(earlier.options, draft.options);
  const moves = differing.includes('releaseDate') && draft.options.releaseDate !== undefined && changed.length === 0;
  const why =
    changed.length === 0
      ? `with another ${differing.join(', ')}`
      : `and its columns are now to be read otherwise (${differing.join(', ')}), but its samples were changed since: ${namedSamples(changed)}`;
  return new RegistryError(
    'submission.same-file-other-options',
    `This file was uploaded before as submission ${earlier.id}, ${why}. ` +
      `To change its samples, edit and upload its result file${moves ? ', or to move their release add releaseExisting=true' : ''}; ` +
      'to register a second set, add duplicate=allow.',
    {
      extra: {
        submissionId: earlier.id,
        differingOptions: differing,
        changedSamples: changed,
        offers: moves ? [MOVE, ANEW] : [ANEW],
      },
    },
  );
}
