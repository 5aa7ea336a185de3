/**
 * Whether a checklist checks each characteristic by itself. Most do, and then a verdict per distinct value of a column
 * replaces one per row: a million rows of forty countries cost forty verdicts.
 */

import { isObject } from '../registry/json-form.js';
import { characteristicsSchema, flatten, texts } from './fields.js';
import type { JsonObject } from './load.js';
import type { Spelling } from './spelling.js';

export interface Separable {
  /** Of each list at least one name must be present. */
  presence: string[][];
  /** Whether the checklist says anything about a characteristic of this name. */
  constrains(name: string): boolean;
}

/** Rules across characteristics or members; a schema with one is checked row by row. */
const CROSSING = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'enum',
  'const',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
];

/** Members that every row has, or that a sheet never fills. */
const HARMLESS = new Set([
  'name',
  'release',
  'accession',
  'update',
  'create',
  'submitted',
  'submittedVia',
  'status',
  '_links',
]);

/** Undefined: check whole rows. */
export function separate(root: JsonObject, spelling: Spelling): Separable | undefined {
  if (CROSSING.some((keyword) => keyword in root) || 'anyOf' in root || 'patternProperties' in root) return undefined;
  if (root.additionalProperties === false || isObject(root.additionalProperties)) return undefined;
  if (texts(root.required).some((name) => name !== spelling.top && name !== 'name' && name !== 'release'))
    return undefined;
  const members = isObject(root.properties) ? root.properties : {};
  for (const [name, schema] of Object.entries(members)) {
    if (name === spelling.top) continue;
    if (!HARMLESS.has(name) || ((name === 'name' || name === 'release') && !isTrivial(flatten(schema, root))))
      return undefined;
  }
  return separateCharacteristics(characteristicsSchema(root, spelling), members[spelling.top]);
}

/** Satisfied by every text that a row can have there. */
function isTrivial(schema: JsonObject): boolean {
  const minLength = schema.minLength ?? 0;
  const rules = Object.keys(schema).filter((keyword) =>
    ['pattern', 'format', 'maxLength', 'enum', 'const', 'anyOf', ...CROSSING].includes(keyword),
  );
  return rules.length === 0 && (schema.type === undefined || schema.type === 'string') && Number(minLength) <= 1;
}

function separateCharacteristics(flat: JsonObject, written: unknown): Separable | undefined {
  const own = isObject(written) ? written : {};
  if (CROSSING.some((keyword) => keyword in flat) || '$ref' in own || 'allOf' in own) return undefined;
  const presence = texts(flat.required).map((name) => [name]);
  if (flat.anyOf !== undefined) {
    const alternatives = singleNames(flat.anyOf);
    if (!alternatives) return undefined;
    presence.push(alternatives);
  }
  const properties = isObject(flat.properties) ? flat.properties : {};
  const everyName =
    (isObject(flat.patternProperties) && Object.keys(flat.patternProperties).length > 0) ||
    (flat.additionalProperties !== undefined && flat.additionalProperties !== true);
  return { presence, constrains: (name) => everyName || Object.hasOwn(properties, name) };
}

/** `anyOf: [{required: [a]}, {required: [b]}]` → a, b. */
function singleNames(branches: unknown): string[] | undefined {
  if (!Array.isArray(branches)) return undefined;
  const names = branches.map((branch) => {
    const list = isObject(branch) && Object.keys(branch).length === 1 ? texts(branch.required) : [];
    return list.length === 1 ? list[0] : undefined;
  });
  return names.every((name) => name !== undefined) ? (names as string[]) : undefined;
}
