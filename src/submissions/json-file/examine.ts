/** Everything that can be found wrong with one item of a JSON file by looking at it and at the items before: all issues at once. */
import { nearAccession, parseAccession } from '../../registry/accession.js';
import { isObject } from '../../registry/json-form.js';
import { type JsonItem, parseItem } from '../../registry/json-items.js';
import { pointedAt } from '../../registry/json-pointer.js';
import { ADMIN_STATUSES, emptyContent, type SampleContent } from '../../registry/sample.js';
import type { Issue } from '../../registry/sample-batch.js';
import { parseSampleBody, type SampleBody } from '../../registry/sample-body.js';
import { impliedTaxId } from '../../registry/tax-id.js';
import { type RowIssueCode, shorten } from '../../tsv/rows/issues.js';
import { NameTable } from '../../tsv/rows/name-table.js';

export interface ItemOptions {
  prefix: string;
  releaseDate?: number;
  releaseExisting?: boolean;
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
      const issue = itemIssue(line, 'item.not-json', {
        value: item.text,
        message: `This item cannot be read. ${fault}`,
      });
      return { line, name: '', id: 0, release: Number.NaN, content: emptyContent(), issues: [issue] };
    }
    return this.#examineSample(line, value);
  }

  #examineSample(line: number, value: Record<string, unknown>): ExaminedItem {
    const body = parseSampleBody(value, { release: false, accession: false }, []);
    const issues = body.problems.map(({ dataPath, errors }) =>
      itemIssue(line, 'item.invalid', {
        column: dataPath,
        value: pointedAt(value, dataPath),
        message: `${dataPath} ${errors.join('; ')}.`,
      }),
    );
    const id = this.#identify(line, body, issues);
    this.#checkName(line, body, issues);
    refuseMembers(line, body, issues);
    return {
      line,
      name: body.name,
      id,
      release: this.#releaseOf(line, body, issues),
      content: withoutFilledIn(body),
      issues,
    };
  }

  #identify(line: number, { accession }: SampleBody, issues: Issue[]): number {
    if (accession === undefined) return 0;
    const place = { column: '/accession', value: accession };
    const id = parseAccession(this.options.prefix, accession);
    if (id === undefined) {
      const meant = nearAccession(this.options.prefix, accession);
      const message = `There is no sample ${shorten(accession)} here. Leave "accession" out to register a new sample, or correct it.`;
      issues.push(itemIssue(line, 'identifier.unknown', { ...place, message, suggestion: meant }));
      return 0;
    }
    const first = this.#identifiers.hash(accession, 0, accession.length).add(line, true);
    if (first !== 0) {
      const message = `Item ${first} updates ${shorten(accession)} already. Keep one of the two.`;
      issues.push(itemIssue(line, 'identifier.repeated', { ...place, message }));
    }
    return id;
  }

  #checkName(line: number, { name, accession }: SampleBody, issues: Issue[]): void {
    if (name === '') return;
    const identified = accession !== undefined;
    const first = this.names.hash(name, 0, name.length).add(line, identified);
    if (first === 0) return;
    if (identified && this.names.firstIdentified) {
      this.names.markSeveral();
      return;
    }
    const message = `Item ${first} has this name already. Give each sample a name of its own, or, to update two samples of one name, give both items their accession.`;
    issues.push(itemIssue(line, 'name.repeated', { column: '/name', value: name, message }));
  }

  #releaseOf(line: number, { release, accession, problems }: SampleBody, issues: Issue[]): number {
    const { releaseDate, releaseExisting } = this.options;
    if (release !== undefined || problems.some(({ dataPath }) => dataPath === '/release')) return release ?? Number.NaN;
    if (releaseDate === undefined && accession === undefined) {
      const message =
        'The item has no release. Give it one such as "2024-11-21", or give one date for all with the option releaseDate.';
      issues.push(itemIssue(line, 'release.missing', { column: '/release', message }));
    }
    return releaseExisting === true && releaseDate !== undefined ? releaseDate : Number.NaN;
  }
}

/** What a read fills in is taken out again, so that what was read can be sent back without changing anything. */
function withoutFilledIn({ accession, content }: SampleBody): SampleContent {
  const { taxId, ...others } = content;
  const relationships = content.relationships.map(({ source, ...rest }) =>
    source === undefined || source === accession ? rest : { source, ...rest },
  );
  const said = taxId === undefined || taxId === impliedTaxId(content) ? {} : { taxId };
  return { ...others, ...said, relationships };
}

/** What one sample's own address takes and a file does not; what a read shows of a sample that is there may come back. */
function refuseMembers(line: number, { status, data, accession }: SampleBody, issues: Issue[]): void {
  if (ADMIN_STATUSES.some((one) => one === status) && accession === undefined) {
    const message = `"status" cannot be ${status} here: leave it out, it follows from the release.`;
    issues.push(itemIssue(line, 'item.invalid', { column: '/status', value: status, message }));
  }
  if (data !== undefined && accession === undefined) {
    const message = '"data" does not belong in a file of samples; send it with PUT /structureddata/{accession}.';
    issues.push(itemIssue(line, 'item.invalid', { column: '/data', message }));
  }
}

interface Said {
  column?: string;
  value?: unknown;
  message: string;
  suggestion?: string | undefined;
}

export function itemIssue(line: number, code: RowIssueCode, { column, value, message, suggestion }: Said): Issue {
  const shown = typeof value === 'string' || typeof value === 'number' ? shorten(String(value)) : '';
  return {
    line,
    ...(column === undefined || column === '' ? {} : { column }),
    code,
    ...(shown === '' ? {} : { value: shown }),
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
    severity: 'error',
  };
}

/** The last item of a result that we sent. */
export const isReceipt = (value: unknown): boolean =>
  isObject(value) && isObject(value.receipt) && Object.keys(value).length === 1;
