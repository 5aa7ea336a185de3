import { RegistryError } from '../registry/errors.js';

const FULL = new Set(['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);

/** What storage answered, in the words of the catalogue; a wrong key or a missing permission is the operator's to see. */
export function asBlobError(error: unknown, key: string): Error {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (error instanceof RegistryError) return error;
  if (name === 'NoSuchKey' || name === 'NotFound') {
    return new RegistryError(
      'not-found',
      `The uploaded file ${key} is no longer kept. Upload it again to go on; if that changes nothing, it is lost: tell the operators.`,
      {
        cause: error,
      },
    );
  }
  if (FULL.has(name) || $metadata?.httpStatusCode === 507) {
    return new RegistryError('storage.full', 'There is no room left to store the file; try again later.', {
      cause: error,
    });
  }
  const reason = reasonOf(error as Error, $metadata?.httpStatusCode);
  return new RegistryError('service.unavailable', `The storage of uploaded files is away: ${reason}`, { cause: error });
}

/**
 * Whether storage may have done what was asked of it, all the same: no answer came, or, to the same request sent once more, one by which there is
 * nothing left to complete.
 */
export function isWithoutAnswer(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode === undefined || name === 'NoSuchUpload';
}

/** What an answer without a text most often means: of whether a bucket is there, storage answers nothing but a status. */
const MEANINGS: Record<number, string> = {
  301: 'the bucket is in another region; set region= in BLOB_URL',
  400: 'the region or the key is wrong; look at region= and the key of BLOB_URL',
  403: 'the key, its secret or its rights are refused',
};

function reasonOf({ message, name }: Error, status: number | undefined): string {
  if (message && message !== 'UnknownError') return message;
  if (status === undefined) return name || 'it gave no reason';
  return `it answered ${status}${MEANINGS[status] ? `: ${MEANINGS[status]}` : ''}`;
}
