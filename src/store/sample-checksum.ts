/**
 * The checksum that each row of `sample` and `sample_version` carries: what is read of a row is what was written, or an
 * error that names it (docs/decisions/0086-versions-carry-checksums.md). A change of one number, of one character of the name,
 * or of up to 32 adjacent bits of the content is always found; anything else but for one time in 4 000 000 000.
 */
import { crc32 } from 'node:zlib';
import type { RowBytes } from '../registry/samples/whole-result.js';
import { storageIsDamaged } from './failures.js';

/** What samples of one batch have in common. */
export interface SharedValues {
  account: number;
  author: number;
  /** 0 JSON_API, 1 FILE_UPLOADER */
  via: number;
  submission: number | null;
  version: number;
  created: number;
  updated: number;
  submitted: number | null;
  admin_status: string | null;
}

/** A row of `sample` or `sample_version` without its checksum. */
export interface SampleValues extends SharedValues {
  id: number;
  name: string;
  release: number;
  layout: number | null;
  doc: string;
  line: number | null;
}

export interface CheckedValues extends SampleValues {
  crc: number | null;
}

/** What a sample has to itself. */
export type OwnValues = Omit<CheckedValues, keyof SharedValues>;

export const checksumOf = (row: SampleValues): number =>
  checksumWith(sharedSum(row), row.id, row.release, row.layout, row.line, row.name, row.doc);

export const SHARED_COLUMNS = [
  'account',
  'author',
  'via',
  'submission',
  'version',
  'created',
  'updated',
  'submitted',
  'admin_status',
] as const satisfies (keyof SharedValues)[];

export function sharedSum(row: SharedValues): number {
  let sum = mix(mix(mix(mix(0, row.account), row.author), row.via), row.submission);
  sum = mix(mix(mix(mix(sum, row.version), row.created), row.updated), row.submitted);
  return mix(sum, row.admin_status === null ? null : crc32(row.admin_status));
}

/** For samples of one batch: what they share is summed once. */
export const checksumWith = (
  shared: number,
  id: number,
  release: number,
  layout: number | null,
  line: number | null,
  name: string,
  doc: string,
): number => mix(mix(mix(mix(mixText(shared, name), id), release), layout), line) ^ crc32(doc);

/** `checksumWith` of a row whose texts are UTF-8. */
export const checksumOfBytes = (
  shared: number,
  { id, release, layout, line }: Pick<OwnValues, 'id' | 'release' | 'layout' | 'line'>,
  { bytes, name, doc, end }: RowBytes,
): number =>
  mix(mix(mix(mix(mixBytes(shared, bytes, name, doc), id), release), layout), line) ^ crc32(bytes.subarray(doc, end));

/** One step for a whole number or null: another sum or another value always gives another result. */
export function mix(sum: number, value: number | null): number {
  const plain = value ?? -1;
  const low = Math.imul(sum ^ plain, 0x85ebca6b);
  return Math.imul(low ^ (low >>> 15) ^ Math.floor(plain / 2 ** 32), 0xc2b2ae35);
}

/** For names: shorter than what a call of crc32 costs. */
function mixText(sum: number, text: string): number {
  let mixed = sum ^ text.length;
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}

/** The same of UTF-8. */
function mixBytes(sum: number, bytes: Uint8Array, from: number, to: number): number {
  let mixed = sum ^ (to - from);
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x7f) return mixText(sum, utf8(bytes, from, to));
    mixed = Math.imul(mixed ^ byte, 0x01000193);
  }
  return mixed;
}

export const utf8 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();

/** How a row’s checksum is checked. */
export interface Checking {
  /** Samples below this number may have none: they were written before there were any. */
  uncheckedBelow: number;
  accession(id: number): string;
}

export const isIntact = (row: CheckedValues, checking: Pick<Checking, 'uncheckedBelow'>): boolean =>
  isIntactWith(sharedSum(row), row, checking);

/** The same where the sum of what samples of its batch have in common is known. */
export const isIntactWith = (
  shared: number,
  { id, name, release, layout, doc, line, crc }: OwnValues,
  { uncheckedBelow }: Pick<Checking, 'uncheckedBelow'>,
): boolean => (crc === null ? id < uncheckedBelow : crc === checksumWith(shared, id, release, layout, line, name, doc));

/** @throws RegistryError storage.damaged for a row that is not as it was written */
export function requireIntact(row: CheckedValues, checking: Checking): void {
  if (!isIntact(row, checking)) throw damagedVersion(row, checking);
}

export const damagedVersion = ({ id, version }: Pick<SampleValues, 'id' | 'version'>, { accession }: Checking) =>
  storageIsDamaged(`Version ${version} of sample ${accession(id)}`);
