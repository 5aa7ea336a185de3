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
interface Place {
  dataPath: string;
  characteristic?: string;
  entry?: number;
  part?: 'text' | 'unit' | 'term';
}

export function translate(error: ErrorObject, checklist: Translating, document: ChecklistDocument): ChecklistProblem {
  const steps = error.instancePath.split('/').slice(1).map(stepName);
  const { params } = error as { params: Record<string, unknown> };
  if (error.keyword === 'required' || error.keyword === 'dependentRequired' || error.keyword === 'dependencies') {
    return missing(placeOf([...steps, String(params.missingProperty)], checklist.spelling), checklist, reasonOf(error));
  }
  const lacking = lackingNames(error);
  if (lacking) return missing(placeOf([...steps, lacking[0] as string], checklist.spelling), checklist, '', lacking);
  const unwanted = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  if (typeof unwanted === 'string') return notAllowed(placeOf([...steps, unwanted], checklist.spelling), checklist);
  const place = placeOf(steps, checklist.spelling);
  if (error.keyword === 'false schema') return notAllowed(place, checklist);
  return refused(error, place, checklist, document);
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

function notAllowed(place: Place, checklist: Translating): ChecklistProblem {
  const name = place.characteristic ?? place.dataPath.slice(1);
  const near = nearest(
    name,
    [...checklist.fields.keys()].filter((field) => field !== name),
  );
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

function allowedHere(error: ErrorObject, checklist: Translating): { values: string[]; closed: boolean } {
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
