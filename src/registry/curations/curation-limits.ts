/**
 * How much may be curated on one sample. Every reader of a sample applies all of its curations, so what one account
 * attaches costs everybody (docs/decisions/0045-room-for-curations.md).
 */
import { RegistryError } from '../errors.js';

/** Bytes are those of a link's six lists and its domain, as JSON. */
export const CURATION_LIMITS = {
  ofSample: { links: 200, bytes: 128 * 1024 },
  /** Accounts other than the owner and administrators leave the rest of the sample's room to these. */
  ofOthers: { links: 150, bytes: 96 * 1024 },
  ofAccount: { links: 50, bytes: 32 * 1024 },
} as const;

interface Amount {
  links: number;
  bytes: number;
}

/** What a sample holds before a link is added, in all and of the account that adds it. */
export interface CurationUsage extends Amount {
  ofAccount: Amount;
}

/** @throws RegistryError curation.limit when a link of so many bytes has no room left */
export function requireRoom(present: CurationUsage, bytes: number, byOwner: boolean): void {
  const { ofSample, ofOthers, ofAccount } = CURATION_LIMITS;
  if (!byOwner) {
    refuseBeyond(
      ofAccount,
      present.ofAccount,
      bytes,
      'from one account',
      'Delete a curation of yours that is no longer needed, or put several changes into one.',
    );
  }
  refuseBeyond(
    byOwner ? ofSample : ofOthers,
    present,
    bytes,
    byOwner ? 'in all' : 'from accounts other than its owner',
    byOwner
      ? 'Change the sample itself with PUT, or have an administrator delete curations.'
      : 'Ask its owner to change the sample itself, or an administrator to delete curations.',
  );
}

function refuseBeyond(limit: Amount, present: Amount, bytes: number, whose: string, instead: string): void {
  if (present.links < limit.links && present.bytes + bytes <= limit.bytes) return;
  throw new RegistryError(
    'curation.limit',
    `A sample takes ${limit.links} curations of ${limit.bytes} bytes together ${whose}; there are ${present.links} of ${present.bytes} bytes, and this one has ${bytes} bytes. ${instead}`,
  );
}
