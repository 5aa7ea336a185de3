/** Samples by the keys of an account's own systems, in the interface description. */
import { KEY_LIMIT, KEY_SPACE_WORDS } from '../../registry/samples/row-key.js';
import { header, json, type Operation, path, refusals } from './operation.js';
import { SAMPLE } from './sample-documents.js';
import { sampleBody, VIEW } from './sample-operations.js';

const PLACE = [
  path('space', `Key space of the caller’s account: ${KEY_SPACE_WORDS}.`),
  path('key', `Key of the sample within it, ${KEY_LIMIT} characters at most.`),
];

const PATH = '/samples/by-key/{space}/{key}';

export const SAMPLE_KEY_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: PATH,
    tag: 'Samples',
    summary: 'Read the sample that has a key of yours',
    scope: 'read',
    description: 'Keys are those of uploads with the option `key`, and of PUT. Nobody else sees them.',
    parameters: [
      ...PLACE,
      ...VIEW,
      header('If-None-Match', 'Entity tags that you have; 304 when one is the present one.'),
    ],
    responses: {
      200: {
        description: 'The sample.',
        contents: json(SAMPLE),
        headers: { ETag: 'Fingerprint of the content.', 'Content-Location': 'Address of the sample.' },
      },
      304: { description: 'You have the present one.' },
      ...refusals(400, 401, 403, 404, 406, 429),
    },
  },
  {
    method: 'put',
    path: PATH,
    tag: 'Samples',
    summary: 'Update the sample that has a key of yours, or register one with it',
    scope: 'submit',
    description:
      'The sample with this key is overwritten as by `PUT /samples/{accession}`; where none has it, one is registered with it, never two. A body with an `accession` gives that sample the key.',
    parameters: [
      ...PLACE,
      header(
        'If-Match',
        'Only while the sample has one of these entity tags (412 otherwise); `*`: only while there is one.',
      ),
      header('If-None-Match', '`*`: only while no sample has the key (412 otherwise).'),
    ],
    body: sampleBody,
    responses: {
      200: {
        description: 'The sample was updated, or was so already.',
        contents: json(SAMPLE),
        headers: { ETag: 'Fingerprint of the content.', 'Content-Location': 'Address of the sample.' },
      },
      201: {
        description: 'A sample was registered with the key.',
        contents: json(SAMPLE),
        headers: { ETag: 'Fingerprint of the content.', Location: 'Address of the sample.' },
      },
      ...refusals(400, 401, 403, 404, 406, 409, 412, 413, 415, 422, 429),
    },
  },
  {
    method: 'delete',
    path: PATH,
    tag: 'Samples',
    summary: 'Take a key away from its sample',
    scope: 'submit',
    description: 'The sample stays as it is; the key may be given to another one.',
    parameters: [...PLACE, header('If-Match', 'Only while the sample has one of these entity tags (412 otherwise).')],
    responses: {
      204: { description: 'No sample has the key any more.' },
      ...refusals(400, 401, 403, 404, 412, 429),
    },
  },
];
