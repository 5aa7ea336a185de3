/** `update=merge`: what the row fills replaces, what it does not mention stays, what it clears goes. */
import type { Characteristics, SampleContent } from './sample.js';

const LISTS = ['relationships', 'externalReferences', 'contact', 'organization', 'publications'] as const;

/** What a row takes away of its sample, where it does not fill it in another cell. */
export interface Cleared {
  /** Names. */
  characteristics: string[];
  /** Types. */
  relationships: string[];
  lists: Exclude<(typeof LISTS)[number], 'relationships'>[];
}

/** A characteristic that the row fills replaces all entries of that name; so does a list that the row fills. */
export function mergeContent(stored: SampleContent, row: SampleContent, cleared?: Cleared): SampleContent {
  const kept = cleared ? without(stored, cleared) : stored;
  const characteristics = Object.create(null) as Characteristics;
  for (const source of [kept.characteristics, row.characteristics]) {
    for (const name of Object.keys(source)) characteristics[name] = source[name] as Characteristics[string];
  }
  const merged: SampleContent = { ...kept, ...withoutUndefined(row), characteristics };
  for (const list of LISTS) {
    if (row[list].length === 0) Object.assign(merged, { [list]: kept[list] });
  }
  return merged;
}

function without(
  stored: SampleContent,
  { characteristics: names, relationships: types, lists }: Cleared,
): SampleContent {
  const characteristics = Object.create(null) as Characteristics;
  const gone = new Set(names);
  for (const name of Object.keys(stored.characteristics)) {
    if (!gone.has(name)) characteristics[name] = stored.characteristics[name] as Characteristics[string];
  }
  const relationships = stored.relationships.filter(({ type }) => !types.includes(type));
  const emptied = Object.fromEntries(lists.map((list) => [list, []]));
  return { ...stored, characteristics, relationships, ...emptied };
}

function withoutUndefined(content: SampleContent): Partial<SampleContent> {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}
