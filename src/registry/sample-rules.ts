/** Rules that need more than the body: related samples must exist, and a checklist may ask for more. */
import { parseAccession } from './accession.js';
import { invalid, Problems } from './body.js';
import type { ChecklistDocument } from './checklist.js';
import { formatDateTime } from './date-time.js';
import type { MemberProblem } from './errors.js';
import type { RegistryOptions } from './registry-options.js';
import { contentMembers, contentTaxId, recordMembers } from './representation.js';
import type { SampleContent, SampleDraft } from './sample.js';
import type { SampleStore } from './sample-store.js';

export class SampleRules {
  constructor(
    private readonly store: SampleStore,
    private readonly options: RegistryOptions,
  ) {}

  /** @throws RegistryError sample.invalid with every problem of both kinds */
  async check(draft: SampleDraft, content: SampleContent): Promise<void> {
    const problems = [...(await this.missingTargets(content)), ...(await this.checklistProblems(draft, content))];
    if (problems.length > 0) throw invalid('sample.invalid', problems);
  }

  /** A target that bears our prefix must exist; a foreign one is accepted. */
  private async missingTargets({ relationships }: SampleContent): Promise<MemberProblem[]> {
    const { prefix } = this.options;
    const ours = relationships
      .map(({ target }, at) => ({ target, at }))
      .filter(({ target }) => target.startsWith(prefix) && /^\d+$/.test(target.slice(prefix.length)));
    if (ours.length === 0) return [];
    const ids = ours.flatMap(({ target }) => parseAccession(prefix, target) ?? []);
    const owners = await this.store.findOwners([...new Set(ids)]);
    const problems = new Problems();
    for (const { target, at } of ours) {
      const id = parseAccession(prefix, target);
      if (id === undefined || !owners.has(id)) {
        problems.add(['relationships', at, 'target'], `names ${target}, and there is no such sample here`);
      }
    }
    return problems.found;
  }

  private async checklistProblems(draft: SampleDraft, content: SampleContent): Promise<MemberProblem[]> {
    const { checklists, defaultChecklist } = this.options;
    const fallback = defaultChecklist === undefined ? {} : { fallback: defaultChecklist };
    const id = checklists?.chosenFor(content.characteristics, fallback);
    if (checklists === undefined || id === undefined) return [];
    const document: ChecklistDocument = {
      name: draft.name,
      ...contentTaxId(content),
      release: formatDateTime(draft.release),
      ...contentMembers(content, undefined),
      ...recordMembers(content),
    };
    const byPath = new Map<string, string[]>();
    for (const { dataPath, message } of await checklists.problemsOf(document, id)) {
      byPath.set(dataPath, [...(byPath.get(dataPath) ?? []), message]);
    }
    return [...byPath].map(([dataPath, errors]) => ({ dataPath, errors }));
  }
}
