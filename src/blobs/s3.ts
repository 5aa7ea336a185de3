/**
 * Blobs as objects in S3-compatible storage. An object appears when its upload is complete, never before; what an
 * upload that fails had sent is aborted. What a killed process leaves is swept by the next one (sweepAbandoned).
 */
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { RegistryError } from '../registry/errors.js';
import {
  type BlobRange,
  type Blobs,
  fileTooLarge,
  type PendingBlob,
  pendingNote,
  type StoredBlob,
} from '../submissions/blobs.js';
import { BlobDigest } from './digest.js';
import { parseS3Address } from './s3-address.js';
import { asBlobError, isWithoutAnswer } from './s3-errors.js';
import { readObject, SILENT_MS } from './s3-read.js';
import { listObjects, readPending, sweepAbandoned } from './s3-sweep.js';

// The client would warn every user of Node 20 that its versions of 2027 will not run there; ours is locked.
// biome-ignore lint/style/noProcessEnv: not a setting of ours, and the client knows no other way
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

/** A note for each pending blob, of its name, below the prefix. */
const PENDING = 'pending/';
/** An upload holds at most three parts in memory; 10 000 parts of this size are 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;
/** How long storage is asked for an object whose last answer was lost, or to forget a note, as its sender is waiting. */
const ASK_MS = 10_000;
/**
 * Connections: a download keeps one for as long as its client reads. The client's own bound of 50 had fifty clients who read slowly,
 * or not at all, keep everybody else from storage.
 */
const CONNECTIONS = { maxSockets: Number.POSITIVE_INFINITY };

export class S3Blobs implements Blobs {
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly client: S3Client;
  private swept = false;

  constructor(
    url: string,
    private readonly silentMs = SILENT_MS,
  ) {
    const address = parseS3Address(url);
    this.bucket = address.bucket;
    this.prefix = address.prefix;
    this.client = new S3Client({
      maxAttempts: 5,
      // Checksum trailers are refused by many S3-compatible servers; sizes and our own SHA-256 are compared instead.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 3000,
        socketTimeout: 60_000,
        httpAgent: CONNECTIONS,
        httpsAgent: CONNECTIONS,
      },
      ...address.client,
    });
  }

  async put(
    key: string,
    source: AsyncIterable<Buffer>,
    { maxBytes, pendingFor }: { maxBytes: number; pendingFor?: string },
  ): Promise<StoredBlob> {
    this.sweepOnce();
    // The object appears when its source has ended: the note comes before that.
    const note = async (blob: StoredBlob) => {
      if (pendingFor !== undefined) await this.note(key, pendingNote(blob, pendingFor));
    };
    const digest = new BlobDigest();
    let sourceFailure: unknown;
    let blob: StoredBlob | undefined;
    async function* measured(): AsyncGenerator<Buffer> {
      try {
        for await (const block of source) {
          digest.add(block);
          if (digest.size > maxBytes) throw fileTooLarge(maxBytes);
          yield block;
        }
        const whole = digest.end(key);
        await note(whole);
        blob = whole;
      } catch (error) {
        // Where storage refuses a part, the upload stops its body, and that stops the source: the refusal is what went wrong.
        if (!body.destroyed) sourceFailure = error;
        throw error;
      }
    }
    const body = Readable.from(measured(), { objectMode: false });
    const upload = new Upload({
      client: this.client,
      params: { Bucket: this.bucket, Key: this.prefix + key, Body: body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    try {
      await upload.done();
    } catch (error) {
      const stored = blob && isWithoutAnswer(error) && (await this.isThere(key, digest.size));
      if (!stored) throw sourceFailure ?? asBlobError(error, key);
    } finally {
      body.destroy();
    }
    return blob as unknown as StoredBlob;
  }

  private async note(key: string, text: string): Promise<void> {
    try {
      await this.client.send(new PutObjectCommand({ ...this.at(PENDING + key), Body: text }));
    } catch (error) {
      throw asBlobError(error, key);
    }
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }

  /** Soon, or not at all: an upload that is stored waits for it. */
  settle(key: string): Promise<void> {
    return this.delete(PENDING + key, AbortSignal.timeout(ASK_MS));
  }

  pendingFrom(before: number, limit: number): Promise<PendingBlob[]> {
    const read = (key: string) => this.open(PENDING + key);
    return readPending(this.client, this.at(PENDING), { before, limit, read });
  }

  async *storedBefore(time: number): AsyncGenerator<string[]> {
    try {
      for await (const objects of listObjects(this.client, this.at('')))
        yield objects
          .filter(({ LastModified }) => LastModified && LastModified.getTime() < time)
          .map(({ Key = '' }) => Key.slice(this.prefix.length))
          .filter((key) => !key.includes('/'));
    } catch (error) {
      throw asBlobError(error, this.bucket);
    }
  }

  /**
   * Whether the object is there, whole, though its sender heard of a failure: storage makes it at once or not at all, so one of another size
   * is an earlier one of this key and stays.
   */
  private async isThere(key: string, size: number): Promise<boolean> {
    const asked = new HeadObjectCommand({ Bucket: this.bucket, Key: this.prefix + key });
    try {
      const { ContentLength } = await this.client.send(asked, { abortSignal: AbortSignal.timeout(ASK_MS) });
      return ContentLength === size;
    } catch {
      return false;
    }
  }

  open(key: string, range: BlobRange = {}): Readable {
    const object = { Bucket: this.bucket, Key: this.prefix + key };
    return Readable.from(readObject(this.client, object, key, range, this.silentMs), {
      objectMode: false,
      highWaterMark: 256 * 1024,
    });
  }

  async delete(key: string, abortSignal?: AbortSignal): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.at(key)), abortSignal && { abortSignal });
    } catch (error) {
      throw asBlobError(error, key);
    }
  }

  async check(): Promise<void> {
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      const missing = (error as { name?: string }).name === 'NotFound';
      throw missing
        ? new RegistryError('service.unavailable', `The bucket "${this.bucket}" does not exist; create it.`, {
            cause: error,
          })
        : asBlobError(error, this.bucket);
    }
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  /** By processes that upload, when they begin to; those that only read have nothing to do with it. */
  private sweepOnce(): void {
    if (this.swept) return;
    this.swept = true;
    sweepAbandoned(this.client, this.bucket, this.prefix).catch(() => undefined); // not every server can list them
  }
}
