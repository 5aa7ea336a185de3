/**
 * Two spellings of a sample are about: ours (`characteristics` of `text`, `unit`, `ontologyTerms`) and the one that
 * part of the field's checklists is written for (`attributes` of `value`, `units`, `terms: [{url}]`). A sample is
 * turned into the spelling of the checklist, never the checklist into ours, so that its rules are read as written.
 */

import type { ChecklistDocument } from '../registry/checklist.js';
import { isObject } from '../registry/json-form.js';
import type { Characteristic, Characteristics } from '../registry/samples/sample.js';
import type { JsonObject } from './load.js';

export interface Spelling {
  /** Member of the sample that holds the characteristics. */
  top: 'characteristics' | 'attributes';
  text: 'text' | 'value';
  unit: 'unit' | 'units';
  terms: 'ontologyTerms' | 'terms';
  /** Terms are objects with a url rather than strings. */
  termObjects: boolean;
}

export const OURS: Spelling = {
  top: 'characteristics',
  text: 'text',
  unit: 'unit',
  terms: 'ontologyTerms',
  termObjects: false,
};

/** Member names that stand for data wherever they occur, so that nothing is looked for inside them. */
const OPAQUE = new Set(['enum', 'const', 'default', 'examples']);

/** The spelling that a schema is written for: by the names of its members, wherever they are said. */
export function spellingOf(schema: JsonObject): Spelling {
  const top = membersOf(schema.properties, schema.required);
  const attributes = top.has('attributes') && !top.has('characteristics');
  const entry = new Set<string>();
  collectEntryMembers(schema, false, entry);
  const either = <A extends string, B extends string>(ours: A, theirs: B): A | B =>
    entry.has(ours) === entry.has(theirs) ? (attributes ? theirs : ours) : entry.has(theirs) ? theirs : ours;
  const terms = either('ontologyTerms', 'terms');
  return {
    top: attributes ? 'attributes' : 'characteristics',
    text: either('text', 'value'),
    unit: either('unit', 'units'),
    terms,
    termObjects: terms === 'terms',
  };
}

const membersOf = (properties: unknown, required: unknown): Set<string> =>
  new Set([
    ...(isObject(properties) ? Object.keys(properties) : []),
    ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  ]);

/** Keywords whose members are names of something, each with a schema. */
const MAPS = new Set(['properties', 'patternProperties', 'definitions', '$defs']);

/** Entries are what `items` describes; anything said there of members counts. */
function collectEntryMembers(node: unknown, inItems: boolean, found: Set<string>): void {
  if (Array.isArray(node)) for (const part of node) collectEntryMembers(part, inItems, found);
  if (!isObject(node)) return;
  if (inItems) for (const name of membersOf(node.properties, node.required)) found.add(name);
  for (const [keyword, part] of Object.entries(node)) {
    if (OPAQUE.has(keyword)) continue;
    const children = MAPS.has(keyword) && isObject(part) ? Object.values(part) : [part];
    for (const child of children) {
      collectEntryMembers(child, keyword === 'items' || (inItems && !MAPS.has(keyword)), found);
    }
  }
}

/** The sample as the checklist spells it. */
export function respell(document: ChecklistDocument, spelling: Spelling): JsonObject {
  const { characteristics, ...others } = document;
  const own = characteristics ?? {};
  const same = (['text', 'unit', 'terms'] as const).every((part) => spelling[part] === OURS[part]);
  return { ...others, [spelling.top]: same ? own : rename(own, spelling) };
}

function rename(characteristics: Characteristics, spelling: Spelling): JsonObject {
  const renamed: JsonObject = Object.create(null) as JsonObject;
  for (const name of Object.keys(characteristics)) {
    renamed[name] = (characteristics[name] ?? []).map((entry) => renameEntry(entry, spelling));
  }
  return renamed;
}

function renameEntry(entry: Characteristic, spelling: Spelling): JsonObject {
  const renamed: JsonObject = {};
  if (entry.text !== undefined) renamed[spelling.text] = entry.text;
  if (entry.unit !== undefined) renamed[spelling.unit] = entry.unit;
  if (entry.ontologyTerms !== undefined) {
    renamed[spelling.terms] = spelling.termObjects ? entry.ontologyTerms.map((url) => ({ url })) : entry.ontologyTerms;
  }
  return renamed;
}
