/**
 * Created, updated, unchanged or rejected: the rule that is run inside the store's transaction, for a row of a sheet, an
 * item of a JSON file and a request alike. Pure.
 */

import type { CurationLink } from '../curations/curation.js';
import { applyCurations } from '../curations/curation-rules.js';
import { owns } from '../permissions.js';
import { changedSince, erasedSample, foreignIdentifier, unknownIdentifier } from '../row-issue.js';
import { accessionPlace, type RowPlaces } from '../row-places.js';
import { withoutImplied } from '../tax-id.js';
import { sameContent } from './canonical.js';
import { decodeContent, encodeContent } from './content-json.js';
import { type Cleared, mergeContent } from './merge.js';
import { surelyDiffers } from './packed-difference.js';
import { haveSameCells, type SampleLayout, unpackSample } from './packed-sample.js';
import { type PlacedRelationship, withRelationships } from './placed-relationships.js';
import { ERASED, type HeldStatus, type SampleContent, type SampleDraft } from './sample.js';
import { HOLD, type Hold, type Issue } from './sample-batch.js';
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
  adminStatus?: HeldStatus;
  version: number;
  /** Where the row may be what a read showed: what the sample's readers see its content through. */
  curationLinks?: readonly CurationLink[];
}

/** Who applies the row and how. */
export interface RowWriter {
  account: string;
  admin: boolean;
  /** `update=merge` */
  merge: boolean;
  /** The upload's date for rows that say none: of an existing sample, only one that was never submitted takes it. */
  releaseDate?: number | undefined;
  /** The file is a standing sheet: whoever is in it is not missing. */
  standing?: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

export type RowDecision =
  | { kind: 'unchanged' }
  | {
      kind: 'updated';
      form: SampleForm;
      /** What the sample is held as from now on, null for nothing; absent: as it was. */
      status?: HeldStatus | null;
      /** It was not readable by everyone before. */
      becomesPublic?: true;
    }
  | { kind: 'rejected'; issue: Issue };

export interface NamingRow {
  line: number;
  places: RowPlaces;
  accession: string;
  form: SampleForm;
  expected?: number | undefined;
  hold?: Hold | undefined;
  /** What a merge takes away. */
  cleared?: Cleared | undefined;
  /** Of `HOLD.complete`: the relationships that the sample gets, each at its place. */
  added?: readonly PlacedRelationship[] | undefined;
  /** The same: accessions to which it has no relationship any more. */
  gone?: readonly string[] | undefined;
  /** The sample was written by something else than what the row is to follow. */
  rewritten?: boolean;
}

/** What becomes of a row that names an accession. A row without one is created. */
export function decideRow(row: NamingRow, current: CurrentForm | undefined, writer: RowWriter): RowDecision {
  const decision = decide(row, current, writer);
  if (decision.kind !== 'updated' || current === undefined) return decision;
  const { status, form } = decision;
  const after = status === undefined ? current.adminStatus : (status ?? undefined);
  return isPublished(form.release, after, current, writer.now) ? { ...decision, becomesPublic: true } : decision;
}

/** Whether a release and a status make a sample public that was not. */
function isPublished(
  release: number,
  status: HeldStatus | undefined,
  { release: before, adminStatus }: CurrentForm,
  now: number,
): boolean {
  const isPublic = (at: number, held: HeldStatus | undefined): boolean =>
    statusOf({ release: at, ...(held === undefined ? {} : { adminStatus: held }) }, now) === 'PUBLIC';
  return isPublic(release, status) && !isPublic(before, adminStatus);
}

/** What becomes of the status beside the row's cells. */
function statusAfter(
  { hold }: NamingRow,
  { adminStatus }: CurrentForm,
  { standing }: RowWriter,
): HeldStatus | null | undefined {
  if (hold === HOLD.missingAgain) return 'MISSING';
  const back = hold === HOLD.back || standing === true;
  return back && adminStatus === 'MISSING' ? null : undefined;
}

function decide(row: NamingRow, current: CurrentForm | undefined, writer: RowWriter): RowDecision {
  const refused = refusal(row, current, writer);
  if (refused || current === undefined) return { kind: 'rejected', issue: refused as Issue };
  if (row.hold === HOLD.complete) return decideRelationships(current, row);
  if (row.hold === HOLD.missing && current.adminStatus !== undefined) return { kind: 'unchanged' };
  if (row.hold === HOLD.kill || row.hold === HOLD.missing)
    return { kind: 'updated', form: formOf(current), status: row.hold === HOLD.kill ? 'KILLED' : 'MISSING' };
  const decision = decideContent(row, current, writer);
  const status = statusAfter(row, current, writer);
  if (status === undefined || decision.kind === 'rejected') return decision;
  return { kind: 'updated', form: decision.kind === 'updated' ? decision.form : formOf(current), status };
}

function decideRelationships(current: CurrentForm, { added = [], gone = [] }: NamingRow): RowDecision {
  const content = contentOf(current);
  const kept = content.relationships.filter(({ target }) => !gone.includes(target));
  const relationships = withRelationships(kept, added);
  if (kept.length === content.relationships.length && relationships.length === kept.length)
    return { kind: 'unchanged' };
  return { kind: 'updated', form: { ...formOf(current), doc: encodeContent({ ...content, relationships }) } };
}

/** The sample as it is, whatever layout its cells have. */
const formOf = (current: CurrentForm): SampleForm => {
  const { name, release } = current;
  return { name, release, layout: undefined, doc: encodeContent(contentOf(current)) };
};

function refusal(row: NamingRow, current: CurrentForm | undefined, writer: RowWriter): Issue | undefined {
  const rewritten = current && (row.rewritten || (row.expected && row.expected !== current.version));
  const isErased = current?.adminStatus === ERASED;
  if (current && !rewritten && !isErased && owns(current.account, writer)) return undefined;
  const { places, accession } = row;
  const place = accessionPlace(row.line, places);
  if (current === undefined) return unknownIdentifier(place, places.form, accession);
  if (!owns(current.account, writer)) return foreignIdentifier(place, places.form, accession);
  if (isErased) return erasedSample(place, places.form, accession);
  return changedSince(place, places.form, accession, current.version);
}

function decideContent(row: NamingRow, current: CurrentForm, writer: RowWriter): RowDecision {
  const release = releaseAfter(row.form.release, current, writer.releaseDate);
  const next = release === row.form.release ? row.form : { ...row.form, release };
  const sameHead = current.name === next.name && current.release === next.release && !current.placeholder;
  if (sameHead && isSameRow(current, next)) return { kind: 'unchanged' };
  const { curationLinks = [] } = current;
  const asGiven = !writer.merge && !mayHoldTaxId(next) && curationLinks.length === 0;
  if (asGiven && (!sameHead || provablyDiffers(current, next))) return { kind: 'updated', form: next };
  const stored = draftOf(current);
  const given = draftOf(next);
  const shown =
    curationLinks.length > 0 ? applyCurations(stored.content, curationLinks, row.accession).content : undefined;
  const { draft, unchanged } = layOver(stored, given, { merge: writer.merge, shown, cleared: row.cleared });
  if (unchanged && !current.placeholder) return { kind: 'unchanged' };
  if (draft.content === given.content) return { kind: 'updated', form: next };
  const form = { name: draft.name, release: draft.release, layout: undefined, doc: encodeContent(draft.content) };
  return { kind: 'updated', form };
}

/** The row that the sample was stored of, also where terms were joined otherwise then: whoever sends it back changes nothing. */
const isSameRow = (current: SampleForm, next: SampleForm): boolean =>
  current.doc === next.doc &&
  (current.layout === next.layout ||
    (current.layout !== undefined && next.layout !== undefined && haveSameCells(current.layout, next.layout)));

/** How a sample is laid over the stored one. */
interface Overlay {
  /** What is not mentioned stays. */
  merge?: boolean;
  /** What of it goes nevertheless. */
  cleared?: Cleared | undefined;
  /** What readers see of the stored content: whoever sends it back changes nothing, and makes no curation part of the sample. */
  shown?: SampleContent | undefined;
}

/**
 * The sample as it will be, and whether storing that would change nothing that anyone can see. Whether a placeholder that
 * stays as it is counts as submitted is the caller's: a row submits it, a request that sends back what was read does not.
 */
export function layOver(
  current: SampleDraft,
  given: SampleDraft,
  { merge = false, shown = current.content, cleared }: Overlay,
): { draft: SampleDraft; unchanged: boolean } {
  const said = withoutImplied(given.content, current.content.taxId === undefined ? [current.content, shown] : []);
  const content = merge ? mergeContent(current.content, said, cleared) : said;
  const sameHead = current.name === given.name && current.release === given.release;
  return {
    draft: content === given.content ? given : { ...given, content },
    unchanged: sameHead && (sameContent(current.content, content) || sameContent(shown, content)),
  };
}

/** Only documents can; most say none, and need not be decoded to know that they differ. */
const mayHoldTaxId = ({ layout, doc }: SampleForm): boolean => layout === undefined && doc.includes('"taxId"');

const draftOf = (form: SampleForm): SampleDraft => ({
  name: form.name,
  release: form.release,
  content: contentOf(form),
});

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
