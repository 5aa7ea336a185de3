/** What clients asked and were answered, in the order of the world's events. */
import { createHash } from 'node:crypto';
import type { ChangeDocument } from '../../src/registry/changes/sample-feed.js';
import type { SubmissionState } from '../../src/submissions/submission.js';

export interface Entry {
  client: string;
  /** What was asked, as a request. */
  kind: string;
  /** Numbers of the events at which it was sent and its answer came. */
  start: number;
  end: number;
  /** `lost`: whether it was done is not known. */
  outcome: 'done' | 'refused' | 'lost' | 'waiting';
  /** Code of the refusal. */
  code?: string;
  accession?: string;
  /** Entity tag that was demanded, and that was answered. */
  ifMatch?: string;
  tag?: string;
  /** The value of the characteristic "note" that was to be written: each write has its own. */
  asked?: string;
  /** The one that was answered. */
  note?: string;
  /** The document that came, as JSON. */
  document?: string;
  submission?: SeenSubmission;
  /** Of an Idempotency-Key. */
  key?: string;
  /** Of a sample that is written by its key: that, and whose. */
  rowKey?: string;
  account?: string;
  /** The submission that a commit or an undo is of. */
  of?: string;
  /** Of a list or a search: what was found. */
  found?: string[];
  /** What a search was for. */
  text?: string;
  /** Of a curation, and of a search for one: the value that it adds. */
  value?: string;
  /** Of a webhook that was made: its address, what it asks for, and the place in the feed from which on it hears of changes. */
  webhook?: { id: string; address: string; events: readonly string[]; cursor?: string };
  /** Of tables that are attached: how many. */
  times?: number;
  /** Of a message that is asked for again. */
  delivery?: string;
  /** Of a read: values that curations added. */
  curated?: string[];
}

export interface SeenSubmission {
  id: string;
  state: SubmissionState;
  rows: number;
}

/** Who follows the changes, and how far. */
export interface Follower {
  account: string;
  cursor: string;
  changes: ChangeDocument[];
}

export class History {
  readonly entries: Entry[] = [];
  /** By client. */
  readonly followers = new Map<string, Follower>();

  begin(entry: Pick<Entry, 'client' | 'kind' | 'start'> & Partial<Entry>): Entry {
    const begun: Entry = { end: Number.POSITIVE_INFINITY, outcome: 'waiting', ...entry };
    this.entries.push(begun);
    return begun;
  }
}

/** SHA-256, as submissions have it, → each file that was sent. */
export const textsBySum = ({ entries }: History): Map<string, string> =>
  new Map(entries.flatMap(({ text }) => (text === undefined ? [] : [[sha256(text), text] as const])));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
