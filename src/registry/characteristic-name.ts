import { ownText } from './own-text.js';
import { RecentMap, RecentRoom } from './search/recent-map.js';

/** Those of many samples are mostly the same few. */
const room = new RecentRoom(1_000);
const known = new RecentMap<string>(room);

/**
 * The name of a characteristic as rules compare it: `organismPart`, `Organism_Part` and `Characteristics[organism part]` are one.
 * Samples keep theirs as it was given.
 */
export function comparedName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = name
    .replace(/^\s*(?:characteristics?|comments?|parameter value)\s*\[(.*)\]\s*$/i, '$1')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .trim();
  if (known.keeps(name)) known.set(ownText(name), made);
  return made;
}
