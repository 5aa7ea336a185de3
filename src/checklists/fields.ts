/** What a checklist says of each characteristic, read off its schema; for templates, forms and the summary. */
import type { ChecklistField } from '../registry/checklist.js';
import { isObject } from '../registry/json-form.js';
import { stepName } from '../registry/json-pointer.js';
import type { JsonObject } from './load.js';
import { patternInWords } from './pattern-words.js';
import type { Spelling } from './spelling.js';

/** References are followed this deep at most; a schema may refer to itself. */
const MAX_DEPTH = 12;

/** The schema that describes the characteristics as a whole, with references and `allOf` taken in. */
export function characteristicsSchema(root: JsonObject, spelling: Spelling): JsonObject {
  const properties = flatten(root, root).properties;
  return isObject(properties) ? flatten(properties[spelling.top], root) : {};
}

export function readFields(root: JsonObject, spelling: Spelling): ChecklistField[] {
  const schema = characteristicsSchema(root, spelling);
  const required = requiredNames(schema);
  const properties = isObject(schema.properties) ? schema.properties : {};
  const names = [...new Set([...required, ...Object.keys(properties)])];
  const wanted = new Set(required);
  return names.map((name) => readField(name, wanted.has(name), properties[name], root, spelling));
}

/** Required by name, or the first of several of which one is required. */
function requiredNames(schema: JsonObject): string[] {
  const names = texts(schema.required);
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(branches)) continue;
    const first: unknown = branches[0];
    if (branches.every((branch) => isObject(branch) && texts(branch.required).length > 0) && isObject(first)) {
      names.push(...texts(first.required));
    }
  }
  return names;
}

function readField(
  name: string,
  required: boolean,
  node: unknown,
  root: JsonObject,
  spelling: Spelling,
): ChecklistField {
  const list = flatten(node, root);
  const entry = flatten(list.items, root);
  const members = isObject(entry.properties) ? entry.properties : {};
  const text = flatten(members[spelling.text], root);
  const field: ChecklistField = {
    name,
    required,
    unitRequired: texts(entry.required).includes(spelling.unit),
    termRequired: texts(entry.required).includes(spelling.terms),
  };
  const description = firstText(list.description, entry.description, text.description, list.title);
  if (description !== undefined) field.description = description;
  const allowed = allowedValues(text, root);
  if (allowed) field.allowedValues = allowed;
  if (typeof text.pattern === 'string') field.pattern = text.pattern;
  const form = allowed ? undefined : formInWords(text, root);
  if (form !== undefined) field.form = form;
  if (typeof text.format === 'string') field.format = text.format;
  const units = allowedValues(flatten(members[spelling.unit], root), root);
  if (units) field.allowedUnits = units;
  const example = firstText(first(text.examples), first(list.examples), list.example, text.example, text.default);
  if (example !== undefined) field.example = example;
  return field;
}

/** So many of the values that a form allows beside it are named. */
const MAX_NAMED = 12;

/** What a value has to look like: its pattern, or those of which it meets one, and the values allowed beside them. */
function formInWords(text: JsonObject, root: JsonObject): string | undefined {
  const alternatives = [text.anyOf, text.oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const branches = [text, ...alternatives.map((branch) => flatten(branch, root))];
  const forms = branches.flatMap(({ pattern }) => (typeof pattern === 'string' ? [patternInWords(pattern)] : []));
  if (forms.length === 0) return undefined;
  const values = branches.flatMap((branch) => allowedValues(branch, root) ?? []);
  const named = values.length > MAX_NAMED ? [...values.slice(0, MAX_NAMED), '…'] : values;
  const words = [...new Set(forms)].join(' or ');
  return named.length > 0 ? `${words}, or one of: ${named.join(', ')}` : words;
}

/** The closed list of values that a schema allows, or undefined when it is open. */
export function allowedValues(schema: JsonObject, root: JsonObject): string[] | undefined {
  if (Array.isArray(schema.enum)) return texts(schema.enum);
  if (typeof schema.const === 'string') return [schema.const];
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches)) return undefined;
  const lists = branches.map((branch) => allowedValues(flatten(branch, root), root));
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

/** The schema with its local reference resolved and its `allOf` merged in, one level deep. */
export function flatten(node: unknown, root: JsonObject, depth = 0): JsonObject {
  if (!isObject(node) || depth > MAX_DEPTH) return {};
  let flat: JsonObject = node;
  if (typeof node.$ref === 'string') {
    const { $ref, ...others } = node;
    flat = merge(flatten(resolve($ref as string, root), root, depth + 1), others);
  }
  if (Array.isArray(flat.allOf)) {
    const { allOf, ...others } = flat;
    flat = (allOf as unknown[]).reduce<JsonObject>((all, part) => merge(all, flatten(part, root, depth + 1)), others);
  }
  return flat;
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged = { ...a, ...b };
  if (isObject(a.properties) && isObject(b.properties)) merged.properties = { ...a.properties, ...b.properties };
  if (a.required !== undefined && b.required !== undefined)
    merged.required = [...texts(a.required), ...texts(b.required)];
  return merged;
}

function resolve(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#/')) return reference === '#' ? root : undefined;
  let node: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = stepName(decodeURIComponent(part));
    node = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return node;
}

export const texts = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];

const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

const firstText = (...candidates: unknown[]): string | undefined =>
  candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '');
