/** `update=merge`: what the row fills replaces, what it does not mention stays. */
import type { Characteristics, SampleContent } from './sample.js';

const LISTS = ['relationships', 'externalReferences', 'contact', 'organization', 'publications'] as const;

/** A characteristic that the row fills replaces all entries of that name; so does a list that the row fills. */
export function mergeContent(stored: SampleContent, row: SampleContent): SampleContent {
  const characteristics = Object.create(null) as Characteristics;
  for (const source of [stored.characteristics, row.characteristics]) {
    for (const name of Object.keys(source)) characteristics[name] = source[name] as Characteristics[string];
  }
  const merged: SampleContent = { ...stored, ...withoutUndefined(row), characteristics };
  for (const list of LISTS) {
    if (row[list].length === 0) Object.assign(merged, { [list]: stored[list] });
  }
  return merged;
}

function withoutUndefined(content: SampleContent): Partial<SampleContent> {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}
