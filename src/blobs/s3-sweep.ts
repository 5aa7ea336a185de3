import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3';
import { DAY_MS } from '../registry/date-time.js';

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
