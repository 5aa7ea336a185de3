/** Resumable uploads in the interface description, in short: the protocol is that of https://tus.io, version 1.0.0. */
import { header, type Operation, path, refusals } from './operation.js';

const ID = path('id', 'Last part of the address that creating the upload gave.');
const RESUMABLE = { ...header('Tus-Resumable', '1.0.0.'), required: true };
const TAG = 'Resumable uploads';
const PROTOCOL =
  'The tus protocol, version 1.0.0: https://tus.io/protocols/resumable-upload. Any client of it will do.';

const SUBMITTED = {
  'Submission-Id': 'With the last byte: id of the submission that the file has become.',
  'Content-Location': 'With the last byte: address of that submission.',
  'Idempotent-Replayed': 'With the last byte: true where the same bytes came before, by another upload.',
};

/** Refusals of the protocol itself are a line of text, those of the registry are problems. */
const refused = (...statuses: number[]): Operation['responses'] => {
  const known = refusals(...statuses);
  for (const answer of Object.values(known)) answer.contents = { ...answer.contents, 'text/plain': { type: 'string' } };
  return known;
};

const RESUMABLE_MISSING = {
  412: { description: 'The header `Tus-Resumable` is missing.', contents: { 'text/plain': { type: 'string' } } },
};
const EXPIRED = {
  410: { description: 'The upload was not finished in a day.', contents: { 'text/plain': { type: 'string' } } },
};

export const RESUMABLE_OPERATIONS: readonly Operation[] = [
  {
    method: 'options',
    path: '/files',
    tag: TAG,
    summary: 'Which parts of the protocol are spoken',
    description: PROTOCOL,
    responses: {
      204: {
        description: 'In headers alone.',
        headers: {
          'Tus-Version': '1.0.0.',
          'Tus-Extension': 'creation, creation-with-upload, termination, expiration, checksum.',
          'Tus-Max-Size': 'Most bytes of a file.',
          'Tus-Checksum-Algorithm': 'sha256, sha1, md5.',
        },
      },
    },
  },
  {
    method: 'post',
    path: '/files',
    limit: 'upload',
    tag: TAG,
    summary: 'Begin an upload that survives a bad line',
    description: `${PROTOCOL} The file becomes an ordinary submission when its last byte has arrived.`,
    scope: 'submit',
    parameters: [
      RESUMABLE,
      { ...header('Upload-Length', 'Bytes of the whole file.'), required: true },
      header(
        'Upload-Metadata',
        'The options of an upload, `filename`, and `sha256` (hex) to have the whole file checked; values in base64.',
      ),
    ],
    responses: {
      201: {
        description: 'Begun.',
        headers: {
          Location: 'Where the pieces go.',
          'Upload-Offset': 'Bytes that came with this request.',
          'Upload-Expires': 'When what is unfinished is removed.',
          ...SUBMITTED,
        },
      },
      ...RESUMABLE_MISSING,
      ...refused(400, 401, 403, 409, 413, 415, 422, 429, 503, 507),
    },
  },
  {
    method: 'head',
    path: '/files/{id}',
    tag: TAG,
    summary: 'How much has arrived',
    scope: 'submit',
    parameters: [ID, RESUMABLE],
    responses: {
      200: {
        description: 'Go on from there.',
        headers: { 'Upload-Offset': 'Bytes that are here.', 'Upload-Length': 'Bytes of the whole file.', ...SUBMITTED },
      },
      ...RESUMABLE_MISSING,
      ...EXPIRED,
      ...refused(400, 401, 403, 404, 422, 429, 503, 507),
    },
  },
  {
    method: 'patch',
    path: '/files/{id}',
    tag: TAG,
    summary: 'Send the next piece',
    scope: 'submit',
    parameters: [
      ID,
      RESUMABLE,
      { ...header('Upload-Offset', 'Where the piece begins: what HEAD answers.'), required: true },
      header('Upload-Checksum', 'One of sha256, sha1, md5, a blank, and the checksum of the piece in base64.'),
    ],
    body: {
      description: 'The piece.',
      contents: { 'application/offset+octet-stream': { type: 'string', format: 'binary' } },
    },
    responses: {
      204: { description: 'Kept.', headers: { 'Upload-Offset': 'Bytes that are here now.', ...SUBMITTED } },
      ...RESUMABLE_MISSING,
      ...EXPIRED,
      ...refused(400, 401, 403, 404, 409, 413, 415, 422, 423, 429, 503, 507),
      460: {
        description: 'The checksum is not that of the piece; none of it is kept.',
        contents: { 'text/plain': { type: 'string' } },
      },
    },
  },
  {
    method: 'delete',
    path: '/files/{id}',
    tag: TAG,
    summary: 'Give an upload up',
    scope: 'submit',
    parameters: [ID, RESUMABLE],
    responses: {
      204: { description: 'Its pieces are gone; a submission that it has become stays.' },
      ...RESUMABLE_MISSING,
      ...EXPIRED,
      ...refused(400, 401, 403, 404, 423, 429),
    },
  },
];
