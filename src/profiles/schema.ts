/** What a kept import profile may say; docs/import-profiles.md is written for those who write one. */
import { z } from 'zod';
import { KEY_SPACE_FORM, KEY_SPACE_WORDS } from '../registry/samples/row-key.js';
import { fold } from '../tsv/dialect.js';
import type { ImportProfile, ProfileColumn } from '../tsv/header/profile.js';
import { isRelease } from '../tsv/header/profile-release.js';
import { DATE_FORM_PARTS, dateReader } from '../tsv/rows/date-form.js';

export const PROFILE_LIMITS = { columns: 1_000, values: 1_000, fixed: 100, text: 200, characters: 80_000 } as const;

const { text: MOST } = PROFILE_LIMITS;
const text = (least = 1) =>
  z
    .string('must be a text')
    .min(least, 'must not be empty')
    .max(MOST, `must have at most ${MOST} characters`)
    .refine((value) => !/[\t\r\n\0]/.test(value), 'must not hold tabs, line ends or NUL characters')
    .refine((value) => value.trim() === value || least === 0, 'must not begin or end with a blank');

const HEADERS = z.array(text()).min(1, 'must name a header').max(50, 'must have at most 50 headers');

const READING = {
  header: text().describe('Header of the column; case, blanks and underscores make no difference.'),
  nth: z.int().min(1).max(1_000).optional().describe('Which of several columns with this header, from 1.'),
  optional: z.boolean().optional().describe('The sheet may lack the column.'),
};
const VALUES = {
  values: z
    .record(z.string().max(MOST), z.string().max(MOST))
    .refine(
      (values) => Object.keys(values).length <= PROFILE_LIMITS.values,
      `must have at most ${PROFILE_LIMITS.values} values`,
    )
    .refine(
      (values) =>
        new Set(Object.keys(values).map((key) => key.trim().toLowerCase())).size === Object.keys(values).length,
      'must not have the same value twice; case makes no difference',
    )
    .optional()
    .describe('Text of a cell → what is stored instead; an empty text stores nothing.'),
  date: text()
    .refine(
      (form) => dateReader(form) !== undefined,
      `must be a form of dates made of ${DATE_FORM_PARTS} and signs, such as DD.MM.YYYY`,
    )
    .optional()
    .describe('Form of the dates, such as DD.MM.YYYY; stored as YYYY-MM-DD.'),
  decimal: z.literal(',').optional().describe('The comma is the decimal sign, the point parts thousands.'),
};

const column = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...shape, ...READING });

const COLUMN = z
  .discriminatedUnion(
    'as',
    [
      column({
        as: z.literal('name'),
        characteristic: text()
          .optional()
          .describe('What the column is kept as where names are joined; a characteristic of its header without it.'),
      }),
      column({ as: z.literal('identifier') }),
      column({ as: z.literal('release'), values: VALUES.values, date: VALUES.date }),
      column({ as: z.literal('characteristic'), name: text().optional(), unit: text().optional(), ...VALUES }),
      column({ as: z.enum(['unit', 'term']), of: text().optional(), values: VALUES.values }),
      column({ as: z.literal('source'), values: VALUES.values }),
      column({ as: z.literal('relationship'), type: text(), values: VALUES.values }),
      column({ as: z.literal('reference'), values: VALUES.values }),
      column({ as: z.enum(['contact', 'organization', 'publication']), member: text(), values: VALUES.values }),
      column({ as: z.enum(['comment', 'ignored']) }),
    ],
    'must say what the column is: name, identifier, release, characteristic, unit, term, source, relationship, reference, contact, organization, publication, comment or ignored',
  )
  .describe('What a column is.');

const FIXED = z.strictObject({
  characteristic: text(),
  value: text(),
  unit: text().optional(),
  term: text().optional(),
});

const RECOGNITION = z.strictObject({
  anyOf: HEADERS,
  with: z.strictObject({ headers: HEADERS, atLeast: z.int().min(1).max(50) }).optional(),
  without: HEADERS.optional(),
  above: text().optional(),
  below: text().optional(),
});

const SHAPE = z.strictObject({
  profile: z.literal(1, 'must be 1, the version of this form of document'),
  title: text().describe('As receipts name it.'),
  recognise: z.array(RECOGNITION).min(1).max(20).optional(),
  columns: z
    .array(COLUMN, 'must be a list of columns')
    .min(1, 'must list a column')
    .max(PROFILE_LIMITS.columns, `must have at most ${PROFILE_LIMITS.columns} columns`),
  otherColumns: z.enum(['ask', 'characteristics', 'ignore']).optional(),
  otherColumnsUntil: HEADERS.optional(),
  joinNames: z
    .string()
    .max(20)
    .refine((by) => !/[\t\r\n\0]/.test(by), 'must not hold tabs or line ends')
    .optional(),
  fixed: z.array(FIXED).max(PROFILE_LIMITS.fixed, `must have at most ${PROFILE_LIMITS.fixed} values`).optional(),
  release: z
    .string()
    .refine(isRelease, 'must be a day such as 2031-01-31, or today for the day of each upload')
    .optional()
    .describe(
      'Release of new samples whose rows say none, where the upload says none: a day, or `today`, that of the upload. Holds for the account that keeps the profile, and for nobody whom it is shared with.',
    ),
  key: z
    .strictObject({
      column: text().describe('Header, or Sample Name for the name.'),
      space: z.string().regex(KEY_SPACE_FORM, `must be ${KEY_SPACE_WORDS}`).optional(),
    })
    .optional()
    .describe(
      'Identifies the rows across uploads that say no `key`: the column, and the key space of the account that uploads; `default` without it.',
    ),
  mark: z.string().min(1).max(20).optional(),
  sameName: z.literal('one-sample').optional(),
  labels: HEADERS.optional(),
});

/** What no single member can be wrong in: names, repeats, references. */
export const IMPORT_PROFILE = SHAPE.superRefine((document, context) => {
  const { columns } = document as ImportProfile;
  const issue = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  if (JSON.stringify(document).length > PROFILE_LIMITS.characters)
    issue([], `must have at most ${PROFILE_LIMITS.characters} characters as JSON`);
  const seen = new Map<string, number>();
  columns.forEach(({ header, nth }, at) => {
    const key = `${fold(header)} ${nth ?? ''}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, at);
    else
      issue(
        ['columns', at, 'header'],
        `${header} is listed twice; column ${first + 1} of the list has it already: keep one, or say with nth which is which`,
      );
    if (nth !== undefined && seen.has(`${fold(header)} `))
      issue(['columns', at, 'nth'], 'is of a header that is listed without nth, too; give that one its nth');
  });
  checkNames(document as ImportProfile, issue);
  for (const as of ['identifier', 'release'] as const) {
    const own = columns.flatMap((each, at) => (each.as === as ? [at] : []));
    for (const at of own.slice(1)) issue(['columns', at, 'as'], `is there already: a sheet has one ${as} column`);
  }
  for (const [at, each] of columns.entries()) checkOwner(columns, each, at, issue);
  const fixed = (document.fixed ?? []).map(({ characteristic }) => characteristic);
  fixed.forEach((name, at) => {
    if (fixed.indexOf(name) < at)
      issue(['fixed', at, 'characteristic'], `${name} has a fixed value already; keep one of the two`);
    if (columns.some((each) => keptAs(each) === name))
      issue(
        ['fixed', at, 'characteristic'],
        `${name} is a column of the sheet; a fixed value is for what it lacks: take one of the two out`,
      );
  });
}) as unknown as z.ZodType<ImportProfile>;

function keptAs(column: ProfileColumn): string | undefined {
  if (column.as === 'characteristic') return column.name ?? column.header;
  return column.as === 'name' ? column.characteristic : undefined;
}

type Report = (path: (string | number)[], message: string) => void;

function checkNames({ columns, joinNames, recognise }: ImportProfile, issue: Report): void {
  const names = columns.flatMap((each, at) => (each.as === 'name' ? [{ ...each, at }] : []));
  if (names.length === 0) issue(['columns'], 'must say which column names the samples: one with "as": "name"');
  if (joinNames !== undefined && names.length < 2)
    issue(['joinNames'], 'joins the cells of several name columns; there is only one');
  if (joinNames !== undefined) {
    for (const { optional, at } of names)
      if (optional) issue(['columns', at, 'optional'], 'must not be: all columns of a joined name have to be there');
    return;
  }
  for (const { characteristic, at } of names)
    if (characteristic !== undefined)
      issue(['columns', at, 'characteristic'], 'is of names that are joined; say joinNames, or take it out');
  if (names.length > 1 && !recognise) {
    for (const { at } of names.slice(1))
      issue(['columns', at, 'as'], 'is there already; join the columns with joinNames, or keep one');
  }
}

/** A unit or a term is of a characteristic, a term also of a unit; never of itself, in however many steps. */
function checkOwner(columns: readonly ProfileColumn[], column: ProfileColumn, at: number, issue: Report): void {
  if ((column.as !== 'unit' && column.as !== 'term') || column.of === undefined) return;
  const wanted = fold(column.of);
  const owner = columns.find((each) => fold(each.header) === wanted);
  if (!owner) {
    const named = columns.some((each) => each.as === 'characteristic' && fold(each.name ?? each.header) === wanted);
    if (!named && column.as === 'unit')
      issue(
        ['columns', at, 'of'],
        `${column.of} is neither the header of a listed column nor the name of a characteristic; write one of these`,
      );
  } else if (owner.as !== 'characteristic' && !(column.as === 'term' && owner.as === 'unit')) {
    issue(
      ['columns', at, 'of'],
      `${column.of} is a column read as ${owner.as}, which has no ${column.as}; name a characteristic`,
    );
  }
}
