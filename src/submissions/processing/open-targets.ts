/**
 * Relationships of a file's rows whose targets are names that no row of the file has (`relationships=later`): what is known of
 * the names is filled in before the batch is applied, and the rest is said in a warning and stays open (decision 127).
 */
import { formatAccession } from '../../registry/accession.js';
import { RegistryError } from '../../registry/errors.js';
import { rowIssue, shorten } from '../../registry/row-issue.js';
import { decodeContent, encodeContent } from '../../registry/samples/content-json.js';
import { placesOf, withRelationships } from '../../registry/samples/placed-relationships.js';
import {
  batchName,
  type LaidOutBatch,
  type OpenTarget,
  type RejectedRow,
} from '../../registry/samples/sample-batch.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import { MOST_OPEN_RELATIONSHIPS, type OpenRelationshipStore } from '../open-relationship-store.js';
import { joinedWarnings } from '../reading/joined-warnings.js';

export type NamingStore = Pick<OpenRelationshipStore, 'completedNames'> & Pick<SearchStore, 'findNamed'>;

/** Names looked up at once. */
export const NAMES_AT_ONCE = 200;

/** Before the first row of a file is registered. `countOpen`: those of the account. @throws RegistryError file.too-many-open */
export async function requireRoomForOpen(ofFile: number, countOpen: () => Promise<number>): Promise<void> {
  if (ofFile === 0) return;
  const present = await countOpen();
  if (ofFile + present <= MOST_OPEN_RELATIONSHIPS) return;
  throw new RegistryError(
    'file.too-many-open',
    `${ofFile} relationships of the file name samples that are still to come, ${present} of the account are open already, and ${MOST_OPEN_RELATIONSHIPS} may be. Upload the files that bring those names first, or name the targets by their accessions.`,
  );
}

/** Name → numbers of the account's samples that it may mean, one where it is clear. What relationships were completed with stands. */
export async function meantBy(
  store: NamingStore,
  account: string,
  names: readonly string[],
): Promise<Map<string, readonly number[]>> {
  const meant = new Map<string, readonly number[]>();
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const asked = names.slice(at, at + NAMES_AT_ONCE);
    // What the index cannot say now, a later upload will hear of it.
    const found = await store.findNamed(account, asked).catch(() => new Map<string, number[]>());
    for (const [name, ids] of found) meant.set(name, ids);
    for (const [name, id] of await store.completedNames(account, asked)) meant.set(name, [id]);
  }
  return meant;
}

/** Fills in the targets whose names are known, and warns of the others. */
export async function fillKnownTargets(
  store: NamingStore,
  batch: LaidOutBatch,
  { account, prefix }: { account: string; prefix: string },
): Promise<void> {
  const { open } = batch;
  if (!open) return;
  const rows = [...open].filter(([row]) => row < batch.count);
  const names = new Set(rows.flatMap(([, targets]) => targets.map(({ name }) => name)));
  const meant = await meantBy(store, account, [...names]);
  const warned: RejectedRow[] = [];
  for (const [row, targets] of rows) {
    const known = targets.filter(({ name }) => meant.get(name)?.length === 1);
    const rest = targets.filter((target) => !known.includes(target));
    fill(batch, row, known, rest, (name) => formatAccession(prefix, meant.get(name)?.[0] as number));
    if (rest.length === 0) open.delete(row);
    else open.set(row, rest);
    const line = batch.lines[row] as number;
    const issues = rest.map((target) => warning(line, target, meant.get(target.name) ?? [], prefix));
    if (issues.length > 0) warned.push({ line, name: batchName(batch, row), issues });
  }
  if (warned.length === 0) return;
  batch.warnings = joinedWarnings([...(batch.warnings ?? []), ...warned]);
}

function fill(
  batch: LaidOutBatch,
  row: number,
  known: readonly OpenTarget[],
  rest: readonly OpenTarget[],
  accessionOf: (name: string) => string,
): void {
  if (known.length === 0) return;
  const content = decodeContent(batch.documents.get(row) as string);
  const places = placesOf(
    known.map(({ place }) => place),
    rest.map(({ place }) => place),
  );
  const added = known.map(({ type, name }, n) => ({ type, target: accessionOf(name), at: places[n] as number }));
  const relationships = withRelationships(content.relationships, added);
  batch.documents.set(row, encodeContent({ ...content, relationships }));
}

function warning(line: number, { name, column, columnLetter }: OpenTarget, several: readonly number[], prefix: string) {
  const value = shorten(name);
  const place = {
    line,
    ...(column === undefined ? {} : { column }),
    ...(columnLetter === undefined ? {} : { columnLetter }),
  };
  const [one, other] = several.map((id) => formatAccession(prefix, id));
  const message =
    other === undefined
      ? `No sample of yours is named "${value}" yet: the relationship stays open until an upload brings the name.`
      : `Several samples of yours are named "${value}", such as ${one} and ${other}: the relationship stays open. Write the accession of the one you mean.`;
  return rowIssue('relationship.open', place, { value, message });
}
