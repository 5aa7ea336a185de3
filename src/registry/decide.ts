/**
 * Created, updated, unchanged or rejected: the rule that stores run inside their transactions, for a row of a sheet
 * and for a request alike. Pure.
 */
import { sameContent } from './canonical.js';
import { decodeContent, encodeContent } from './content-json.js';
import { mergeContent } from './merge.js';
import { surelyDiffers } from './packed-difference.js';
import { type SampleLayout, unpackSample } from './packed-sample.js';
import { accessionPlace, changedSince, foreignIdentifier, unknownIdentifier } from './row-issue.js';
import type { AdminStatus, SampleContent, SampleDraft } from './sample.js';
import type { Issue } from './sample-batch.js';
import { statusOf } from './status.js';

/** A sample as stores spell it: packed cells beside their layout, or a JSON document when there is no layout. */
export interface SampleForm {
  name: string;
  /** Milliseconds since 1970; NaN in a row that says none. */
  release: number;
  layout: SampleLayout | undefined;
  doc: string;
}

/** The stored sample that a row names. */
export interface CurrentForm extends SampleForm {
  /** Name of the owner. */
  account: string;
  /** Never submitted yet: any update makes it a submitted sample, even one that changes nothing else. */
  placeholder: boolean;
  adminStatus?: AdminStatus;
  version: number;
}

/** Who applies the row and how. */
export interface RowWriter {
  account: string;
  admin: boolean;
  /** `update=merge` */
  merge: boolean;
  /** The upload's date for rows that say none: of an existing sample, only one that was never submitted takes it. */
  releaseDate?: number | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

export type RowDecision =
  | { kind: 'unchanged' }
  /** `withdrawn`: the sample is given the administrative status KILLED. */
  | {
      kind: 'updated';
      form: SampleForm;
      withdrawn?: true;
      /** It was not readable by everyone before. */
      becomesPublic?: true;
    }
  | { kind: 'rejected'; issue: Issue };

export interface NamingRow {
  line: number;
  accession: string;
  form: SampleForm;
  expected?: number | undefined;
  withdraw?: boolean;
  /** The sample was written by something else than what the row is to follow. */
  rewritten?: boolean;
}

/** What becomes of a row that names an accession. A row without one is created. */
export function decideRow(row: NamingRow, current: CurrentForm | undefined, writer: RowWriter): RowDecision {
  const decision = decide(row, current, writer);
  if (decision.kind !== 'updated' || current === undefined || decision.withdrawn) return decision;
  return isPublished(decision.form.release, current, writer.now) ? { ...decision, becomesPublic: true } : decision;
}

/** Whether a release makes a sample public that was not. */
function isPublished(release: number, { release: before, adminStatus }: CurrentForm, now: number): boolean {
  const status = adminStatus === undefined ? {} : { adminStatus };
  return (
    statusOf({ release, ...status }, now) === 'PUBLIC' && statusOf({ release: before, ...status }, now) !== 'PUBLIC'
  );
}

function decide(row: NamingRow, current: CurrentForm | undefined, writer: RowWriter): RowDecision {
  if (current === undefined)
    return { kind: 'rejected', issue: unknownIdentifier(accessionPlace(row.line), 'sheet', row.accession) };
  if (current.account !== writer.account && !writer.admin) {
    return { kind: 'rejected', issue: foreignIdentifier(accessionPlace(row.line), 'sheet', row.accession) };
  }
  if (row.rewritten || (row.expected && row.expected !== current.version)) {
    return { kind: 'rejected', issue: changedSince(row.line, row.accession, current.version) };
  }
  if (row.withdraw) {
    const { name, release } = current;
    const form = { name, release, layout: undefined, doc: encodeContent(contentOf(current)) };
    return { kind: 'updated', form, withdrawn: true };
  }
  const release = releaseAfter(row.form.release, current, writer.releaseDate);
  const next = release === row.form.release ? row.form : { ...row.form, release };
  const sameHead = current.name === next.name && current.release === next.release && !current.placeholder;
  if (sameHead && current.layout === next.layout && current.doc === next.doc) return { kind: 'unchanged' };
  if (!writer.merge && (!sameHead || provablyDiffers(current, next))) return { kind: 'updated', form: next };
  const stored = contentOf(current);
  const given = contentOf(next);
  if (!writer.merge) {
    return sameContent(stored, given) ? { kind: 'unchanged' } : { kind: 'updated', form: next };
  }
  const merged = mergeContent(stored, given);
  if (sameHead && sameContent(stored, merged)) return { kind: 'unchanged' };
  const form = { name: next.name, release: next.release, layout: undefined, doc: encodeContent(merged) };
  return { kind: 'updated', form };
}

/** The release that an existing sample has after its row: the row's own, else the one that the sample has. */
export function releaseAfter(
  own: number,
  { release, placeholder }: Pick<CurrentForm, 'release' | 'placeholder'>,
  releaseDate: number | undefined,
): number {
  if (!Number.isNaN(own)) return own;
  return placeholder ? (releaseDate ?? release) : release;
}

const provablyDiffers = (current: SampleForm, next: SampleForm): boolean =>
  next.layout !== undefined && current.layout === next.layout && surelyDiffers(next.layout, current.doc, next.doc);

export function contentOf(form: Pick<SampleForm, 'layout' | 'doc'>): SampleContent {
  return form.layout === undefined ? decodeContent(form.doc) : unpackSample(form.layout, form.doc);
}

/** True when storing `next` over `current` would change nothing that anyone can see. */
export function sameDraft(current: SampleDraft, next: SampleDraft): boolean {
  return current.name === next.name && current.release === next.release && sameContent(current.content, next.content);
}

/**
 * What becomes of a request that is laid over a stored sample. `shown` is what readers see of its content: a client that
 * sends back what it read changes nothing, and makes no curation part of the sample.
 */
export function decideRequest(
  current: SampleDraft,
  next: SampleDraft,
  shown: SampleContent = current.content,
): 'unchanged' | 'updated' {
  if (sameDraft(current, next) || sameDraft({ ...current, content: shown }, next)) return 'unchanged';
  return 'updated';
}
