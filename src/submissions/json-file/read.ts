/** A JSON file → batches of samples for the store. Memory does not grow with the file but for 3 bytes per name where names come in order, else 11. */
import { formatAccession } from '../../registry/accession.js';
import { jsonItems } from '../../registry/json-items.js';
import { pointerTo } from '../../registry/json-pointer.js';
import { foreignIdentifier, rowIssue, shorten, unknownIdentifier } from '../../registry/row-issue.js';
import { accessionPlace, ITEM_PLACES } from '../../registry/row-places.js';
import { encodeContent } from '../../registry/samples/content-json.js';
import type { Issue, LaidOutBatch, OpenTarget } from '../../registry/samples/sample-batch.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { BatchBuilder } from '../../tsv/rows/batch-builder.js';
import type { ReadOptions } from '../../tsv/rows/reading.js';
import { type ResolveOptions, TO_COME, targetOf } from '../../tsv/rows/relationships.js';
import { type ExaminedItem, ItemExaminer } from './examine.js';
import type { ItemCheck } from './item-check.js';

const MAX_NAME = 1000;
/** Items that are warned of, and members that a message names. */
const MAX_WARNED = 20_000;
const MAX_NAMED = 5;

/** Every item (after `fromLine`) to the end of the file is in exactly one batch, in order. Bad items are in `rejected`. */
export async function* readItems(
  bytes: AsyncIterable<Buffer>,
  plan: SheetPlan,
  options: Omit<ReadOptions, 'check'>,
  check: ItemCheck | undefined,
): AsyncGenerator<LaidOutBatch> {
  const { idOfRow, fromLine = 0, batchRows, releaseDate } = options;
  const examiner = new ItemExaminer(options);
  const builder = new BatchBuilder(plan.layout, batchRows, fromLine + 1, {
    reserves: idOfRow !== undefined,
    keyed: false,
    releaseDate,
    places: ITEM_PLACES,
  });
  const form = plan.json ?? 'lines';
  let ordinal = -1;
  let lastLine = 0;
  let bytesRead = 0;
  let warned = 0;
  for await (const block of jsonItems(bytes, form)) {
    for (const item of block.items) {
      const examined = examiner.examine(item);
      lastLine = item.line;
      if (!examined) continue;
      ordinal++;
      if (item.line <= fromLine) continue;
      const { line, name } = examined;
      const { issues, open } = await checked(examined, ordinal, options, check);
      if (issues.length > 0) builder.reject({ line, name: shorten(name, MAX_NAME), issues });
      else warned += add(builder, examined, open, { ordinal, idOfRow, warns: warned < MAX_WARNED });
      if (builder.full) yield { ...builder.take(line, block.bytes), asRead: true };
    }
    bytesRead = block.bytes;
  }
  if (lastLine >= builder.fromLine) yield { ...builder.take(lastLine, bytesRead), asRead: true };
}

/** Answers how many warnings it gave. */
function add(
  builder: BatchBuilder,
  item: ExaminedItem,
  open: OpenTarget[],
  { ordinal, idOfRow, warns }: { ordinal: number; idOfRow: ReadOptions['idOfRow'] | undefined; warns: boolean },
): number {
  leaveOut(item, open);
  const { line, name, id, notStored: members } = item;
  builder.addDocument(name, encodeContent(item.content));
  builder.addOpen(open);
  builder.finishRow(line, item.release, id, id === 0 ? (idOfRow?.(ordinal, line) ?? 0) : 0);
  if (!members || !warns) return 0;
  builder.warn({ line, name: shorten(name, MAX_NAME), issues: [notStored(line, members)] });
  return 1;
}

/** An object of names and values, as a row of a table is written: nothing of it is a characteristic. */
function notStored(line: number, members: readonly string[]): Issue {
  const [first = ''] = members;
  const named = members.slice(0, MAX_NAMED).map((member) => shorten(member));
  const more = members.length > named.length ? ` and ${members.length - named.length} more` : '';
  const message = `No sample has members such as ${named.join(', ')}${more}, and the item says nothing in "characteristics": they are not stored. Write {"characteristics": {"${shorten(first)}": [{"text": …}]}}, or send the table as a sheet.`;
  return rowIssue('item.not-stored', { line, column: pointerTo([first]) }, { message });
}

/** Its own issues, and those that the rest of the file and its checklist bring; names in its relationships become accessions. */
async function checked(
  item: ExaminedItem,
  ordinal: number,
  options: Omit<ReadOptions, 'check'>,
  check: ItemCheck | undefined,
): Promise<Resolved> {
  const { survey, prefix, idOfRow, later = false } = options;
  const { issues, open }: Resolved =
    survey && idOfRow ? resolve(item, ordinal, survey, { prefix, idOfRow, later }) : { issues: [], open: [] };
  issues.unshift(...item.issues);
  const fault = survey?.badIdentifiers.get(item.id);
  if (fault) {
    const say = fault === 'unknown' ? unknownIdentifier : foreignIdentifier;
    issues.push(say(accessionPlace(item.line, ITEM_PLACES), ITEM_PLACES.form, formatAccession(prefix, item.id)));
  }
  if (issues.length === 0 && check) issues.push(...(await check(item)));
  return { issues, open };
}

interface Resolved {
  issues: Issue[];
  /** Relationships to samples still to come. */
  open: OpenTarget[];
}

function resolve(
  item: ExaminedItem,
  ordinal: number,
  survey: NonNullable<ReadOptions['survey']>,
  options: ResolveOptions,
): Resolved {
  const issues: Issue[] = [];
  const open: OpenTarget[] = [];
  for (const [at, relationship] of item.content.relationships.entries()) {
    const target = targetOf({ text: relationship.target, ordinal, place: at }, survey, options);
    const column = `/relationships/${at}/target`;
    if (typeof target === 'string') relationship.target = target;
    else if (target === TO_COME) {
      const { type, target: name } = relationship;
      open.push({ type, name, place: at, column });
    } else {
      const place = { line: item.line, column };
      issues.push(rowIssue(target.code, place, { value: relationship.target, ...target }));
    }
  }
  return { issues, open };
}

/** The relationships that wait are kept beside the content. */
function leaveOut({ content }: ExaminedItem, open: readonly OpenTarget[]): void {
  if (open.length === 0) return;
  const waiting = new Set(open.map(({ place }) => place));
  content.relationships = content.relationships.filter((_, at) => !waiting.has(at));
}
