/** Rules that need more than the body: related samples must exist, and a checklist may ask for more. */

import type { ChecklistDocument } from '../checklist.js';
import { formatDateTime } from '../date-time.js';
import type { MemberProblem } from '../errors.js';
import { addTo } from '../lists.js';
import type { RegistryOptions } from '../registry-options.js';
import { missingTargets } from './relationship-targets.js';
import { contentMembers, contentTaxId, recordMembers } from './representation.js';
import type { SampleContent } from './sample.js';
import type { SampleStore } from './sample-store.js';

export interface CheckedSample {
  name: string;
  /** Milliseconds since 1970. */
  release?: number;
  content: SampleContent;
}

/** Problems of a sample for which one is looked for what was meant: who has more has the same error again and again. */
const SUGGESTED = 100;

export class SampleRules {
  constructor(
    private readonly store: SampleStore,
    private readonly options: RegistryOptions,
  ) {}

  /**
   * Every problem of both kinds. `release` is absent where it could not be read. A placeholder need not meet the
   * checklist that holds for samples which name none.
   * @throws RegistryError checklist.unknown
   */
  async problemsOf(sample: CheckedSample, placeholder: boolean): Promise<MemberProblem[]> {
    const { relationships } = sample.content;
    const missing = await missingTargets(this.store, this.options.prefix, relationships, ['relationships']);
    return [...missing, ...(await this.checklistProblems(sample, placeholder))];
  }

  private async checklistProblems(
    { name, release, content }: CheckedSample,
    placeholder: boolean,
  ): Promise<MemberProblem[]> {
    const { checklists, defaultChecklist } = this.options;
    const fallback = defaultChecklist === undefined || placeholder ? {} : { fallback: defaultChecklist };
    const id = checklists?.chosenFor(content.characteristics, fallback);
    if (checklists === undefined || id === undefined) return [];
    const document = checklistDocument({ name, content, ...(release === undefined ? {} : { release }) });
    const byPath = new Map<string, string[]>();
    for (const { dataPath, message, suggestion } of await checklists.problemsOf(document, id, SUGGESTED)) {
      addTo(byPath, dataPath, suggestion === undefined ? message : `${message} Did you mean ${suggestion}?`);
    }
    return [...byPath].map(([dataPath, errors]) => ({ dataPath, errors }));
  }
}

/** The sample as checklists read it. */
export const checklistDocument = ({ name, release, content }: CheckedSample): ChecklistDocument => ({
  name,
  ...contentTaxId(content),
  ...(release === undefined ? {} : { release: formatDateTime(release) }),
  ...contentMembers(content, undefined),
  ...recordMembers(content),
});
