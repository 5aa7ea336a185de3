/** What differs between two states of a sample, as lines that say old and new. */
import type { Characteristic, Sample } from '../api/samples.js';

export interface Difference {
  /** What it is about: a characteristic's name, `name`, `release`, a relationship. */
  what: string;
  before?: string;
  after?: string;
}

export function differencesOf(before: Sample | undefined, after: Sample): Difference[] {
  const old = before ? facts(before) : new Map<string, string[]>();
  const now = facts(after);
  const differences: Difference[] = [];
  for (const what of new Set([...old.keys(), ...now.keys()])) {
    const gone = without(old.get(what) ?? [], now.get(what) ?? []);
    const come = without(now.get(what) ?? [], old.get(what) ?? []);
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      const pair: Difference = { what };
      if (gone[at] !== undefined) pair.before = gone[at];
      if (come[at] !== undefined) pair.after = come[at];
      differences.push(pair);
    }
  }
  return differences;
}

function facts(sample: Sample): Map<string, string[]> {
  const map = new Map<string, string[]>();
  const add = (what: string, text: string | undefined) => {
    if (text !== undefined && text !== '') map.set(what, [...(map.get(what) ?? []), text]);
  };
  add('Name', sample.name);
  add('Release date', sample.release);
  for (const [name, entries] of Object.entries(sample.characteristics)) {
    for (const entry of entries) add(name, entryText(entry));
  }
  for (const { type, source, target } of sample.relationships ?? []) {
    add('Relationship', source && source !== sample.accession ? `${source} ${type} ${target}` : `${type} ${target}`);
  }
  for (const { url } of sample.externalReferences ?? []) add('Reference', url);
  for (const record of sample.contact ?? []) add('Contact', recordText(record));
  for (const record of sample.organization ?? []) add('Organization', recordText(record));
  for (const record of sample.publications ?? []) add('Publication', recordText(record));
  return map;
}

/** `34 year (UO:0000036)`. */
export function entryText({ text, unit, ontologyTerms = [] }: Characteristic): string {
  const value = [text, unit].filter(Boolean).join(' ');
  return ontologyTerms.length > 0 ? `${value} (${ontologyTerms.join(', ')})` : value;
}

export const recordText = (record: Record<string, string>): string =>
  Object.entries(record)
    .map(([member, text]) => `${member}: ${text}`)
    .join(', ');

/** The texts of `all` that are not among `others`, each counted as often as it occurs. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((text) => {
    const at = left.indexOf(text);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}
