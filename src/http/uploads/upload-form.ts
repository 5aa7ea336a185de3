/**
 * `multipart/form-data` with one file and option fields, in any order, streamed. The file goes to its destination
 * while it arrives; fields behind it are read before the destination sees the file's end, so an option counts wherever
 * it stands, and a fault behind the file (a second one, a cut connection, a bad option) makes the file's stream fail
 * instead of end: what was written of it is then removed by whoever wrote it.
 */
import { parse } from 'content-type';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { RegistryError } from '../../registry/errors.js';
import { refuseCoding } from '../json-body.js';

export const FORM_TYPE = 'multipart/form-data';

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_NAME_BYTES = 200;

export interface FormFile {
  fileName: string;
  /** Ends when the whole form has been read without fault; `fields` is complete then. */
  source: AsyncIterable<Buffer>;
  /** Fields in front of the file at first, all of them once `source` has ended. */
  fields: Record<string, unknown>;
}

/**
 * Reads the form and hands its file to `take` as soon as it begins. Resolves to what `take` resolves to.
 * @throws RegistryError media-type.unsupported for what is no form; request.invalid for one without file, with two, or broken
 */
export async function readUploadForm<T>(
  request: Request,
  response: Response,
  take: (file: FormFile) => Promise<T>,
): Promise<T> {
  refuseOtherTypes(request);
  const whole = deferred();
  // A failed destination must be answered at once, not after the rest of the form was read and thrown away.
  const failed = deferred();
  let taken: Promise<T> | undefined;
  let leftEarly = false;
  const storage: StorageEngine = {
    _handleFile(_request, file, done) {
      const fields = request.body as Record<string, unknown>;
      taken = take({
        fileName: file.originalname,
        source: gate(file.stream, whole.promise, {
          ended: () => done(null, {}),
          left: () => {
            leftEarly = true;
          },
        }),
        fields,
      });
      taken.catch((error) => {
        failed.reject(error);
        done(error);
      });
    },
    // Nothing to remove: a source that fails leaves nothing behind.
    _removeFile: (_request, _file, done) => done(null),
  };
  const limits = { files: 1, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fieldNameSize: MAX_NAME_BYTES };
  const read = multer({ storage, limits, defParamCharset: 'utf8' }).any();
  read(request, response, (error: unknown) => (error ? whole.reject(formError(error)) : whole.resolve()));
  try {
    await Promise.race([whole.promise, failed.promise]).catch(async (error: unknown) => {
      // Whatever was written of the file is gone before the refusal is sent.
      await taken?.catch(() => undefined);
      throw error;
    });
  } catch (error) {
    // A destination that stops reading breaks the form: its reason is the one to tell.
    if (leftEarly) await taken;
    throw error;
  }
  if (taken === undefined)
    throw new RegistryError('request.invalid', noFile(request.body as Record<string, unknown> | undefined));
  return taken;
}

interface GateEvents {
  /** The parser may go on behind the file. */
  ended(): void;
  /** The destination wants no more of it. */
  left(): void;
}

/** The file's bytes; its end is held back until the form is whole. */
async function* gate(
  file: AsyncIterable<Buffer>,
  whole: Promise<void>,
  { ended, left }: GateEvents,
): AsyncGenerator<Buffer> {
  try {
    for await (const block of file) {
      let wanted = false;
      try {
        yield block;
        wanted = true;
      } finally {
        // Reported before the stream is closed, because closing it is what breaks the form.
        if (!wanted) left();
      }
    }
  } catch (error) {
    throw formError(error);
  }
  ended();
  await whole;
}

function formError(error: unknown): RegistryError {
  if (error instanceof RegistryError) return error;
  if (error instanceof MulterError) return new RegistryError('request.invalid', beyond(error), { cause: error });
  if ((error as Error).message === 'Malformed part header') {
    return new RegistryError(
      'request.invalid',
      'The head of a part of the form cannot be read; where the name of the file has characters that do not print, give the file another name.',
      { cause: error },
    );
  }
  return new RegistryError(
    'request.invalid',
    `The form ended before it was whole or is broken (${(error as Error).message}); send it again.`,
    { cause: error },
  );
}

/** Which bound of a form is passed, and what to do. */
function beyond({ code, field, message }: MulterError): string {
  if (code === 'LIMIT_FILE_COUNT') return 'The form holds more than one file; send one file a request.';
  if (code === 'LIMIT_FIELD_COUNT')
    return `The form holds more than ${MAX_FIELDS} fields beside its file; leave out those that are no options.`;
  if (code === 'LIMIT_FIELD_VALUE')
    return `The field ${JSON.stringify(field)} of the form is longer than ${MAX_FIELD_BYTES} bytes; shorten it or leave it out.`;
  if (code === 'LIMIT_FIELD_KEY')
    return `A field of the form has a name of more than ${MAX_NAME_BYTES} bytes; shorten it or leave it out.`;
  return `The form cannot be taken: ${message}.`;
}

/** @throws RegistryError media-type.unsupported */
function refuseOtherTypes(request: Request): void {
  const given = request.headers['content-type'] ?? '';
  if (parse(given).type !== FORM_TYPE) {
    throw new RegistryError(
      'media-type.unsupported',
      `The Content-Type is ${JSON.stringify(given)}; send ${FORM_TYPE} with one file.`,
    );
  }
  refuseCoding(request, 'body');
}

/** Without a boundary the parser does not even begin. */
function noFile(fields: Record<string, unknown> | undefined): string {
  if (fields === undefined)
    return 'The form has no boundary; send it as "multipart/form-data; boundary=…", as clients do by themselves.';
  return typeof fields.file === 'string'
    ? 'The part "file" came without a file name, as a text field; send it as a file (with curl: -F file=@samples.tsv).'
    : 'The form holds no file; add the part "file" with the table of samples.';
}

interface Deferred {
  promise: Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** A rejection that nobody waits for yet is no unhandled one. */
function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => undefined;
  let reject: Deferred['reject'] = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
