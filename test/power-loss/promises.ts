/** What was answered before the power was cut, and whether it is there. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokens } from '../../src/auth/tokens.js';
import { keyOf } from '../../src/exports/kept-files.js';
import { parseAccession } from '../../src/registry/accession.js';
import type { SampleRecord } from '../../src/registry/samples/sample-store.js';
import type { Store } from '../../src/store/store.js';
import type { Blobs } from '../../src/submissions/blobs.js';
import { isFinal } from '../../src/submissions/submission.js';

export const PREFIX = 'SAMR';

export type Promised =
  | { kind: 'submission'; id: string; ended: boolean }
  /** What its characteristic `note` says. */
  | { kind: 'sample'; accession: string; note: string }
  /** A curation or a cell of structured data says it. */
  | { kind: 'added'; accession: string; value: string }
  | { kind: 'token'; text: string }
  /** A whole result that is made. */
  | { kind: 'export'; id: string }
  /** A file of the audit log has its first line. */
  | { kind: 'begun'; file: string }
  /** That a backup of this moment was taken. */
  | { kind: 'backup'; created: number }
  /** A line of the audit log with this request or object. */
  | { kind: 'audit'; names: string }
  /** A file, and what it holds; or the one for whose sake it was there. */
  | { kind: 'file'; path: string; sha256: string; or?: string }
  /** A file of the watch folder, and whether it has found its place. */
  | { kind: 'taken'; name: string; sha256: string }
  | { kind: 'settled'; name: string; key: string };

type Of<Kind extends Promised['kind']> = Extract<Promised, { kind: Kind }>;

export interface Left {
  folder: string;
  store: Store;
  blobs: Blobs;
}

type Checks = { [Kind in Promised['kind']]?: (left: Left, what: Of<Kind>) => Promise<string[]> };
/** The audit log and the watch folder are looked at as a whole. */
const CHECKS: Checks = {
  submission: submissionFaults,
  added: additionFaults,
  token: async ({ store }, { text }) =>
    (await new Tokens(store).check(text)) ? [] : ['a token was made and is not there'],
  export: exportFaults,
  backup: async ({ store }, { created }) =>
    (await store.lastBackup()) === created ? [] : ['a backup was taken and is not recorded'],
  file: fileFaults,
};

/** @param later promised after the cut: what was asked for and not answered may be there */
export async function lackingIn(left: Left, promised: readonly Promised[], later: readonly Promised[]) {
  const found: string[] = [];
  for (const what of promised) {
    const check = CHECKS[what.kind] as ((left: Left, what: Promised) => Promise<string[]>) | undefined;
    found.push(...((await check?.(left, what)) ?? []));
  }
  return [...found, ...(await sampleFaults(left, promised, later))];
}

/** Each has what the last answer said, or what was asked for next. */
async function sampleFaults(left: Left, promised: readonly Promised[], later: readonly Promised[]): Promise<string[]> {
  const isSample = (what: Promised): what is Of<'sample'> => what.kind === 'sample';
  const last = new Map(promised.filter(isSample).map((what) => [what.accession, what.note]));
  const found: string[] = [];
  for (const [accession, answered] of last) {
    const next = later.filter(isSample).find((what) => what.accession === accession)?.note;
    const note = (await recordOf(left, accession))?.sample.content.characteristics.note?.[0]?.text;
    if (note === undefined || (note !== answered && note !== next))
      found.push(`${accession} was answered with "${answered}" and has "${note}"`);
  }
  return found;
}

const recordOf = ({ store }: Left, accession: string): Promise<SampleRecord | undefined> =>
  store.readSample(parseAccession(PREFIX, accession) as number);

async function submissionFaults({ store }: Left, { id, ended }: Of<'submission'>): Promise<string[]> {
  const present = await store.find(id);
  if (present === undefined) return [`submission ${id} was answered and is not there`];
  return ended && !isFinal(present.state) ? [`submission ${id} had ended and is ${present.state}`] : [];
}

async function additionFaults(left: Left, { accession, value }: Of<'added'>): Promise<string[]> {
  const record = await recordOf(left, accession);
  const added = JSON.stringify([record?.curationLinks, record?.structuredData]);
  return added.includes(JSON.stringify(value)) ? [] : [`${accession} lacks "${value}", which was answered`];
}

async function exportFaults({ store, blobs }: Left, { id }: Of<'export'>): Promise<string[]> {
  const present = await store.findExport(id, Date.now());
  if (present?.file === undefined) return [`export ${id} was made and is ${present?.state ?? 'not there'}`];
  const hash = createHash('sha256');
  for await (const piece of blobs.open(keyOf(present), { size: present.file.bytes })) hash.update(piece as Buffer);
  return hash.digest('hex') === present.file.sha256 ? [] : [`the file of export ${id} is damaged`];
}

async function fileFaults({ folder }: Left, { path, sha256, or }: Of<'file'>): Promise<string[]> {
  if (or !== undefined && existsSync(join(folder, or))) return [];
  const file = join(folder, path);
  if (!existsSync(file)) return [`${path} is not there`];
  return sha256Of(readFileSync(file)) === sha256 ? [] : [`${path} is damaged`];
}

export const sha256Of = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
