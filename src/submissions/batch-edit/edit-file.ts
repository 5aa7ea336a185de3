/**
 * The file of a batch edit: what is changed on its first line, below it the samples, one on each. A sample's name has
 * another member than in a file of samples: whoever takes the first line away, or reads the file by older rules, is
 * refused every line, instead of replacing the samples by nothing.
 */

import { readChanges, type SampleChange } from '../../registry/changes/sample-change-list.js';
import { RegistryError } from '../../registry/errors.js';
import { isObject } from '../../registry/json-form.js';

export const editHead = (changes: readonly SampleChange[]): string => `${JSON.stringify({ edit: changes })}\n`;

export const editLine = (accession: string, sampleName?: string): string =>
  `${JSON.stringify({ accession, ...(sampleName === undefined ? {} : { sampleName }) })}\n`;

export const isEditHead = (value: unknown): boolean => isObject(value) && Array.isArray(value.edit);

/** What the first line asks for. @throws RegistryError file.not-understood */
export function readEditHead(head: Buffer): SampleChange[] {
  const [line = ''] = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1);
  const { changes, problems } = readChanges(membersOf(line).edit, 'edit');
  const [first] = problems;
  if (first) throw notUnderstood(`${first.dataPath} ${first.errors[0]}`);
  return changes;
}

function membersOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw notUnderstood(`it is no JSON object, or longer than it may be (${(error as Error).message.slice(0, 200)})`);
  }
}

const notUnderstood = (why: string): RegistryError =>
  new RegistryError(
    'file.not-understood',
    `The first line, which says what is to be changed, cannot be carried out: ${why.replace(/\.+$/, '')}.`,
    { extra: { line: 1 } },
  );
