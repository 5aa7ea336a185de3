/** One error of the validator as a problem of a sample. */
import type { ErrorObject } from 'ajv';
import type {
  ChecklistDocument,
  ChecklistField,
  ChecklistProblem,
  ChecklistProblemCode,
} from '../registry/checklist.js';
import { isObject } from '../registry/json-form.js';
import { pointerTo, stepName } from '../registry/json-pointer.js';
import { allowedValues, texts } from './fields.js';
import type { JsonObject } from './load.js';
import { nearest } from './nearest.js';
import type { Spelling } from './spelling.js';
import { formInWords, listInWords, quoted } from './words.js';

export interface Translating {
  id: string;
  schema: JsonObject;
  spelling: Spelling;
  fields: ReadonlyMap<string, ChecklistField>;
}

/** Where an error lies: at the sample, at a characteristic, at one entry of it, or at a part of the entry. */
export interface Place {
  dataPath: string;
  characteristic?: string;
  entry?: number;
  part?: 'text' | 'unit' | 'term';
}

export function translate(error: ErrorObject, checklist: Translating, document: ChecklistDocument): ChecklistProblem {
  const place = placeOfError(error, checklist.spelling);
  if (isOfMissing(error)) return missing(place, checklist, reasonOf(error));
  const lacking = lackingNames(error);
  if (lacking) return missing(place, checklist, '', lacking);
  if (unwantedName(error) !== undefined || error.keyword === 'false schema') return notAllowed(place, checklist);
  return refused(error, place, checklist, document);
}

const isOfMissing = ({ keyword }: ErrorObject): boolean =>
  keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies';

function unwantedName({ params }: ErrorObject): string | undefined {
  const { additionalProperty, unevaluatedProperty, propertyName } = params as Record<string, unknown>;
  const name = additionalProperty ?? unevaluatedProperty ?? propertyName;
  return typeof name === 'string' ? name : undefined;
}

/** Where the error lies, or what is missing or not wanted would. */
export function placeOfError(error: ErrorObject, spelling: Spelling): Place {
  const steps = error.instancePath.split('/').slice(1).map(stepName);
  const { missingProperty } = error.params as { missingProperty?: unknown };
  const name = isOfMissing(error) ? String(missingProperty) : (lackingNames(error)?.[0] ?? unwantedName(error));
  return placeOf(name === undefined ? steps : [...steps, name], spelling);
}

/** Names of which one is wanted, when the error is an `anyOf` of nothing but `required`. */
function lackingNames(error: ErrorObject): string[] | undefined {
  if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') return undefined;
  const branches = error.schema as unknown;
  if (!Array.isArray(branches)) return undefined;
  const names = branches.map((branch) =>
    isObject(branch) && Object.keys(branch).length === 1 ? texts(branch.required) : [],
  );
  return names.every((list) => list.length > 0) ? names.flat() : undefined;
}

const reasonOf = ({ keyword, params }: ErrorObject): string =>
  keyword === 'required' ? '' : ` because ${String((params as JsonObject).property)} is given`;

function missing(place: Place, checklist: Translating, reason: string, oneOf: string[] = []): ChecklistProblem {
  const { characteristic: name = place.dataPath.slice(1), part } = place;
  const field = checklist.fields.get(name);
  if (part === 'unit') {
    const units = field?.allowedUnits;
    const problem = finish(
      'checklist.unit',
      `${name} needs a unit${units ? `: ${listInWords(units)}` : ''} (checklist ${checklist.id}).`,
      place,
    );
    if (units) problem.allowedValues = units;
    return problem;
  }
  if (part === 'term')
    return finish('checklist.term', `${name} needs an ontology term (checklist ${checklist.id}).`, place);
  const wanted = oneOf.length > 1 ? `${oneOf.join(' or ')} is` : `${name} is`;
  const values = field?.allowedValues ? ` Allowed: ${listInWords(field.allowedValues)}.` : '';
  const problem = finish(
    'checklist.missing',
    `${wanted} required by the checklist ${checklist.id}${reason} and is missing.${values}`,
    place,
  );
  if (field?.allowedValues) problem.allowedValues = field.allowedValues;
  return problem;
}

/** One list of a checklist's names, which `nearest` then knows. */
const names = new WeakMap<Translating['fields'], string[]>();

function namesOf(fields: Translating['fields']): string[] {
  const list = names.get(fields) ?? [...fields.keys()];
  names.set(fields, list);
  return list;
}

function notAllowed(place: Place, checklist: Translating): ChecklistProblem {
  const name = place.characteristic ?? place.dataPath.slice(1);
  const { fields } = checklist;
  const near = nearest(name, fields.has(name) ? namesOf(fields).filter((field) => field !== name) : namesOf(fields));
  const hint = near === undefined ? '' : ` Is ${near} meant?`;
  return finish('checklist.not-allowed', `${name} is not part of the checklist ${checklist.id}.${hint}`, place);
}

function refused(
  error: ErrorObject,
  place: Place,
  checklist: Translating,
  document: ChecklistDocument,
): ChecklistProblem {
  const name = labelOf(place);
  const value = valueAt(place, document, error);
  const empty = error.keyword === 'minItems' || (error.keyword === 'minLength' && value === '');
  if (empty && place.part !== 'unit') return missing(place, checklist, '');
  const allowed = allowedHere(error, checklist);
  const shown = value === undefined ? 'This' : quoted(value);
  const field = checklist.fields.get(place.characteristic ?? '');
  const [code, message]: [ChecklistProblemCode, string] = allowed.closed
    ? ['checklist.value', `${shown} is not an allowed value of ${name}: ${listInWords(allowed.values)}.`]
    : isFormKeyword(error.keyword)
      ? [
          'checklist.form',
          `${shown} has not the form that ${name} needs: ${formInWords(error, allowed.values, field)}.`,
        ]
      : [
          'checklist.rule',
          `${shown} breaks a rule of the checklist ${checklist.id} for ${name}: it ${error.message ?? error.keyword}.`,
        ];
  const problem = finish(codeOfPart(place.part, code), message, place);
  if (value !== undefined) problem.value = value;
  if (allowed.values.length > 0) problem.allowedValues = allowed.values;
  return problem;
}

const isFormKeyword = (keyword: string): boolean =>
  ['pattern', 'format', 'minLength', 'maxLength', 'type', 'anyOf', 'oneOf', 'allOf', 'not'].includes(keyword);

const codeOfPart = (part: Place['part'], code: ChecklistProblemCode): ChecklistProblemCode =>
  part === 'unit' ? 'checklist.unit' : part === 'term' ? 'checklist.term' : code;

const labelOf = ({ characteristic, part, dataPath }: Place): string =>
  characteristic === undefined
    ? dataPath.slice(1) || 'the sample'
    : part === 'unit'
      ? `the unit of ${characteristic}`
      : part === 'term'
        ? `the ontology term of ${characteristic}`
        : characteristic;

interface Allowed {
  values: string[];
  closed: boolean;
}

/** By the schema that was not met and the keyword in it: the same lists each time. */
const known = new WeakMap<object, Map<string, Allowed>>();

function allowedHere(error: ErrorObject, checklist: Translating): Allowed {
  if (!isObject(error.parentSchema)) return readAllowed(error, checklist);
  const byKeyword = known.get(error.parentSchema) ?? new Map<string, Allowed>();
  known.set(error.parentSchema, byKeyword);
  const allowed = byKeyword.get(error.keyword) ?? readAllowed(error, checklist);
  byKeyword.set(error.keyword, allowed);
  return allowed;
}

function readAllowed(error: ErrorObject, checklist: Translating): Allowed {
  const parent = isObject(error.parentSchema) ? error.parentSchema : {};
  const closed = allowedValues(parent, checklist.schema);
  if (closed && ['enum', 'const', 'anyOf', 'oneOf'].includes(error.keyword)) return { values: closed, closed: true };
  if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') return { values: [], closed: false };
  const branches = Array.isArray(error.schema) ? (error.schema as unknown[]).filter(isObject) : [];
  return { values: branches.flatMap((branch) => allowedValues(branch, checklist.schema) ?? []), closed: false };
}

function valueAt(place: Place, document: ChecklistDocument, error: ErrorObject): string | undefined {
  if (place.characteristic !== undefined && place.entry !== undefined && place.part !== 'term') {
    return document.characteristics?.[place.characteristic]?.[place.entry]?.[place.part ?? 'text'];
  }
  return typeof error.data === 'string' || typeof error.data === 'number' ? String(error.data) : undefined;
}

/** The validator's path, in the checklist's spelling, as a place in our document. */
function placeOf(steps: string[], spelling: Spelling): Place {
  const [top, characteristic, entry, member] = steps;
  if (top !== spelling.top || characteristic === undefined) {
    return { dataPath: pointerTo(top === spelling.top ? ['characteristics'] : steps) };
  }
  const path = ['characteristics', characteristic];
  if (entry === undefined) return { dataPath: pointerTo(path), characteristic };
  const place: Place = { dataPath: pointerTo([...path, entry]), characteristic, entry: Number(entry) };
  if (member === undefined) return place;
  const part =
    member === spelling.unit
      ? 'unit'
      : member === spelling.terms
        ? 'term'
        : member === spelling.text
          ? 'text'
          : undefined;
  if (part === undefined) return { ...place, dataPath: pointerTo([...path, ...steps.slice(2)]) };
  const rest = part === 'term' ? steps.slice(4, 5) : [];
  return { ...place, part, dataPath: pointerTo([...path, entry, part === 'term' ? 'ontologyTerms' : part, ...rest]) };
}

const finish = (code: ChecklistProblemCode, message: string, place: Place): ChecklistProblem => ({
  ...place,
  code,
  message,
});
