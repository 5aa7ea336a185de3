/** The options of an upload, from form fields and query parameters. */
import { z } from 'zod';
import { type MemberProblem, RegistryError } from '../registry/errors.js';
import { parseTimestamp } from '../registry/timestamp.js';
import type { UploadOptions } from '../submissions/submission.js';

const oneOf = <const Values extends [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => `${JSON.stringify(input)} must be ${values.join(' or ')}.` });

const filled = (max: number) =>
  z.string().trim().min(1, 'must not be empty.').max(max, `must be at most ${max} characters long.`);

/** Each option with its help text; the interface description prints them. */
export const UPLOAD_OPTIONS = z.object({
  checklist: filled(200).optional().describe('Checklist that every row must meet, unless the row names its own.'),
  releaseDate: z
    .string()
    .optional()
    .describe(
      'Release of new samples whose rows say none: an ISO 8601 date or date-time. Existing samples keep theirs.',
    ),
  releaseExisting: oneOf(['true', 'false'])
    .default('false')
    .describe('true gives existing samples whose rows say none the releaseDate, too.'),
  mode: oneOf(['partial', 'atomic'])
    .default('partial')
    .describe('partial registers the good rows; atomic registers none if any row is bad.'),
  update: oneOf(['replace', 'merge'])
    .default('replace')
    .describe('replace overwrites a sample whole; merge keeps what the file does not mention.'),
  dryRun: oneOf(['true', 'false']).default('false').describe('true checks everything and writes nothing.'),
  duplicate: oneOf(['reuse', 'allow'])
    .default('reuse')
    .describe('allow registers bytes anew that were uploaded before.'),
  encoding: filled(40)
    .optional()
    .describe('Encoding of the text when it is neither UTF-8 nor marked: a WHATWG label or macintosh.'),
  unknownColumns: oneOf(['ignore', 'characteristics', 'reject'])
    .default('characteristics')
    .describe(
      'What becomes of columns with a plain header that is no word of ISA-Tab: kept as characteristics, left out, or the file is refused.',
    ),
  sheet: filled(100).optional().describe('Name of the sheet of a workbook.'),
});

const NAMES = Object.keys(UPLOAD_OPTIONS.shape);

/**
 * Fields win over the query. An empty value counts as absent, an unknown name is ignored unless it is a known one
 * misspelt: registering the good rows because somebody wrote `Mode=atomic` would be a bad surprise.
 * @throws RegistryError request.invalid with every fault
 */
export function readUploadOptions(query: URLSearchParams, fields: Record<string, unknown> = {}): UploadOptions {
  const faults: MemberProblem[] = [];
  const known = knownOptions(new Map<string, unknown>([...query, ...Object.entries(fields)]), faults);
  const read = UPLOAD_OPTIONS.safeParse(known);
  for (const { path, message } of read.error?.issues ?? []) {
    faults.push({ dataPath: `/${String(path[0])}`, errors: [`${String(path[0])}: ${message}`] });
  }
  const releaseDate = readReleaseDate(known.releaseDate, faults);
  const releaseExisting = read.data?.releaseExisting === 'true';
  if (releaseExisting && known.releaseDate === undefined) {
    const message = 'releaseExisting: give the date that existing samples get, too, as releaseDate.';
    faults.push({ dataPath: '/releaseExisting', errors: [message] });
  }
  if (faults.length > 0 || !read.success) {
    throw new RegistryError('request.invalid', `The upload’s options cannot be taken: ${faults[0]?.errors[0]}`, {
      errors: faults,
    });
  }
  const { checklist, encoding, sheet, dryRun, mode, update, duplicate, unknownColumns } = read.data;
  return {
    mode,
    update,
    duplicate,
    unknownColumns,
    dryRun: dryRun === 'true',
    ...(checklist === undefined ? {} : { checklist }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(releaseDate === undefined ? {} : { releaseDate }),
    ...(releaseExisting ? { releaseExisting } : {}),
  };
}

function knownOptions(given: Map<string, unknown>, faults: MemberProblem[]): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [name, value] of given) {
    if (NAMES.includes(name)) {
      if (value !== '') known[name] = typeof value === 'string' ? value : JSON.stringify(value);
      continue;
    }
    const meant = NAMES.find((option) => folded(option) === folded(name));
    if (meant) faults.push({ dataPath: `/${name}`, errors: [`There is no option ${name}; write ${meant}.`] });
  }
  return known;
}

function readReleaseDate(text: unknown, faults: MemberProblem[]): number | undefined {
  if (typeof text !== 'string') return undefined;
  const read = parseTimestamp(text);
  if (typeof read === 'number') return read;
  faults.push({ dataPath: '/releaseDate', errors: [`releaseDate: ${read.message}`] });
  return undefined;
}

const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
