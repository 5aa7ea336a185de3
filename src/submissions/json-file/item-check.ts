/** The checklist's verdict on items of a JSON file, in the words of the file. */
import { type ChecklistRules, namedChecklist } from '../../registry/checklist.js';
import { RegistryError } from '../../registry/errors.js';
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import { checklistDocument } from '../../registry/samples/sample-rules.js';
import type { RowChecks } from '../reading/row-checks.js';
import type { ExaminedItem } from './examine.js';

/** Every issue of an item that is good so far. */
export type ItemCheck = (item: ExaminedItem) => Promise<Issue[]>;

/** `releaseDate`: of items without a release. @throws RegistryError checklist.unknown for the option */
export function itemCheckOf(
  { option, releaseDate = 0 }: { option: string | undefined; releaseDate: number | undefined },
  { checklists, defaultChecklist }: RowChecks,
): ItemCheck {
  const choice = {
    ...(option === undefined ? {} : { option }),
    ...(defaultChecklist === undefined ? {} : { fallback: defaultChecklist }),
  };
  if (option !== undefined) checklists().get(option);
  const always = option !== undefined || defaultChecklist !== undefined;
  return async ({ line, name, release, content }) => {
    if (!always && namedChecklist(content.characteristics) === undefined) return [];
    const rules = checklists();
    const id = rules.chosenFor(content.characteristics, choice);
    if (id === undefined) return [];
    const sample = { name, content, release: Number.isNaN(release) ? releaseDate : release };
    return problemsOf(rules, sample, id, line);
  };
}

async function problemsOf(
  rules: ChecklistRules,
  sample: Parameters<typeof checklistDocument>[0],
  id: string,
  line: number,
): Promise<Issue[]> {
  try {
    const problems = await rules.problemsOf(checklistDocument(sample), id);
    return problems.map(({ dataPath, code, message, value, suggestion }) =>
      rowIssue(code, { line, column: dataPath }, { value, message, suggestion }),
    );
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === 'checklist.unknown')) throw error;
    return [rowIssue('checklist.unknown', { line, column: '/characteristics/checklist' }, { message: error.message })];
  }
}
