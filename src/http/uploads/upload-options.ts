/** The options of an upload, from form fields and query parameters. */
import { z } from 'zod';
import { isStorable, UNSTORABLE_MESSAGE } from '../../registry/body.js';
import { type MemberProblem, RegistryError } from '../../registry/errors.js';
import { folded, KnownNames } from '../../registry/near-names.js';
import { KEY_SPACE_FORM, KEY_SPACE_WORDS } from '../../registry/samples/row-key.js';
import { parseTimestamp } from '../../registry/timestamp.js';
import type { UploadOptions } from '../../submissions/submission.js';
import { CEILING_WORDS, type CeilingName, ceilingFault } from '../../submissions/uploads/ceiling.js';
import { OPTION_NAMES, optionOf, type StoredOptions } from '../../submissions/uploads/upload-options.js';

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => `${JSON.stringify(input)} must be ${values.join(' or ')}.` });

const filled = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty.')
    .max(max, `must be at most ${max} characters long.`)
    .refine(isStorable, `${UNSTORABLE_MESSAGE}.`);

const date = z.string().transform((text, context) => {
  const read = parseTimestamp(text);
  if (typeof read === 'number') return read;
  context.addIssue(read.message);
  return z.NEVER;
});

type Option = ReturnType<typeof optionOf>;

function reader(option: Option): z.ZodType {
  if (option.kind === 'text') return filled(option.max).optional();
  if (option.kind === 'date') return date.optional();
  if (option.kind === 'choice')
    return option.default === undefined
      ? oneOf(option.values).optional()
      : oneOf(option.values).default(option.default);
  return oneOf(['true', 'false'])
    .transform((text) => (text === 'true' ? true : option.default))
    .prefault('false');
}

const OPTIONS = new KnownNames(OPTION_NAMES);
const READER = z.object(Object.fromEntries(OPTION_NAMES.map((name) => [name, reader(optionOf(name))])));

/** What a form field or a query parameter may hold, as JSON Schema. */
export function optionSchema(option: Option): Record<string, unknown> {
  if (option.kind === 'choice')
    return {
      type: 'string',
      enum: [...option.values],
      ...(option.default === undefined ? {} : { default: option.default }),
    };
  if (option.kind === 'switch') return { type: 'boolean', default: false };
  return option.kind === 'date' ? { type: 'string' } : { type: 'string', maxLength: option.max };
}

/**
 * Fields win over the query. An empty value counts as absent, an unknown name is ignored unless it is a known one
 * misspelt: registering the good rows because somebody wrote `Mode=atomic` would be a bad surprise. So would it be to choose one of
 * two values.
 * @throws RegistryError request.invalid with every fault
 */
export function readUploadOptions(query: URLSearchParams, fields: Record<string, unknown> = {}): UploadOptions {
  const faults: MemberProblem[] = [];
  const known = knownOptions(query, fields, faults);
  const read = READER.safeParse(known);
  for (const { path, message } of read.error?.issues ?? []) {
    faults.push({ dataPath: `/${String(path[0])}`, errors: [`${String(path[0])}: ${message}`] });
  }
  if (read.data?.releaseExisting === true && known.releaseDate === undefined) {
    const message = 'releaseExisting: give the date that existing samples get, too, as releaseDate.';
    faults.push({ dataPath: '/releaseExisting', errors: [message] });
  }
  if (read.data) faults.push(...keyFaults(read.data), ...standingFaults(read.data), ...ceilingFaults(read.data));
  if (faults.length > 0 || !read.success) {
    throw new RegistryError('request.invalid', `The upload’s options cannot be taken: ${faults[0]?.errors[0]}`, {
      errors: faults,
    });
  }
  const given = Object.entries(read.data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as StoredOptions;
}

/** Options that only mean something together, or that contradict each other. */
function keyFaults({ key, keySpace, onlyUpdate, onlyCreate }: Record<string, unknown>): MemberProblem[] {
  const fault = (name: string, message: string): MemberProblem => ({
    dataPath: `/${name}`,
    errors: [`${name}: ${message}`],
  });
  const faults: MemberProblem[] = [];
  if (typeof keySpace === 'string' && !KEY_SPACE_FORM.test(keySpace))
    faults.push(fault('keySpace', `${JSON.stringify(keySpace)} is no name of a key space; write ${KEY_SPACE_WORDS}.`));
  if (onlyUpdate === true && onlyCreate === true)
    faults.push(fault('onlyUpdate', 'contradicts onlyCreate; give one of the two.'));
  const alone = Object.entries({ keySpace, onlyUpdate, onlyCreate }).find(([, value]) => value !== undefined);
  if (key === undefined && alone)
    faults.push(
      fault(alone[0], 'give the column that identifies the rows, too, as key (key=Sample Name for the name).'),
    );
  return faults;
}

function standingFaults(given: Record<string, unknown>): MemberProblem[] {
  const { key, keySpace, standing, missing, commit, maxMissing, maxChanges } = given;
  const faults: MemberProblem[] = [];
  const fault = (name: string, message: string): void => {
    faults.push({ dataPath: `/${name}`, errors: [`${name}: ${message}`] });
  };
  const alone = Object.entries({ missing, commit, maxMissing, maxChanges }).find(([, value]) => value !== undefined);
  if (standing === undefined && alone)
    fault(alone[0], 'is for standing sheets; give the name of the sheet, too, as standing.');
  if (typeof standing === 'string') {
    if (!KEY_SPACE_FORM.test(standing))
      fault('standing', `${JSON.stringify(standing)} is no name of a standing sheet; write ${KEY_SPACE_WORDS}.`);
    if (key === undefined) fault('standing', 'give the column that identifies the rows, too, as key.');
    if (keySpace !== undefined && keySpace !== standing)
      fault('keySpace', `the key space of a standing sheet has its name; leave it out, or write ${standing}.`);
  }
  return faults;
}

const CEILING_FAULTS = {
  'no ceiling': `is no ceiling; write ${CEILING_WORDS}.`,
  'above all': 'allows everything, because it is a share of more than all; write 100% or less.',
};

const ceilingFaults = ({ maxMissing, maxChanges, maxRejected }: Record<string, unknown>): MemberProblem[] =>
  Object.entries({ maxMissing, maxChanges, maxRejected }).flatMap(([name, ceiling]) => {
    const fault = typeof ceiling === 'string' && ceilingFault(name as CeilingName, ceiling);
    return fault ? [{ dataPath: `/${name}`, errors: [`${name}: "${ceiling}" ${CEILING_FAULTS[fault]}`] }] : [];
  });

function knownOptions(
  query: URLSearchParams,
  fields: Record<string, unknown>,
  faults: MemberProblem[],
): Record<string, string> {
  const known: Record<string, string> = {};
  for (const name of new Set([...query.keys(), ...Object.keys(fields)])) {
    if ((OPTION_NAMES as string[]).includes(name)) {
      const inFields = filledOnes(Object.hasOwn(fields, name) ? [fields[name]] : []);
      const [value, other] = inFields.length > 0 ? inFields : filledOnes(query.getAll(name));
      if (value !== undefined) known[name] = value;
      if (other !== undefined) {
        const message = `${name}: is given as ${JSON.stringify(value)} and as ${JSON.stringify(other)}; give one of them.`;
        faults.push({ dataPath: `/${name}`, errors: [message] });
      }
      continue;
    }
    const meant = optionMeantBy(name);
    if (meant) faults.push({ dataPath: `/${name}`, errors: [`There is no option ${name}; write ${meant}.`] });
  }
  return known;
}

/** Different ones; a field that is sent several times is a list, and what is no text is shown as JSON. */
function filledOnes(given: unknown[]): string[] {
  const texts = given.flat().map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** What a name was meant to be: an option but for case and the like, as the command spells it, or but for a letter. */
function optionMeantBy(name: string): string | undefined {
  const asked = folded(name);
  for (const option of OPTION_NAMES) {
    const { sets, spelling } = optionOf(option).flag;
    if (asked === folded(option)) return option;
    if (asked === folded(spelling.split(' ')[0] as string)) return sets === undefined ? option : `${option}=${sets}`;
  }
  return OPTIONS.meantBy(name);
}
