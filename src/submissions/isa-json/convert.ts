/** A source or sample of an ISA-JSON document → the sample as `POST /submissions` takes it in a JSON file, on one line. */

import { RegistryError } from '../../registry/errors.js';
import { findJsonFault } from '../../registry/json-fault.js';
import { isObject } from '../../registry/json-form.js';
import { saysDerived } from '../../registry/samples/relationship-types.js';
import type { Relationship } from '../../registry/samples/sample.js';
import { fold } from '../../tsv/dialect.js';
import { columnKind } from '../../tsv/header/header-name.js';
import { saidInComments } from '../../tsv/isa-comments.js';
import { isForeignAccession } from '../../tsv/rows/relationships.js';
import {
  accessionOf,
  commentsOf,
  type Declared,
  declaredAs,
  isAccessionName,
  isMaterial,
  listOf,
  type Members,
  membersOf,
  type Term,
  termOf,
  textOf,
} from './declared.js';
import type { Part } from './parts.js';
import { isaPieces } from './scan.js';

interface Entry {
  text?: string | number;
  ontologyTerms?: string[];
  unit?: string;
  unitOntologyTerms?: string[];
}

/** What says what a source or sample is, in the order of the document; undefined text for one that only names a sample. */
export interface Material {
  part: Part;
  /** Line of the text that is made of it, from 1; 0 for a reference. */
  line: number;
  members: Members | undefined;
}

/** Numbers the sources and samples as lines; a source that says no more than an accession refers to that sample. */
export class Materials {
  #line = 0;

  constructor(private readonly isOurs: (accession: string) => boolean) {}

  next(part: Part): Material {
    const members = membersOf(part.text);
    const reference = members !== undefined && part.kind === 'source' && isReference(members, this.isOurs);
    return { part, line: reference ? 0 : ++this.#line, members };
  }
}

/** Of ours, or of another registry's whose sample is not to be registered here once more. */
function isReference({ name, characteristics, comments }: Members, isOurs: (accession: string) => boolean): boolean {
  const accession = textOf(name).trim();
  if (listOf(characteristics).length > 0 || !(isOurs(accession) || isForeignAccession(accession))) return false;
  return commentsOf(comments).some((comment) => isAccessionName(comment.name) && comment.value === accession);
}

/** The lines, of the document whose declarations were read before. @throws RegistryError file.* */
export async function* isaLines(
  bytes: AsyncIterable<Buffer>,
  declared: Declared,
  isOurs: (accession: string) => boolean,
): AsyncGenerator<Buffer> {
  const materials = new Materials(isOurs);
  let lines = 0;
  for await (const piece of isaPieces(bytes)) {
    if (piece instanceof Uint8Array || !isMaterial(piece)) continue;
    const { part, line, members } = materials.next(piece);
    lines = Math.max(lines, line);
    if (line === 0) continue;
    // What cannot be read is a line that cannot be read, and says why.
    const fault = members === undefined || findJsonFault(part.text) !== undefined;
    const text = fault ? part.text.replace(/[\r\n]+/g, ' ') : JSON.stringify(itemOf(part, members, declared, isOurs));
    yield Buffer.from(`${text}\n`);
  }
  if (lines === 0)
    throw new RegistryError(
      'file.empty',
      'The ISA-JSON document describes no source and no sample: its studies have none in "materials".',
    );
}

function itemOf(part: Part, members: Members, declared: Declared, isOurs: (accession: string) => boolean): object {
  const accession = accessionOf(members, isOurs);
  const said = saidOf(members);
  const release = said.release ?? (accession === '' ? declared.releaseOf(part.study) : '');
  return {
    name: textOf(members.name),
    ...(accession === '' ? {} : { accession }),
    ...(release === '' ? {} : { release }),
    ...said.members,
    characteristics: characteristicsOf(members, part.study, declared, accession),
    relationships: relationshipsOf(members, part.kind, said.relationships, declared),
    externalReferences: said.externalReferences,
    contact: said.contact,
    organization: said.organization,
    publications: said.publications,
  };
}

/** Comments in the words of the columns of a sheet, or of a sample's members; all others stay in the document. */
function saidOf({ comments }: Members) {
  const all = commentsOf(comments);
  let release: string | undefined;
  const members: Record<string, string> = {};
  for (const { name, value } of all) {
    if (columnKind(name).kind === 'release') release ??= value;
    else if (fold(name) === 'domain') members.domain ??= value;
    else if (fold(name) === 'taxid') members.taxId ??= value;
  }
  return { release, members, ...saidInComments(all) };
}

function characteristicsOf(
  { characteristics }: Members,
  study: number,
  declared: Declared,
  accession: string,
): Record<string, Entry[]> {
  const read = Object.create(null) as Record<string, Entry[]>;
  for (const { category, value, unit } of listOf(characteristics)) {
    const name = categoryName(category, study, declared);
    const entry = entryOf(termOf(value), unitOf(unit, study, declared));
    const isAccession = isAccessionName(name) && accession !== '' && String(entry.text ?? '').trim() === accession;
    if (Object.keys(entry).length === 0 || isAccession) continue;
    const entries = read[name];
    if (entries) entries.push(entry);
    else read[name] = [entry];
  }
  return read;
}

function entryOf(value: Term | undefined, unit: Term | undefined): Entry {
  const text = value?.text ?? '';
  return {
    ...(text === '' ? {} : { text }),
    ...(value && value.terms.length > 0 ? { ontologyTerms: value.terms } : {}),
    ...(unit && unit.text !== '' ? { unit: String(unit.text) } : {}),
    ...(unit && unit.terms.length > 0 ? { unitOntologyTerms: unit.terms } : {}),
  };
}

/** As it is declared, in place, or what its `@id` reads like: `#characteristic_category/organism_12`. */
function categoryName(category: unknown, study: number, declared: Declared): string {
  if (!isObject(category)) return '';
  const id = textOf(category['@id']);
  const name = declared.categories.get(declaredAs(study, id)) ?? termOf(category.characteristicType)?.text;
  if (name !== undefined && name !== '') return String(name).trim();
  return (id.split('/').at(-1) ?? '').replace(/_\d+$/, '').replace(/^#/, '');
}

function unitOf(unit: unknown, study: number, declared: Declared): Term | undefined {
  if (!isObject(unit)) return undefined;
  return declared.units.get(declaredAs(study, textOf(unit['@id']))) ?? termOf(unit);
}

/** Those of the comments, then what it derives from, by itself or by the process that made it. */
function relationshipsOf(
  members: Members,
  kind: Part['kind'],
  said: readonly Relationship[],
  { names, made }: Declared,
): Relationship[] {
  const parents = listOf(members.derivesFrom).map((source) => {
    const id = textOf(source['@id']);
    return names.get(id) ?? (textOf(source.name).trim() || id);
  });
  const byProcess = kind === 'sample' ? (made.get(textOf(members['@id'])) ?? []) : [];
  // What a process takes beside sources and samples is material of an assay.
  const origins = byProcess.flatMap((id) => names.get(id) ?? []);
  // What comments say has not been checked yet.
  const known = new Set(
    said.filter(({ type }) => typeof type === 'string' && saysDerived(type)).map(({ target }) => target),
  );
  const found = new Set([...parents, ...origins].filter((target) => !known.has(target)));
  return [...said, ...[...found].map((target) => ({ type: 'derived from', target }))];
}
