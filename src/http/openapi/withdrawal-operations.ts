/** Withdrawing a sample and taking that back, in the interface description. */
import { header, json, type Operation, path, refusals } from './operation.js';
import { SAMPLE } from './sample-documents.js';

const about = (method: 'put' | 'delete', summary: string, description: string, after: string): Operation => ({
  method,
  path: '/samples/{accession}/withdrawal',
  tag: 'Samples',
  summary,
  scope: 'submit',
  description,
  parameters: [
    path('accession', 'Accession of the sample.'),
    header('If-Match', 'Entity tag of the version that may be written to.'),
  ],
  responses: {
    200: { description: after, contents: json(SAMPLE), headers: { ETag: 'Fingerprint of the content.' } },
    ...refusals(400, 401, 403, 404, 406, 409, 412, 429),
  },
});

export const WITHDRAWAL_OPERATIONS: readonly Operation[] = [
  about(
    'put',
    'Withdraw a sample',
    'For its owner and administrators. The sample is not public any more (status `WITHDRAWN`) and is found with `filter=status:withdrawn` by those who may read it; accession, content, history and keys stay. `status` in the body of `PUT /samples/{accession}` does the same. 409 under a status that an administrator set.',
    'The sample is withdrawn, or was so already.',
  ),
  about(
    'delete',
    'Take the withdrawal of a sample back',
    'Its release decides again about who may read it. 409 under a status that an administrator set.',
    'The sample is not withdrawn, or was not.',
  ),
];
