/** A sample that its owner withdraws: no longer public, its accession, content, history and keys as they are. Taken back alike. */

import { RegistryError } from '../errors.js';
import type { Caller } from '../permissions.js';
import type { Conditions } from './conditions.js';
import { WITHDRAWN } from './sample.js';
import { notFound, requireChange, requireSubmit, type SampleReader } from './sample-reader.js';
import type { SampleRecord, SampleStore } from './sample-store.js';
import { isAdministrative } from './status.js';

export class Withdrawal {
  constructor(
    private readonly store: SampleStore,
    private readonly reader: SampleReader,
  ) {}

  /** @throws RegistryError sample.not-found, sample.not-owned, precondition.failed, conflict under an administrator's status or for a placeholder */
  async set(accession: string, withdrawn: boolean, caller: Caller, conditions: Conditions): Promise<SampleRecord> {
    requireSubmit(caller);
    const record = await this.store.updateSample(this.reader.idOf(accession), (current) => {
      const { sample } = current;
      requireChange(sample, accession, caller);
      this.reader.requireConditions(conditions, accession, current);
      const { name, release, content, adminStatus, submitted } = sample;
      if (isAdministrative(adminStatus))
        throw new RegistryError(
          'conflict',
          `An administrator has set the status of ${accession} to ${adminStatus}; only administrators change that.`,
        );
      if (submitted === undefined)
        throw new RegistryError(
          'conflict',
          `${accession} was never submitted: nobody else sees it, and there is nothing to withdraw.`,
        );
      const next = withdrawn ? WITHDRAWN : undefined;
      if (adminStatus === next) return { kind: 'unchanged' };
      const provenance = { author: caller.account, via: 'JSON_API' } as const;
      return { kind: 'update', draft: { name, release, content }, provenance, adminStatus: next ?? null };
    });
    if (record === undefined) throw notFound(accession);
    return record;
  }
}
