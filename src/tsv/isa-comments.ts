/**
 * Members of a sample that ISA-JSON has none for, as comments: in the words of a sheet's columns where these say all of
 * it, else as JSON under the member's own name. Printed and read by one rule, so that what leaves comes back.
 */
import { countParts, MAX_PARTS } from '../registry/json-fault.js';
import { sameJson } from '../registry/samples/canonical.js';
import {
  type ExternalReference,
  emptyContent,
  type Relationship,
  type TextRecord,
} from '../registry/samples/sample.js';
import { columnKind } from './header/header-name.js';
import { cellsOf } from './print/sample-sheet.js';

export interface IsaComment {
  name: string;
  value: string;
}

export interface CommentedMembers {
  relationships: Relationship[];
  externalReferences: ExternalReference[];
  contact: TextRecord[];
  organization: TextRecord[];
  publications: TextRecord[];
}

const MEMBERS = ['relationships', 'externalReferences', 'contact', 'organization', 'publications'] as const;

const none = (): CommentedMembers => ({
  relationships: [],
  externalReferences: [],
  contact: [],
  organization: [],
  publications: [],
});

/** What stands in JSON is as it was sent: whoever takes it in checks it as any sample. All other comments say nothing here. */
export function saidInComments(comments: readonly IsaComment[]): CommentedMembers {
  const said = none();
  for (const { name, value } of comments) {
    const member = MEMBERS.find((one) => one === name);
    const kind = columnKind(`Comment[${name}]`);
    if (member) for (const one of listIn(value)) (said[member] as unknown[]).push(one);
    else if (kind.kind === 'relationship') said.relationships.push({ type: kind.type, target: value });
    else if (kind.kind === 'reference') said.externalReferences.push({ url: value });
    else if (kind.kind === 'record') addMember(said[kind.of], kind.member, value);
  }
  return said;
}

/** A text that is no list in JSON is a comment of somebody else's. One of more than a sample may say stays a text, and is refused as such. */
function listIn(text: string): unknown[] {
  if (!text.startsWith('[')) return [];
  if (text.length > MAX_PARTS && countParts(text) > MAX_PARTS) return [text];
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** A member that the last record has already begins the next one. */
function addMember(records: TextRecord[], member: string, value: string): void {
  const last = records.at(-1);
  if (last === undefined || Object.hasOwn(last, member)) {
    const record = Object.create(null) as TextRecord;
    record[member] = value;
    records.push(record);
  } else last[member] = value;
}

/** The comments that say this, in the order of the members. */
export function commentsOn(members: CommentedMembers): IsaComment[] {
  return MEMBERS.flatMap((member) => {
    const list = members[member];
    if (list.length === 0) return [];
    const words = cellsOf({ ...emptyContent(), [member]: list }).flatMap(({ cells }) =>
      cells.map(({ header, text }) => ({ name: inBrackets(header), value: text })),
    );
    if (sameJson(saidInComments(words)[member], list)) return words;
    return [{ name: member, value: JSON.stringify(list) }];
  });
}

const inBrackets = (header: string): string => header.slice(header.indexOf('[') + 1, -1);
