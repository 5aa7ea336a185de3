/** Rules that need more than the body: related samples must exist, and a checklist may ask for more. */
import { nearAccession, parseAccession } from '../accession.js';
import { Problems } from '../body.js';
import type { ChecklistDocument } from '../checklist.js';
import { formatDateTime } from '../date-time.js';
import type { MemberProblem } from '../errors.js';
import type { RegistryOptions } from '../registry-options.js';
import { contentMembers, contentTaxId, recordMembers } from './representation.js';
import type { SampleContent } from './sample.js';
import type { SampleStore } from './sample-store.js';

export interface CheckedSample {
  name: string;
  /** Milliseconds since 1970. */
  release?: number;
  content: SampleContent;
}

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
    return [...(await this.missingTargets(sample.content)), ...(await this.checklistProblems(sample, placeholder))];
  }

  /** A target that bears our prefix, or would if it were written as accessions are, must exist; a foreign one is accepted. */
  private async missingTargets({ relationships }: SampleContent): Promise<MemberProblem[]> {
    const { prefix } = this.options;
    const ours = relationships
      .map(({ target }, at) => ({ target, at, meant: nearAccession(prefix, target) }))
      .filter(
        ({ target, meant }) =>
          meant !== undefined || (target.startsWith(prefix) && /^\d+$/.test(target.slice(prefix.length))),
      );
    if (ours.length === 0) return [];
    const ids = ours.flatMap(({ target }) => parseAccession(prefix, target) ?? []);
    const owners = await this.store.findOwners([...new Set(ids)]);
    const problems = new Problems();
    for (const { target, at, meant } of ours) {
      const place = ['relationships', at, 'target'];
      const id = parseAccession(prefix, target);
      if (meant !== undefined) problems.add(place, notAsWritten(target, meant));
      else if (id === undefined || !owners.has(id)) {
        problems.add(place, `names ${target}, and there is no such sample here`);
      }
    }
    return problems.found;
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
    for (const { dataPath, message } of await checklists.problemsOf(document, id)) {
      byPath.set(dataPath, [...(byPath.get(dataPath) ?? []), message]);
    }
    return [...byPath].map(([dataPath, errors]) => ({ dataPath, errors }));
  }
}

const notAsWritten = (target: string, meant: string): string =>
  `names ${JSON.stringify(target)}, which is no accession as it is written; write ${meant} if that is meant`;

/** The sample as checklists read it. */
export const checklistDocument = ({ name, release, content }: CheckedSample): ChecklistDocument => ({
  name,
  ...contentTaxId(content),
  ...(release === undefined ? {} : { release: formatDateTime(release) }),
  ...contentMembers(content, undefined),
  ...recordMembers(content),
});
