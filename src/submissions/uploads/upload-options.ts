/** Over 250 lines: one table.
 * The options of an upload: the one table that the form, the query, the stored type, the command line, the client, the
 * page, the interface description, the printed documents and the comparison with an earlier upload are made from.
 * Imports nothing, so that the client and the page can have it.
 */

/**
 * What a repeat of the same bytes with another value is.
 * - `other-upload`: one that the earlier submission does not answer
 * - `other-reading`: the same, and it says how columns are read, or that samples which exist shall change
 * - `other-file`: a file that has nothing to do with the earlier one
 * - `same-upload`: the value makes no difference, or has a rule of its own (store/replay.ts)
 */
export type Repeat = 'other-upload' | 'other-reading' | 'other-file' | 'same-upload';

interface Described {
  /** A sentence or two for the interface description and docs/tsv-dialect.md. */
  help: string;
  repeat: Repeat;
  /** On the command line. `alone`: of a single upload, not of a folder that is watched. `sets`: a flag without value that stands for this one. */
  flag: { spelling: string; help: string; alone?: true; sets?: string };
}

type Option = Described &
  (
    | { kind: 'choice'; values: readonly [string, ...string[]]; default?: string }
    /** Stored as a boolean; without `default` only where it is true. */
    | { kind: 'switch'; default?: false }
    /** An ISO 8601 date or date-time; stored as milliseconds since 1970. */
    | { kind: 'date' }
    | { kind: 'text'; max: number }
  );

export const UPLOAD_OPTIONS = {
  checklist: {
    kind: 'text',
    max: 200,
    help: 'Checklist that every row must meet, unless the row names its own.',
    repeat: 'other-upload',
    flag: { spelling: '--checklist <id>', help: 'checklist that every sample must meet' },
  },
  releaseDate: {
    kind: 'date',
    help: 'Release of new samples whose rows say none: an ISO 8601 date or date-time. Existing samples keep theirs.',
    repeat: 'other-upload',
    flag: {
      spelling: '--release-date <date>',
      help: 'release date of new samples whose rows say none, such as 2026-01-31',
    },
  },
  releaseExisting: {
    kind: 'switch',
    help: 'true gives existing samples whose rows say none the releaseDate, too.',
    repeat: 'other-reading',
    flag: { spelling: '--release-existing', help: 'the release date moves that of samples that exist, too' },
  },
  mode: {
    kind: 'choice',
    values: ['partial', 'atomic'],
    default: 'partial',
    help: 'partial registers the good rows; atomic registers none if any row is bad.',
    repeat: 'other-upload',
    flag: { spelling: '--mode <mode>', help: 'register the good rows, or all rows or none' },
  },
  update: {
    kind: 'choice',
    values: ['replace', 'merge'],
    default: 'replace',
    help: 'replace overwrites a sample whole; merge keeps what the file does not mention.',
    repeat: 'other-upload',
    flag: { spelling: '--update <kind>', help: 'what happens to values that the file does not mention' },
  },
  clearMarker: {
    kind: 'text',
    max: 40,
    help: 'Cell that takes its value away where update=merge keeps what the file does not mention: [clear] without it, in any case; none for no such cell. In a new sample, and with update=replace, it is an empty cell.',
    repeat: 'other-reading',
    flag: {
      spelling: '--clear-marker <text>',
      help: 'cell that takes its value away when merging; [clear] without it',
    },
  },
  dryRun: {
    kind: 'switch',
    default: false,
    help: 'true checks everything and writes nothing.',
    repeat: 'same-upload',
    flag: { spelling: '--dry-run', help: 'check everything and change nothing', alone: true },
  },
  duplicate: {
    kind: 'choice',
    values: ['reuse', 'allow'],
    default: 'reuse',
    help: 'allow registers bytes anew that were uploaded before.',
    repeat: 'same-upload',
    flag: {
      spelling: '--allow-duplicate',
      help: 'register the samples again though the same file was uploaded before',
      alone: true,
      sets: 'allow',
    },
  },
  encoding: {
    kind: 'text',
    max: 40,
    help: 'Encoding of the text when it is neither UTF-8 nor marked: a WHATWG label, macintosh or ibm850.',
    repeat: 'other-reading',
    flag: {
      spelling: '--encoding <label>',
      help: 'encoding of a file that is neither UTF-8 nor UTF-16, such as windows-1252',
    },
  },
  unknownColumns: {
    kind: 'choice',
    values: ['ignore', 'characteristics', 'reject'],
    default: 'characteristics',
    help: 'What becomes of columns with a plain header that is no word of ISA-Tab: kept as characteristics, left out, or the file is refused.',
    repeat: 'other-reading',
    flag: { spelling: '--unknown-columns <what>', help: 'what becomes of columns with a plain header such as tissue' },
  },
  nameColumn: {
    kind: 'text',
    max: 200,
    help: 'Header of the column that names the samples, for a sheet that has no Sample Name.',
    repeat: 'other-reading',
    flag: { spelling: '--name-column <header>', help: 'column that names the samples, when there is no Sample Name' },
  },
  profile: {
    kind: 'text',
    max: 100,
    help: 'Import profile that says what the columns are, or none. Without it, the sheet is read by the one whose columns it has.',
    repeat: 'other-reading',
    flag: { spelling: '--profile <name>', help: 'import profile that says what the columns are; none for no profile' },
  },
  relationships: {
    kind: 'choice',
    values: ['now', 'later'],
    help: 'later registers a row whose relationship names a sample that is still to come, and completes the relationship when an upload of the account brings the name. now without it: such a row is refused.',
    repeat: 'other-upload',
    flag: {
      spelling: '--relationships <when>',
      help: 'now, or later: relationships may name samples that a later upload brings',
    },
  },
  key: {
    kind: 'text',
    max: 200,
    help: 'Header of the column whose cells identify the rows across uploads (Sample Name for the name): a known key updates its sample, an unknown one registers one.',
    repeat: 'other-upload',
    flag: { spelling: '--key <header>', help: 'column that identifies the rows across uploads, such as "Sample Name"' },
  },
  keySpace: {
    kind: 'text',
    max: 64,
    help: 'Key space of the account in which the keys hold; default without it.',
    repeat: 'other-upload',
    flag: { spelling: '--key-space <name>', help: 'key space in which the keys hold' },
  },
  onlyUpdate: {
    kind: 'switch',
    help: 'true refuses rows whose key no sample has.',
    repeat: 'other-upload',
    flag: { spelling: '--only-update', help: 'refuse rows whose key no sample has' },
  },
  onlyCreate: {
    kind: 'switch',
    help: 'true refuses rows whose key a sample has already.',
    repeat: 'other-upload',
    flag: { spelling: '--only-create', help: 'refuse rows whose key a sample has already' },
  },
  standing: {
    kind: 'text',
    max: 64,
    help: 'Name of a standing sheet, which is its key space: the file is the whole export, is planned first, and what the key space has beside it is missing. Wants key.',
    repeat: 'other-upload',
    flag: {
      spelling: '--standing <name>',
      help: 'the file is the whole export of this name: plan it, and find what it has no more',
    },
  },
  missing: {
    kind: 'choice',
    values: ['report', 'withdraw'],
    help: 'What the commit of a standing sheet does with samples that it has no more: they are listed, or withdrawn until it has them again. report without it.',
    repeat: 'other-upload',
    flag: { spelling: '--missing <what>', help: 'list samples that a standing sheet has no more, or withdraw them' },
  },
  commit: {
    kind: 'choice',
    values: ['hand', 'auto'],
    help: 'Whether the plan of a standing sheet waits to be committed, or carries itself out below its ceilings. hand without it.',
    repeat: 'other-upload',
    flag: { spelling: '--auto-commit', help: 'carry a standing sheet out by itself below its ceilings', sets: 'auto' },
  },
  maxMissing: {
    kind: 'text',
    max: 10,
    help: 'Ceiling of a standing sheet: missing samples, as a number or as a share of those in its key space such as 5%. 10% without it.',
    repeat: 'other-upload',
    flag: {
      spelling: '--max-missing <ceiling>',
      help: 'stop a standing sheet that lacks more samples, such as 50 or 5%',
    },
  },
  maxChanges: {
    kind: 'text',
    max: 10,
    help: 'Ceiling of a standing sheet: rows that create or update samples, as a number or as a share of the samples in its key space.',
    repeat: 'other-upload',
    flag: {
      spelling: '--max-changes <ceiling>',
      help: 'stop a standing sheet that changes more rows, such as 200 or 20%',
    },
  },
  maxRejected: {
    kind: 'text',
    max: 10,
    help: 'Ceiling of refused rows, as a number or as a share of the rows read so far such as 2%: above it the upload ends with what was found, and registers nothing more.',
    repeat: 'other-upload',
    flag: {
      spelling: '--max-rejected <ceiling>',
      help: 'end an upload of which more rows are refused, such as 50 or 2%',
    },
  },
  sheet: {
    kind: 'text',
    max: 100,
    help: 'Name of the sheet of a workbook, or of the table in an archive.',
    repeat: 'other-file',
    flag: { spelling: '--sheet <name>', help: 'worksheet of a workbook, or table of an archive' },
  },
} as const satisfies Record<string, Option>;

type Table = typeof UPLOAD_OPTIONS;
export type OptionName = keyof Table;
type Defaulted = { [Name in OptionName]: Table[Name] extends { default: unknown } ? Name : never }[OptionName];

type Value<Name extends OptionName, Day> = Table[Name] extends { kind: 'choice'; values: readonly (infer Choice)[] }
  ? Choice
  : Table[Name] extends { kind: 'switch' }
    ? boolean
    : Table[Name] extends { kind: 'date' }
      ? Day
      : string;

/** As they are stored: dates are milliseconds since 1970, and whatever has a default is there. */
export type StoredOptions = { [Name in Defaulted]: Value<Name, number> } & {
  [Name in Exclude<OptionName, Defaulted>]?: Value<Name, number>;
};

/** As they are sent: dates are ISO 8601 texts, and what is absent is left to the service. */
export type GivenOptions = { [Name in OptionName]?: Value<Name, string> };

export const OPTION_NAMES = Object.keys(UPLOAD_OPTIONS) as OptionName[];

/** Each option as its row of the table, whatever its kind. */
export const optionOf = (name: OptionName): Option => UPLOAD_OPTIONS[name];

/** Form fields or query parameters. A switch that is off is left out. */
export function optionFields(options: GivenOptions): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** `readBy`: the kept profile that reads the file, named or found by its columns; `datedBy`: it says the release, too. */
type Compared = Partial<StoredOptions> & { readBy?: { name: string; version?: number }; datedBy?: 'profile' };

/** Options whose values make the second upload of the same bytes another one than the first. */
export const differingOptions = (a: Compared, b: Compared): OptionName[] =>
  OPTION_NAMES.filter((name) => {
    const { repeat } = optionOf(name);
    return (repeat === 'other-upload' || repeat === 'other-reading') && differs(name, a, b);
  });

export const sameOptions = (a: Compared, b: Compared): boolean => differingOptions(a, b).length === 0;

export const readsOtherwise = (a: Compared, b: Compared): boolean =>
  differingOptions(a, b).some((name) => optionOf(name).repeat === 'other-reading');

/** Whether the same bytes mean the same table: another sheet of a workbook is another file. */
export const sameFile = (a: Compared, b: Compared): boolean =>
  !OPTION_NAMES.some((name) => optionOf(name).repeat === 'other-file' && differs(name, a, b));

/** A switch that was never set is off; a profile is what was found, in its version, and what that says is no choice of the upload. */
const differs = (name: OptionName, a: Compared, b: Compared): boolean => {
  if (name === 'profile') return profileOf(a) !== profileOf(b);
  if (name === 'releaseDate' && a.datedBy && b.datedBy) return false;
  return optionOf(name).kind === 'switch' ? (a[name] ?? false) !== (b[name] ?? false) : a[name] !== b[name];
};

const profileOf = ({ profile, readBy }: Compared): string | undefined =>
  readBy ? `${readBy.name} ${readBy.version ?? ''}` : profile;
