/** Everything that can be found wrong with one item of a JSON file by looking at it and at the items before: all issues at once. */
import { nearAccession, parseAccession } from '../../registry/accession.js';
import { isObject } from '../../registry/json-form.js';
import { type JsonItem, parseItem } from '../../registry/json-items.js';
import { pointedAt } from '../../registry/json-pointer.js';
import {
  invalidMember,
  missingRelease,
  repeatedIdentifier,
  repeatedName,
  rowIssue,
  shorten,
  unknownIdentifier,
  unreadableItem,
} from '../../registry/row-issue.js';
import { accessionPlace, ITEM_PLACES } from '../../registry/row-places.js';
import { requestedStatus } from '../../registry/samples/requested-status.js';
import { ADMIN_STATUSES, emptyContent, type SampleContent, WITHDRAWN } from '../../registry/samples/sample.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import { parseSampleBody, type SampleBody } from '../../registry/samples/sample-body.js';
import { withoutFilledIn } from '../../registry/tax-id.js';
import { NameTable } from '../../tsv/rows/name-table.js';
import { isForeignAccession } from '../../tsv/rows/relationships.js';

export interface ItemOptions {
  prefix: string;
  releaseDate?: number;
  releaseExisting?: boolean;
  /** Relationships may name samples that are still to come. */
  later?: boolean;
  /** When the file was accepted, milliseconds since 1970. */
  accepted?: number;
}

export interface ExaminedItem {
  line: number;
  name: string;
  /** Accession number that the item updates, or 0. */
  id: number;
  /** Milliseconds since 1970; NaN for none of its own. */
  release: number;
  content: SampleContent;
  issues: Issue[];
  /** Members with values that no sample has, of an item that says nothing in `characteristics`. */
  notStored?: string[];
}

/** Examines the items of a file, each once and in order. */
export class ItemExaminer {
  /** Names so far; those of bad items too. */
  readonly names = new NameTable();
  readonly #identifiers = new NameTable();

  constructor(private readonly options: ItemOptions) {}

  /** Undefined for the receipt of a result that is sent again. */
  examine(item: JsonItem): ExaminedItem | undefined {
    const parsed = parseItem(item);
    const value = 'value' in parsed ? parsed.value : undefined;
    if (isReceipt(value)) return undefined;
    const { line } = item;
    if (!isObject(value)) {
      const fault = 'fault' in parsed ? parsed.fault : 'It is no object in { }.';
      const issue = unreadableItem(line, item.text, `This item cannot be read. ${fault}`);
      return { line, name: '', id: 0, release: Number.NaN, content: emptyContent(), issues: [issue] };
    }
    return this.#examineSample(line, value);
  }

  #examineSample(line: number, value: Record<string, unknown>): ExaminedItem {
    const body = parseSampleBody(value, { release: false, accession: false }, []);
    const issues = body.problems.map(({ dataPath, errors }) =>
      invalidMember(line, dataPath, pointedAt(value, dataPath), `${dataPath} ${errors.join('; ')}.`),
    );
    const id = this.#identify(line, body, issues);
    this.#checkName(line, body, issues);
    const release = this.#releaseOf(line, body, issues);
    refuseMembers(line, body, issues);
    this.#checkStatus(line, body, release, issues);
    if (this.options.later) this.#refuseSources(line, body, issues);
    return {
      line,
      name: body.name,
      id,
      release,
      content: withoutFilledIn(body.content, body.accession),
      issues,
      ...(Object.keys(body.content.characteristics).length === 0 ? notStoredOf(value) : {}),
    };
  }

  #identify(line: number, { accession }: SampleBody, issues: Issue[]): number {
    if (accession === undefined) return 0;
    const place = accessionPlace(line, ITEM_PLACES);
    const id = parseAccession(this.options.prefix, accession);
    if (id === undefined) {
      const meant = nearAccession(this.options.prefix, accession);
      issues.push(unknownIdentifier(place, 'item', accession, meant));
      return 0;
    }
    const first = this.#identifiers.add(accession, 0, accession.length, line, true);
    if (first !== 0) issues.push(repeatedIdentifier(place, 'item', accession, first));
    return id;
  }

  #checkName(line: number, { name, accession }: SampleBody, issues: Issue[]): void {
    if (name === '') return;
    const identified = accession !== undefined;
    const first = this.names.add(name, 0, name.length, line, identified);
    if (first === 0) return;
    if (identified && this.names.firstIdentified) {
      this.names.markSeveral();
      return;
    }
    issues.push(repeatedName({ line, column: '/name' }, 'item', name, first));
  }

  #releaseOf(line: number, { release, accession, problems }: SampleBody, issues: Issue[]): number {
    const { releaseDate, releaseExisting } = this.options;
    if (release !== undefined || problems.some(({ dataPath }) => dataPath === '/release')) return release ?? Number.NaN;
    if (releaseDate === undefined && accession === undefined) {
      issues.push(missingRelease({ line, column: '/release' }, 'item', 'release'));
    }
    return releaseExisting === true && releaseDate !== undefined ? releaseDate : Number.NaN;
  }

  /** A new sample is not made public where it says PRIVATE, nor anything else than it says; what a read showed of one that is there may be of yesterday. */
  #checkStatus(line: number, { status, accession }: SampleBody, own: number, issues: Issue[]): void {
    const { accepted: now, releaseDate } = this.options;
    const release = Number.isNaN(own) ? releaseDate : own;
    if (accession !== undefined || now === undefined || release === undefined || isHeld(status)) return;
    const asked = requestedStatus({ status, release, current: undefined, admin: false, now });
    if ('problem' in asked) issues.push(invalidMember(line, '/status', status, `"status" ${asked.problem}.`));
  }

  /** What waits is kept as type and name: a relationship from another sample cannot wait, whatever its file brings. */
  #refuseSources(line: number, { content, accession }: SampleBody, issues: Issue[]): void {
    const { prefix } = this.options;
    for (const [at, { source, target }] of content.relationships.entries()) {
      if (source === undefined || source === accession) continue;
      if (parseAccession(prefix, target) !== undefined || isForeignAccession(target)) continue;
      const message = `With relationships=later a relationship that has a "source" of its own names its target by an accession: write that of ${shorten(target)}, or leave out the source.`;
      const place = { line, column: `/relationships/${at}/target` };
      issues.push(rowIssue('relationship.unknown', place, { value: shorten(target), message }));
    }
  }
}

/** What a read shows, or a file of errors, and an item says as a text. */
const PASSED_OVER = new Set([
  'name',
  'accession',
  'domain',
  'release',
  'update',
  'create',
  'submitted',
  'status',
  'taxId',
  'submittedVia',
]);

/** Of a flat object, as programs write rows of a table; what other registries show of an account or an address is none of its values. */
function notStoredOf(value: Record<string, unknown>): Pick<ExaminedItem, 'notStored'> {
  const notStored = Object.entries(value)
    .filter(([member, said]) => !PASSED_OVER.has(member) && !/account/i.test(member) && isValue(said))
    .map(([member]) => member);
  return notStored.length === 0 ? {} : { notStored };
}

const isValue = (said: unknown): boolean =>
  typeof said === 'number' || typeof said === 'boolean' || (typeof said === 'string' && said.trim() !== '');

const isHeld = (status: string | undefined): boolean => [...ADMIN_STATUSES, WITHDRAWN].some((one) => one === status);

/** What one sample's own address takes and a file does not; what a read shows of a sample that is there may come back. */
function refuseMembers(line: number, { status, data, accession }: SampleBody, issues: Issue[]): void {
  if (isHeld(status) && accession === undefined) {
    const message = `"status" cannot be ${status} here: leave it out, it follows from the release.`;
    issues.push(invalidMember(line, '/status', status, message));
  }
  if (data !== undefined && accession === undefined) {
    const message = '"data" does not belong in a file of samples; send it with PUT /structureddata/{accession}.';
    issues.push(invalidMember(line, '/data', undefined, message));
  }
}

/** The last item of a result that we sent. */
export const isReceipt = (value: unknown): boolean =>
  isObject(value) && isObject(value.receipt) && Object.keys(value).length === 1;
