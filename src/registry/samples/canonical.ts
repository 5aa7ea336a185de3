/** Equality and spelling of JSON values where the order of members does not matter and the order of lists does. */
import type { SampleContent } from './sample.js';

/** JSON with members sorted by UTF-16 units and undefined ones left out: equal values, equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const record = value as Record<string, unknown>;
  const members = Object.keys(record)
    .filter((name) => record[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(record[name])}`);
  return `{${members.join(',')}}`;
}

/** Same as comparing the canonical JSON of both, without writing it. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, at) => sameJson(item, b[at]));
  }
  return sameMembers(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameMembers(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const names = Object.keys(a).filter((name) => a[name] !== undefined);
  if (names.length !== Object.keys(b).filter((name) => b[name] !== undefined).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]));
}

export function sameContent(a: SampleContent, b: SampleContent): boolean {
  return sameJson(a, b);
}
