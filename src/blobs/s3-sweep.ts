/** What killed processes left in S3 storage: parts of uploads, and objects of which nobody knows whether they stay. */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type _Object,
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DAY_MS } from '../registry/date-time.js';
import { type PendingBlob, readPendingNote } from '../submissions/blobs.js';
import { asBlobError } from './s3-errors.js';

/** An upload that began this long ago is nobody's any more. */
const ABANDONED_MS = DAY_MS;

/** Aborts the multipart uploads under the prefix that killed processes left behind; resolves to how many. */
export async function sweepAbandoned(
  client: S3Client,
  bucket: string,
  prefix: string,
  now = Date.now(),
): Promise<number> {
  let swept = 0;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || now - Initiated.getTime() < ABANDONED_MS) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
      swept += 1;
    }
    if (!page.IsTruncated || !page.NextKeyMarker) return swept;
    marker = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
    };
  }
}

interface PendingQuery {
  before: number;
  limit: number;
  read: (key: string) => Readable;
}

/** The objects whose keys begin like this, page by page. */
export async function* listObjects(
  client: S3Client,
  { Bucket, Key: Prefix }: { Bucket: string; Key: string },
): AsyncGenerator<_Object[]> {
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }),
    );
    yield page.Contents ?? [];
    ContinuationToken = page.NextContinuationToken;
    if (!page.IsTruncated || !ContinuationToken) return;
  }
}

/** The blobs whose notes lie at this place. Where the rights do not allow listing, none is known. */
export async function readPending(
  client: S3Client,
  place: { Bucket: string; Key: string },
  { before, limit, read }: PendingQuery,
): Promise<PendingBlob[]> {
  const found: PendingBlob[] = [];
  try {
    for await (const notes of listObjects(client, place)) {
      for (const { Key = '', LastModified } of notes) {
        if (found.length >= limit) return found;
        if (!LastModified || LastModified.getTime() >= before) continue;
        const key = Key.slice(place.Key.length);
        // Settled by another process meanwhile.
        found.push(...readPendingNote(key, await text(read(key)).catch(() => '')));
      }
    }
  } catch (error) {
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 403)
      throw asBlobError(error, place.Key);
  }
  return found;
}
