/** Body of a batch edit: which samples, and what is changed. */
import { z } from 'zod';
import { type BatchEditRequest, MAX_EDIT_ACCESSIONS } from '../../exports/batch-edits.js';
import { readChanges, SAMPLE_CHANGES } from '../../registry/changes/sample-change-list.js';
import { type MemberProblem, RegistryError } from '../../registry/errors.js';
import { parse } from '../parse.js';

const SELECTION = z
  .strictObject({
    text: z.string('must be a text.').optional().describe('Words, all of which must occur, as for GET /samples.'),
    filter: z
      .array(z.string('must be a filter such as attr:tissue:liver.'), 'must be a list of filters.')
      .max(100, 'must hold at most 100 filters.')
      .optional()
      .describe('As for GET /samples, e.g. `attr:tissue:liver`.'),
    accessions: z
      .array(z.string('must be an accession.'), 'must be a list of accessions.')
      .min(1, 'must name at least one sample.')
      .max(
        MAX_EDIT_ACCESSIONS,
        `must name at most ${MAX_EDIT_ACCESSIONS} samples; send more as a file, with the changes on its first line (docs/batch-edits.md).`,
      )
      .optional()
      .describe('Instead of a search: the samples, one by one.'),
    all: z.literal(true, 'must be true where it is given.').optional().describe('Instead: every sample of yours.'),
  })
  .superRefine(({ text, filter, accessions, all }, context) => {
    const search = (text ?? '').trim() !== '' || (filter ?? []).length > 0;
    if ([search, accessions !== undefined, all === true].filter(Boolean).length === 1) return;
    context.addIssue('must have either words or filters, or accessions, or all: true.');
  })
  .describe('The samples. Of those that a search finds, the ones that you may change.');

const REST = {
  select: SELECTION,
  dryRun: z.boolean('must be true or false.').default(false).describe('true shows what would be changed.'),
  mode: z
    .enum(['partial', 'atomic'], 'must be partial or atomic.')
    .default('partial')
    .describe('partial edits the samples that can be edited; atomic edits none if one of them cannot.'),
  checklist: z
    .string('must be the name of a checklist.')
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Checklist that the edited samples must meet, unless they name their own.'),
};

export const BATCH_EDIT_REQUEST = z.strictObject({ ...REST, changes: SAMPLE_CHANGES }).describe('A batch edit.');

const READER = z.strictObject({ ...REST, changes: z.unknown() });

/** @throws RegistryError request.invalid with everything wrong with it */
export function readBatchEdit(body: unknown): BatchEditRequest {
  const { select, changes: given, dryRun, mode, checklist } = parse(READER, body);
  const { changes, problems } = readChanges(given, 'changes');
  refuse(problems);
  const { text, filter, accessions, all } = select;
  return {
    select: {
      ...(text === undefined ? {} : { text }),
      ...(filter === undefined ? {} : { filter }),
      ...(accessions === undefined ? {} : { accessions }),
      ...(all === undefined ? {} : { all }),
    },
    changes,
    dryRun,
    mode,
    ...(checklist === undefined ? {} : { checklist }),
  };
}

function refuse(errors: MemberProblem[]): void {
  const [first] = errors;
  if (first) throw new RegistryError('request.invalid', `${first.dataPath}: ${first.errors[0]}`, { errors });
}
