/** What an .xlsx sheet refers to: the addresses of its links, and the comments on its cells. Where that is damaged, the sheet is read without. */
import { RegistryError } from '../registry/errors.js';
import { ColumnNotes } from './cell-notes.js';
import { LIMITS } from './limits.js';
import type { Package } from './package.js';
import { CommentsReader } from './read-comments.js';
import { resolvePart } from './relations.js';
import { readXml, type XmlHandler } from './xml.js';

/** Addresses that are kept. */
const MOST = 20_000;

export interface Related {
  /** By the names that the sheet has for them. */
  addresses: ReadonlyMap<string, string>;
  comments: ColumnNotes;
}

export async function readRelated(parts: Package, sheet: string): Promise<Related> {
  const addresses = new Map<string, string>();
  const comments = new ColumnNotes();
  const at = sheet.lastIndexOf('/') + 1;
  const folder = sheet.slice(0, at);
  let commentsPart: string | undefined;
  await readPart(parts, `${folder}_rels/${sheet.slice(at)}.rels`, {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || Id === undefined) return;
      if (TargetMode === 'External' && Type.endsWith('/hyperlink') && addresses.size < MOST) addresses.set(Id, Target);
      if (TargetMode !== 'External' && Type.endsWith('/comments')) commentsPart = resolvePart(Target, folder);
    },
    close() {},
  });
  if (commentsPart !== undefined) await readPart(parts, commentsPart, new CommentsReader(comments));
  return { addresses, comments };
}

async function readPart(parts: Package, part: string, handler: XmlHandler): Promise<void> {
  if (!parts.has(part)) return;
  try {
    await readXml(part, parts.read(part, LIMITS.textBytes), handler);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
  }
}
