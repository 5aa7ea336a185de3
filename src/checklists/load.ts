/** Checklist files: JSON Schema, read from the shipped folder and from CHECKLISTS_DIR, with the names they go by. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RegistryError } from '../registry/errors.js';
import { SENSE_CODES, type SenseCode } from '../registry/issue-codes.js';
import { isObject } from '../registry/json-form.js';
import { addTo } from '../registry/lists.js';

export type JsonObject = Record<string, unknown>;

export interface ChecklistFile {
  id: string;
  /** Further names that find it, in lower case: `$id`, file name, short id. */
  names: string[];
  version?: string;
  source: 'shipped' | 'directory';
  path: string;
  /** As written. */
  schema: JsonObject;
  /** Warnings that it makes errors. */
  raised: readonly SenseCode[];
}

const SHIPPED = fileURLToPath(new URL('./shipped/', import.meta.url));
const VERSION = /^v?\d+(\.\d+)*$/;

/**
 * The shipped checklists and those of the folder, by file name; of one id the folder's wins, so that a shipped one can
 * be replaced.
 * @throws RegistryError checklist.unreadable naming every file that is not a checklist
 */
export function loadChecklistFiles(directory?: string): ChecklistFile[] {
  const files = new Map<string, ChecklistFile>();
  for (const file of readFolder(SHIPPED, 'shipped')) files.set(file.id, file);
  if (directory !== undefined) {
    for (const file of distinct(readFolder(directory, 'directory'))) files.set(file.id, file);
  }
  return [...files.values()];
}

function readFolder(folder: string, source: ChecklistFile['source']): ChecklistFile[] {
  if (!existsSync(folder))
    throw new RegistryError('checklist.unreadable', `There is no folder ${folder} of checklists.`);
  const problems: string[] = [];
  const files: ChecklistFile[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!/\.json$/i.test(name) || name.startsWith('.')) continue;
    const path = join(folder, name);
    try {
      files.push(describe(path, source, JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))));
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) {
    throw new RegistryError('checklist.unreadable', `These checklists cannot be read: ${problems.join('; ')}`);
  }
  return files;
}

function describe(path: string, source: ChecklistFile['source'], schema: unknown): ChecklistFile {
  if (!isObject(schema)) throw new Error('a checklist is a JSON object');
  const object: JsonObject = schema;
  const stem = basename(path).replace(/\.json$/i, '');
  const given = typeof object.$id === 'string' ? object.$id : typeof object.id === 'string' ? object.id : '';
  const { id, version } = splitId(given || stem);
  const stated = typeof object.version === 'string' ? object.version : version;
  const names = [id, stem, given, given.replace(/[#/]+$/, '')].filter((name) => name !== '');
  const raised = raisedBy(object);
  const lowered = names.map((name) => name.toLowerCase());
  const file: ChecklistFile = { id, names: lowered, source, path, schema: object, raised };
  if (stated !== undefined) file.version = stated;
  return file;
}

/** Names the warnings of checks between cells that reject their row. */
const RAISED = 'x-errors';

function raisedBy(schema: JsonObject): SenseCode[] {
  const listed = schema[RAISED] ?? [];
  const known: readonly unknown[] = SENSE_CODES;
  if (Array.isArray(listed) && listed.every((code) => known.includes(code))) return listed as SenseCode[];
  throw new Error(`"${RAISED}" is a list of some of ${SENSE_CODES.join(', ')}`);
}

/** `https://…/biosamples-minimal/1.0.0` → `biosamples-minimal`, version 1.0.0. */
function splitId(text: string): { id: string; version?: string } {
  const parts = text
    .replace(/[?#].*$/, '')
    .split(/[/:]/)
    .filter((part) => part !== '');
  const last = parts.at(-1) ?? text;
  const before = parts.at(-2);
  if (VERSION.test(last) && before !== undefined) return { id: safe(before), version: last };
  return { id: safe(last.replace(/(\.schema)?\.json$/i, '')) };
}

const safe = (text: string): string => text.replace(/[^\w.-]+/g, '-');

/** Several files with one id: the one of the highest version keeps it, the others carry their version in theirs. */
function distinct(files: ChecklistFile[]): ChecklistFile[] {
  const byId = new Map<string, ChecklistFile[]>();
  for (const file of files) addTo(byId, file.id, file);
  return [...byId.values()].flatMap((same) => {
    const sorted = same.sort((a, b) => compareVersions(b.version ?? '', a.version ?? ''));
    return sorted.map((file, i) => (i === 0 ? file : renamed(file, sorted[0] as ChecklistFile)));
  });
}

function renamed(file: ChecklistFile, first: ChecklistFile): ChecklistFile {
  if (file.version === undefined || file.version === first.version) {
    throw new RegistryError(
      'checklist.unreadable',
      `${basename(first.path)} and ${basename(file.path)} are both the checklist ${first.id}. Give one another $id or version.`,
    );
  }
  const id = `${file.id}-${file.version}`;
  return { ...file, id, names: [id.toLowerCase(), ...file.names.filter((name) => name !== first.id.toLowerCase())] };
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.replace(/^v/, '').split('.').map(Number)) as [number[], number[]];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
