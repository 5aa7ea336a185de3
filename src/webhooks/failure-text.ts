/** Why an attempt failed, as the webhook's owner hears it: nothing of the network that this service runs in. */
import { ForbiddenAddressError } from './address-guard.js';
import { InterimAnswersError, NoAnswerError } from './post.js';

const UNKNOWN_AUTHORITY =
  'The receiver’s certificate is of an authority that is not known here, or comes without those in between.';

const NO_TLS = 'The receiver speaks no TLS that this service knows. Does its address lead to the port of https?';

/** By the code of the system's error. */
const TEXTS: Record<string, string> = {
  ENOTFOUND: 'The receiver’s name is not known to the name service.',
  EAI_AGAIN: 'The name service did not answer.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver ended the connection without an answer.',
  EPIPE: 'The receiver ended the connection without an answer.',
  ETIMEDOUT: 'The receiver could not be reached in time.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
  CERT_HAS_EXPIRED: 'The receiver’s certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The receiver’s certificate is signed by itself.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  // The same, as former versions of Node say it and as later ones do.
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  HPE_HEADER_OVERFLOW: 'The head of the receiver’s answer is too long.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The receiver’s certificate is for another name.',
};

export function failureText(error: unknown): string {
  if (error instanceof ForbiddenAddressError) {
    return `Refused: ${error.host} is not an address of the public internet; webhooks may only go there.`;
  }
  if (error instanceof NoAnswerError || error instanceof InterimAnswersError) return error.message;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code !== undefined && code in TEXTS) return TEXTS[code] as string;
  if (code?.startsWith('HPE_')) return 'What the receiver sent is no answer of HTTP.';
  return `The connection failed${code !== undefined && /^[A-Z_]{3,60}$/.test(code) ? ` (${code})` : ''}.`;
}
