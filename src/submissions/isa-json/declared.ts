/** What an ISA-JSON document declares for its samples, wherever it stands: the first pass over the document. */
import { RegistryError } from '../../registry/errors.js';
import { countParts, MAX_PARTS } from '../../registry/json-fault.js';
import { ISA_FURTHER_TERM, isObject } from '../../registry/json-form.js';
import { fold } from '../../tsv/dialect.js';
import { columnKind } from '../../tsv/header/header-name.js';
import type { Part } from './parts.js';
import { isaPieces } from './scan.js';

/** Sources and samples of one document, and characters of what is kept of it: memory is bounded by both. */
const MAX_MATERIALS = 100_000;
const MAX_KEPT = 32_000_000;
const MAX_STUDIES = 20_000;
/** Of each thing that is kept, beside its text. */
const OVERHEAD = 60;
/** Members, elements, lists and objects of a process, a category or a unit: they are read at once, while nobody else is answered. */
const MAX_DECLARED_PARTS = 100_000;

export type Members = Record<string, unknown>;

export interface Term {
  text: string | number;
  terms: string[];
}

export interface DeclaredStudy {
  '@id'?: string;
  title?: string;
  identifier?: string;
  filename?: string;
  release?: string;
}

export class Declared {
  /** By their number; those that say nothing of themselves are left out. */
  readonly studies = new Map<number, DeclaredStudy>();
  /** The investigation is a member of that name. */
  wrapped = false;
  /** Of the investigation. */
  release: string | undefined;
  /** Study and `@id` → name. */
  readonly categories = new Map<string, string>();
  readonly units = new Map<string, Term>();
  /** `@id` of a source or sample → what a relationship calls it. */
  readonly names = new Map<string, string>();
  /** `@id` of what a process made → `@id`s of what it was made from. */
  readonly made = new Map<string, string[]>();
  #materials = 0;
  #kept = 0;

  constructor(private readonly isOurs: (accession: string) => boolean) {}

  /** @throws RegistryError file.too-large */
  add(part: Part): void {
    const { kind, study } = part;
    if (kind === 'study' || kind === 'release') {
      this.#addText(part);
      return;
    }
    const value = isMaterial(part) ? membersOf(part.text) : declarationOf(part);
    if (value === undefined) return;
    const id = textOf(value['@id']);
    if (kind === 'category') {
      const name = termOf(value.characteristicType)?.text ?? '';
      this.#keep(this.categories, declaredAs(study, id), String(name).trim());
    } else if (kind === 'unit') {
      const term = termOf(value);
      if (term) this.#keep(this.units, declaredAs(study, id), term);
    } else if (kind === 'process') this.#addProcess(value);
    else this.#addMaterial(id, value);
  }

  /** What the study, else the investigation, says; '' for neither. */
  releaseOf(study: number): string {
    return this.studies.get(study)?.release || this.release || '';
  }

  #addText(part: Part): void {
    const { kind, key, study } = part;
    const value = jsonOf(part) as string;
    if (study < 0) {
      this.release = value.trim();
      return;
    }
    const declared = this.studies.get(study) ?? {};
    this.studies.set(study, declared);
    if (this.studies.size > MAX_STUDIES) {
      const message = `The document has more than ${MAX_STUDIES} studies. Divide it.`;
      throw new RegistryError('file.too-large', message);
    }
    this.#room(value.length);
    if (kind === 'release') declared.release = value.trim();
    else declared[key as '@id' | 'title' | 'identifier' | 'filename'] = value;
  }

  #addProcess({ inputs, outputs }: Members): void {
    const from = idsOf(inputs);
    if (from.length === 0) return;
    for (const id of idsOf(outputs)) {
      const known = this.made.get(id);
      this.#room(id.length + from.reduce((sum, one) => sum + one.length + OVERHEAD, 0));
      if (known) for (const one of from) known.push(one);
      else this.made.set(id, [...from]);
    }
  }

  #addMaterial(id: string, material: Members): void {
    if (++this.#materials > MAX_MATERIALS) {
      const message = `The document names more than ${MAX_MATERIALS} sources and samples. Divide it, or upload its samples as a sheet or as JSON, a sample on each line.`;
      throw new RegistryError('file.too-large', message);
    }
    if (id !== '') this.#keep(this.names, id, accessionOf(material, this.isOurs) || textOf(material.name).trim());
  }

  #keep<T>(map: Map<string, T>, key: string, value: T): void {
    this.#room(key.length + (typeof value === 'string' ? value.length : JSON.stringify(value).length));
    if (!map.has(key)) map.set(key, value);
  }

  #room(characters: number): void {
    this.#kept += characters + OVERHEAD;
    if (this.#kept <= MAX_KEPT) return;
    throw new RegistryError(
      'file.too-large',
      'The categories, units, names and processes of the document are too long together. Divide it by study.',
    );
  }
}

/** @throws RegistryError file.* */
export async function readDeclared(
  bytes: AsyncIterable<Buffer>,
  isOurs: (accession: string) => boolean,
): Promise<Declared> {
  const declared = new Declared(isOurs);
  for await (const piece of isaPieces(bytes)) {
    if (piece instanceof Uint8Array) continue;
    declared.wrapped ||= piece.wrapped;
    declared.add(piece);
  }
  return declared;
}

export const declaredAs = (study: number, id: string): string => `${study} ${id}`;

export const isMaterial = ({ kind }: Pick<Part, 'kind'>): boolean => kind === 'source' || kind === 'sample';

/** Undefined for what is no element of its list. @throws RegistryError file.not-understood, file.too-large */
function declarationOf(part: Part): Members | undefined {
  const parts = part.text.length > MAX_DECLARED_PARTS ? countParts(part.text) : 0;
  if (parts > MAX_DECLARED_PARTS) {
    const message = `A ${part.kind} of study ${part.study + 1} has ${parts} members, elements, lists and objects in all, more than the ${MAX_DECLARED_PARTS} that one may have. Divide it.`;
    throw new RegistryError('file.too-large', message);
  }
  const value = jsonOf(part);
  return isObject(value) ? value : undefined;
}

/** What is said of all samples has no line of its own that could be rejected. @throws RegistryError file.not-understood */
function jsonOf({ kind, key, study, text }: Part): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const what = key === '' ? kind : JSON.stringify(key);
    const where = study < 0 ? 'the investigation' : `study ${study + 1}`;
    throw new RegistryError(
      'file.not-understood',
      `A ${what} of ${where} is not valid JSON: ${(error as Error).message.slice(0, 200)}. Send the document as your program wrote it.`,
      { cause: error },
    );
  }
}

/** Of a source or sample; undefined for what cannot be read, or is more than one sample may say. */
export function membersOf(text: string): Members | undefined {
  if (text.length > MAX_PARTS && countParts(text) > MAX_PARTS) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);
const idsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one['@id']) || []);

/** An ontology annotation, a text or a number; undefined for anything that says nothing. */
export function termOf(value: unknown): Term | undefined {
  if (typeof value === 'string' || typeof value === 'number') return { text: value, terms: [] };
  if (!isObject(value)) return undefined;
  const { annotationValue, termAccession, comments } = value;
  const terms = [
    textOf(termAccession).trim(),
    ...commentsOf(comments).flatMap(({ name, value: said }) => (fold(name) === fold(ISA_FURTHER_TERM) ? said : [])),
  ].filter((term) => term !== '');
  const text = typeof annotationValue === 'number' ? annotationValue : textOf(annotationValue);
  return { text, terms };
}

export const commentsOf = (value: unknown): { name: string; value: string }[] =>
  listOf(value).flatMap(({ name, value: said }) => {
    const text = typeof said === 'number' ? String(said) : textOf(said).trim();
    return text === '' ? [] : [{ name: textOf(name).trim(), value: text }];
  });

export const isAccessionName = (name: string): boolean =>
  fold(name) === 'accession' || columnKind(name).kind === 'identifier';

/** The accession of ours that a source or sample says it has, '' for none: in its comments, or as brokers write it, in a characteristic. */
export function accessionOf({ comments, characteristics }: Members, isOurs: (accession: string) => boolean): string {
  const said = commentsOf(comments).find(({ name, value }) => isAccessionName(name) && isOurs(value));
  if (said) return said.value;
  for (const { category, value } of listOf(characteristics)) {
    const text = String(termOf(value)?.text ?? '').trim();
    if (
      isObject(category) &&
      /^#characteristic_category\/accession(?:_\d+)?$/i.test(textOf(category['@id'])) &&
      isOurs(text)
    )
      return text;
  }
  return '';
}
