/** Posting, listing and deleting curation links. */

import { invalid } from '../body.js';
import { RegistryError } from '../errors.js';
import { type Caller, mayChange, mayDeleteLink, owns } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import { missingTargets } from '../samples/relationship-targets.js';
import { requireNotErased, requireSubmit, type SampleReader } from '../samples/sample-reader.js';
import type { CurationReader, SampleRecord, SampleStore } from '../samples/sample-store.js';
import type { Curation } from './curation.js';
import {
  type CurationDocument,
  type CurationLinkDocument,
  curationDocument,
  curationLinkDocument,
  parseCurationLink,
} from './curation-body.js';
import { requireRoom } from './curation-limits.js';
import { applyCurations, linkHash } from './curation-rules.js';

export class CurationService {
  constructor(
    private readonly store: SampleStore,
    private readonly reader: SampleReader,
    private readonly options: RegistryOptions,
  ) {}

  async curate(
    accession: string,
    body: unknown,
    caller: Caller,
  ): Promise<{ link: CurationLinkDocument; added: boolean }> {
    requireSubmit(caller);
    const { sample } = await this.reader.readable(accession, caller);
    requireNotErased(sample, accession);
    const read = parseCurationLink(body);
    if (read.sample !== undefined && read.sample !== accession) {
      throw new RegistryError(
        'sample.accession-mismatch',
        `The address names ${accession} and the body ${read.sample.slice(0, 100)}; make them the same.`,
      );
    }
    await this.requireTargets(read.curation);
    const asked = {
      curation: read.curation,
      domain: read.domain,
      account: caller.account,
      created: this.options.now(),
      hash: linkHash(read.curation.hash, accession, caller.account),
    };
    const byOwner = owns(sample.account, caller);
    const { link, added } = await this.store.addCurationLink(sample.id, asked, (present, bytes) =>
      requireRoom(present, bytes, byOwner),
    );
    return { link: curationLinkDocument(accession, link, this.options), added };
  }

  /** What a curation takes away, or leaves as it is, may name what never was. @throws RegistryError curation.invalid */
  private async requireTargets({ relationshipsPre, relationshipsPost }: Curation): Promise<void> {
    const present = new Set(relationshipsPre.map(({ target }) => target));
    const added = relationshipsPost.map(({ target }) => ({ target: present.has(target) ? '' : target }));
    const path = ['curation', 'relationshipsPost'];
    const problems = await missingTargets(this.store, this.options.prefix, added, path);
    if (problems.length > 0) throw invalid('curation.invalid', problems);
  }

  async list(
    accession: string,
    caller: Caller | undefined,
    { page, size }: { page: number; size: number },
  ): Promise<{ links: CurationLinkDocument[]; total: number }> {
    const { sample, curationLinks } = await this.reader.readable(accession, caller);
    const view = applyCurations(sample.content, curationLinks, accession);
    const shown = curationLinks.slice(page * size, page * size + size);
    return {
      links: shown.map((link) => curationLinkDocument(accession, link, this.options, view)),
      total: curationLinks.length,
    };
  }

  async get(accession: string, hash: string, caller: Caller | undefined): Promise<CurationLinkDocument> {
    const { sample, curationLinks } = await this.reader.readable(accession, caller);
    const link = curationLinks.find((one) => one.hash === hash);
    if (link === undefined) throw noLink(accession, hash);
    return curationLinkDocument(
      accession,
      link,
      this.options,
      applyCurations(sample.content, curationLinks, accession),
    );
  }

  /** The owner takes a curation out of what readers see of the sample, or lets it in again. */
  async decline(accession: string, hash: string, caller: Caller, declined: boolean): Promise<CurationLinkDocument> {
    requireSubmit(caller);
    const { sample } = await this.reader.readable(accession, caller);
    if (!mayChange(sample, caller)) {
      throw new RegistryError(
        'sample.not-owned',
        `Curations of ${accession} are declined and accepted by its owner or an administrator.`,
      );
    }
    const link = await this.store.declineCurationLink(sample.id, hash, declined ? this.options.now() : null);
    if (link === undefined) throw noLink(accession, hash);
    return this.get(accession, hash, caller);
  }

  async delete(accession: string, hash: string, caller: Caller): Promise<void> {
    requireSubmit(caller);
    const linkIn = ({ curationLinks }: Pick<SampleRecord, 'curationLinks'>) =>
      curationLinks.find((one) => one.hash === hash);
    const record = await this.reader.toTakeFrom(accession, caller, (one) => linkIn(one)?.account === caller.account);
    const { sample } = record;
    const link = linkIn(record);
    if (link === undefined) throw noLink(accession, hash);
    if (!mayDeleteLink(link, caller)) {
      throw new RegistryError(
        'auth.forbidden',
        'A curation link is deleted by the account that made it or an administrator; the owner of the sample can decline it.',
      );
    }
    if (!(await this.store.deleteCurationLink(sample.id, hash))) throw noLink(accession, hash);
  }

  /** As private as the samples that it is linked to. @throws RegistryError not-found */
  async curation(hash: string, caller: Caller | undefined): Promise<CurationDocument> {
    const curation = await this.store.findCuration(hash, this.readerOf(caller));
    if (curation === undefined) {
      throw new RegistryError('not-found', `There is no curation with the hash ${hash.slice(0, 100)}.`);
    }
    return curationDocument(curation);
  }

  /** Curations of samples that the caller may read, in the order of their hashes; `after` is the `next` of the page before. */
  async listAll(
    caller: Caller | undefined,
    { after, size }: { after: string | undefined; size: number },
  ): Promise<{ curations: CurationDocument[]; next?: string }> {
    const { curations, ...rest } = await this.store.listCurations(this.readerOf(caller), after, size);
    return { curations: curations.map(curationDocument), ...rest };
  }

  private readerOf(caller: Caller | undefined): CurationReader {
    const now = this.options.now();
    return caller === undefined ? { admin: false, now } : { account: caller.account, admin: caller.admin, now };
  }
}

const noLink = (accession: string, hash: string): RegistryError =>
  new RegistryError('not-found', `${accession} has no curation link ${hash.slice(0, 100)}.`);
