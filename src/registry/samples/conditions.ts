/** Conditions of a write (RFC 9110, section 13.1). */
import { RegistryError } from '../errors.js';
import { matchesTag } from './fingerprint.js';

/** Headers as they were sent. */
export interface Conditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
}

/**
 * `what` is written to only as the headers want it. `tags`: of what is there, each way in which it may have been read; none where nothing is.
 * @throws RegistryError precondition.failed
 */
export function requireConditions({ ifMatch, ifNoneMatch }: Conditions, what: string, tags: () => string[]): void {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  const present = tags();
  if (ifMatch !== undefined && !(present.length > 0 && matchesTag(ifMatch, present, 'strong')))
    throw new RegistryError('precondition.failed', unmatched(ifMatch, what, present));
  if (ifNoneMatch !== undefined && present.length > 0 && matchesTag(ifNoneMatch, present, 'weak'))
    throw new RegistryError(
      'precondition.failed',
      `${what} is there already, and If-None-Match wants that it is not; read it, and leave that header out to write over it.`,
    );
}

function unmatched(ifMatch: string, what: string, present: string[]): string {
  if (present.length === 0) return isNotThere(what);
  return matchesTag(ifMatch, present, 'weak') ? isWeak(what) : hasChanged(what);
}

const isNotThere = (what: string): string =>
  `${what} is not there, or no longer, and If-Match wants what was read; leave that header out to make it anew.`;

const hasChanged = (what: string): string =>
  `${what} has changed since it was read; read it again and repeat the change on what it is now.`;

/** Proxies that pack answers make tags weak: reading again would give the same one. */
const isWeak = (what: string): string =>
  `${what} is as it was read, and If-Match names it by a weak tag (W/"…"), which never counts there; send the tag without W/, or have the proxy that packs answers leave it as it is.`;
