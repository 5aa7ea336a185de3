import { type Command, InvalidArgumentError, Option } from 'commander';
import { type EditRequest, hasEnded } from '../client/documents.js';
import { addConnection, type ConnectionOptions, connect } from './connection.js';
import { exitCodeOf } from './exit-codes.js';
import { readJsonFile } from './json-file.js';
import { collect } from './lists.js';
import { describeSubmission, printJson, printLine } from './print.js';
import { withProgress } from './progress.js';

type Change = EditRequest['changes'][number];

interface EditOptions extends ConnectionOptions {
  text?: string;
  filter: string[];
  accession?: string;
  all?: true;
  set: [string, string][];
  rename: [string, string][];
  clear: string[];
  existing?: string;
  release?: string;
  changes?: string;
  dryRun?: true;
  mode?: 'partial' | 'atomic';
  checklist?: string;
  wait?: true;
  idempotencyKey?: string;
}

/** `samples edit`. */
export function addEditCommand(samples: Command): void {
  const edit = samples
    .command('edit')
    .description(
      'Sets, renames or clears characteristics of many samples at once, as a submission: preview, commit, undo.',
    )
    .option('--text <words>', 'of the samples that hold all these words')
    .option('--filter <filter>', 'such as attr:tissue:Liver; may be given several times', collect, [])
    .option('--accession <list>', 'of these samples, separated by commas')
    .option('--all', 'of all your samples')
    .option('--set <name=value>', 'give a characteristic; may be given several times', pairs, [])
    .option('--rename <name=name>', 'call a characteristic otherwise; may be given several times', pairs, [])
    .option('--clear <name>', 'take a characteristic away; may be given several times', collect, [])
    .addOption(
      new Option('--existing <what>', 'what becomes of values that are there already').choices([
        'replace',
        'keep',
        'append',
        'refuse',
      ]),
    )
    .option('--release <date>', 'give another release date')
    .option('--changes <file>', 'a JSON file with the list of changes, for units, terms and several values')
    .option('--dry-run', 'show what would change and change nothing; commit carries it out')
    .addOption(
      new Option('--mode <mode>', 'edit the samples that can be edited, or all or none').choices(['partial', 'atomic']),
    )
    .option('--checklist <id>', 'checklist that the edited samples must meet')
    .option('--wait', 'wait until it has ended')
    .option('--idempotency-key <key>', 'key of this edit, for scripts that repeat it');
  addConnection(edit).action(async (options: EditOptions) => {
    const request = await requestOf(options);
    const client = await connect(options);
    let submission = await client.edit(request, options.idempotencyKey);
    if (options.wait && !hasEnded(submission.submissionStatus)) {
      const { submissionId } = submission;
      submission = await withProgress('edit', options.json === true, ({ processing }) =>
        client.wait(submissionId, processing),
      );
    }
    if (options.json) printJson(submission);
    else printLine(describeSubmission(submission));
    process.exitCode = exitCodeOf(submission);
  });
}

async function requestOf(options: EditOptions): Promise<EditRequest> {
  const { text, filter, accession, all, dryRun, mode, checklist } = options;
  return {
    select: {
      ...(text === undefined ? {} : { text }),
      ...(filter.length === 0 ? {} : { filter }),
      ...(accession === undefined ? {} : { accessions: accession.split(/[\s,]+/).filter(Boolean) }),
      ...(all ? { all } : {}),
    },
    changes: await changesOf(options),
    ...(dryRun ? { dryRun } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(checklist === undefined ? {} : { checklist }),
  };
}

async function changesOf({ set, rename, clear, existing, release, changes: file }: EditOptions): Promise<Change[]> {
  const more = existing === undefined ? {} : { existing };
  return [
    ...set.map(([name, text]) => ({ set: name, values: [{ text }], ...more })),
    ...rename.map(([from, to]) => ({ rename: from, to, ...more })),
    ...clear.map((name) => ({ clear: name })),
    ...(release === undefined ? [] : [{ release }]),
    ...(file === undefined ? [] : await changesIn(file)),
  ];
}

async function changesIn(file: string): Promise<Change[]> {
  const read = await readJsonFile(file, 'It is a list of changes in [ ], as docs/batch-edits.md shows.');
  if (!Array.isArray(read)) throw new Error(`${file} holds no list of changes in [ ].`);
  return read as Change[];
}

/** `tissue=liver`; the first = counts. */
function pairs(value: string, before: [string, string][]): [string, string][] {
  const at = value.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('Write it as name=value; a name with = in it goes into a file (--changes).');
  return [...before, [value.slice(0, at), value.slice(at + 1)]];
}
