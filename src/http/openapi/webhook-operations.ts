/** Webhooks in the interface description (docs/webhooks.md tells what a receiver gets). */
import { WEBHOOK_REQUEST } from '../schemas/schemas-of-webhooks.js';
import { type Operation, path, plainJson, query, refusals } from './operation.js';
import * as documents from './webhook-documents.js';

const ID = path('id', 'Id of the webhook.');
const TAG = 'Webhooks';

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/webhooks',
    tag: TAG,
    summary: 'List your webhooks',
    scope: 'submit',
    responses: {
      200: { description: 'Without their secrets.', contents: plainJson(documents.WEBHOOK_LIST) },
      ...refusals(401, 403, 429),
    },
  },
  {
    method: 'post',
    path: '/webhooks',
    tag: TAG,
    summary: 'Be notified when a submission has ended, or when samples change',
    description:
      'Without `events` you hear of the ends of your submissions. Events `sample.…` are those of `GET /changes`: you hear of what you may read there, public samples and your own, from now on, up to 1 000 changes in a delivery (`samples.changed`), in order. `filters` choose among the samples as they are then; that a sample cannot be read any more (`withdrawn`) you hear in any case.',
    scope: 'submit',
    body: { description: 'Where to, and of what.', contents: plainJson(WEBHOOK_REQUEST) },
    responses: {
      201: {
        description: 'The webhook with its secret.',
        contents: plainJson(documents.WEBHOOK_MADE),
        headers: { Location: 'Address of the webhook.' },
      },
      ...refusals(400, 401, 403, 409, 413, 415, 429),
    },
  },
  {
    method: 'get',
    path: '/webhooks/{id}',
    tag: TAG,
    summary: 'Read a webhook',
    scope: 'submit',
    parameters: [ID],
    responses: {
      200: { description: 'Without its secret.', contents: plainJson(documents.WEBHOOK) },
      ...refusals(401, 403, 404, 429),
    },
  },
  {
    method: 'delete',
    path: '/webhooks/{id}',
    tag: TAG,
    summary: 'Remove a webhook',
    scope: 'submit',
    parameters: [ID],
    responses: { 204: { description: 'Removed; nothing more is sent.' }, ...refusals(401, 403, 404, 429) },
  },
  {
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    tag: TAG,
    summary: 'Read what was sent to a webhook',
    scope: 'submit',
    parameters: [
      ID,
      query('size', 'Entries on a page.', { type: 'integer', minimum: 1, maximum: 200, default: 20 }),
      query('cursor', 'From the link `next` of the page before.'),
    ],
    responses: {
      200: { description: 'Newest first.', contents: plainJson(documents.DELIVERY_PAGE) },
      ...refusals(400, 401, 403, 404, 429),
    },
  },
  {
    method: 'post',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    tag: TAG,
    summary: 'Send a delivery again',
    scope: 'submit',
    parameters: [ID, path('delivery', 'Id of the delivery.')],
    responses: {
      202: { description: 'It waits, with a fresh day to succeed.', contents: plainJson(documents.DELIVERY) },
      ...refusals(401, 403, 404, 429),
    },
  },
];
