/** What differs between two states of a sample, as lines that say old and new. */
import type { Characteristic, Sample } from '../api/samples.js';
import { statusWord } from './sample-status.js';

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

/** Lists whose order is part of what was stored, and what it is called. */
const LISTS = {
  relationships: 'Order of relationships',
  externalReferences: 'Order of references',
  contact: 'Order of contacts',
  organization: 'Order of organizations',
  publications: 'Order of publications',
} as const;

/** What one version changed, down to the order in which things stand; for the history, which never says "nothing". */
export function changesBetween(before: Sample, after: Sample): Difference[] {
  const differences = differencesOf(before, after);
  if (differences.length > 0) return differences;
  const order = (sample: Sample): string => Object.keys(sample.characteristics).join(', ');
  if (order(before) !== order(after)) {
    differences.push({ what: 'Order of characteristics', before: order(before), after: order(after) });
  }
  for (const [name, entries] of Object.entries(after.characteristics)) {
    const old = (before.characteristics[name] ?? []).map(entryText).join(' | ');
    const now = entries.map(entryText).join(' | ');
    if (old !== now) differences.push({ what: `Order of ${name}`, before: old, after: now });
  }
  for (const [list, what] of Object.entries(LISTS) as [keyof typeof LISTS, string][]) {
    if (JSON.stringify(before[list] ?? []) !== JSON.stringify(after[list] ?? [])) differences.push({ what });
  }
  if (before.submittedVia !== after.submittedVia) {
    differences.push({ what: 'Sent by', before: viaWord(before.submittedVia), after: viaWord(after.submittedVia) });
  }
  return differences;
}

const viaWord = (via: Sample['submittedVia']): string => (via === 'FILE_UPLOADER' ? 'a sheet' : 'a request');

function facts(sample: Sample): Map<string, string[]> {
  const map = new Map<string, string[]>();
  const add = (what: string, text: string | undefined) => {
    if (text !== undefined && text !== '') map.set(what, [...(map.get(what) ?? []), text]);
  };
  add('Name', sample.name);
  add('Release date', sample.release);
  add('Status', statusWord(sample.status));
  add('Taxon', sample.taxId === undefined ? undefined : String(sample.taxId));
  add('Domain', sample.domain);
  for (const [name, entries] of Object.entries(sample.characteristics)) {
    for (const entry of entries) add(name, entryText(entry));
  }
  for (const { type, source, target } of sample.relationships ?? []) {
    add('Relationship', source && source !== sample.accession ? `${source} ${type} ${target}` : `${type} ${target}`);
  }
  for (const { url, duo } of sample.externalReferences ?? []) add('Reference', [url, ...(duo ?? [])].join(' '));
  for (const record of sample.contact ?? []) add('Contact', recordText(record));
  for (const record of sample.organization ?? []) add('Organization', recordText(record));
  for (const record of sample.publications ?? []) add('Publication', recordText(record));
  return map;
}

/** `34 year (NCIT:C25150; unit UO:0000036)`. */
export function entryText({ text, unit, ontologyTerms = [], unitOntologyTerms = [] }: Characteristic): string {
  const value = [text, unit].filter(Boolean).join(' ');
  const terms = [
    ...(ontologyTerms.length > 0 ? [ontologyTerms.join(', ')] : []),
    ...(unitOntologyTerms.length > 0 ? [`unit ${unitOntologyTerms.join(', ')}`] : []),
  ].join('; ');
  return terms === '' ? value : `${value} (${terms})`;
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
