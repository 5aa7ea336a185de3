/** The syncs of a recording, and the recording without some of them. */
import { LossyDisk } from './lossy-disk.js';
import type { Recording } from './recorder.js';
import type { Done } from './trace.js';

export interface Syncs {
  /** Operations that make something durable. */
  places: number[];
  /** The same syncs where there was nothing to do, because another had been there. */
  idle: number[];
}

/** Those of a recording, by what they sync, such as `the service, fdatasync: data/registry.db-wal, bytes`. */
export function syncsOf({ root, before, done }: Recording): Map<string, Syncs> {
  const disk = new LossyDisk(root, before);
  const makers = new Map<string, string>();
  const syncs = new Map<string, Syncs>();
  const idle = new Map<string, number[]>();
  for (const [at, one] of done.entries()) {
    if (one.kind === 'create' && !makers.has(one.path)) makers.set(one.path, one.by);
    if (one.kind === 'sync') {
      const what = disk.unsynced(one.path, one.begun);
      const site = `${one.by}, ${one.call}: ${nameOf(one, root, makers)}`;
      const others = idle.get(site) ?? [];
      idle.set(site, others);
      if (what === undefined) others.push(at);
      else {
        const name = `${site}, ${what === 'first bytes' && !/audit-FILE/.test(site) ? 'bytes' : what}`;
        const same = syncs.get(name) ?? { places: [], idle: others };
        same.places.push(at);
        syncs.set(name, same);
      }
    }
    disk.do(one);
  }
  return syncs;
}

/** Of what is synced, such as `data/audit/audit-FILE`. */
function nameOf({ by, path }: Done, root: string, makers: ReadonlyMap<string, string>): string {
  const whose = /\.jsonl$/.test(path) && makers.get(path) !== by ? 'another’s ' : '';
  return whose + (plain(path.slice(root.length + 1)) || 'the disk');
}

/** Without what is another one each time. */
const plain = (path: string): string =>
  path
    .replace(/incoming\/.+/, 'incoming/FILE')
    .replace(/audit-[\w-]+\.jsonl/, 'audit-FILE')
    .replace(/reserve-[\w-]+/, 'reserve-FILE')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replace(/\/[\da-f]{2}(?=\/|$)/, '/XX')
    .replace(/(one|two)\.tsv/, 'SHEET')
    .replace(/\.(errors|result)\.tsv|\.mapping\.json/, '.PAPER');

export const withoutSyncs = (done: readonly Done[], places: ReadonlySet<number>): Done[] =>
  done.map((one, at): Done => (one.kind === 'sync' && places.has(at) ? { ...one, begun: 0 } : one));
