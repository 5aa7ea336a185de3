/** What a part of an .xlsx package refers to within it. */
import type { Package } from './package.js';
import { parseXml } from './xml.js';

export interface Relation {
  /** Last part of the type's address. */
  type: string;
  part: string;
}

export async function readRelations(workbook: Package, part: string, folder: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  parseXml(part, (await workbook.text(part)) ?? '<Relationships/>', {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      // What lies outside the package is never looked at.
      if (name !== 'Relationship' || Id === undefined || TargetMode === 'External') return;
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: resolvePart(Target, folder) });
    },
    close() {},
  });
  return relations;
}

/** A part's name from a target that is absolute in the package or relative to a folder of it. */
export function resolvePart(target: string, folder: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
