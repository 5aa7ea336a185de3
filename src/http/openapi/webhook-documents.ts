/** Webhooks and their deliveries as zod schemas: strict, so that a member that nobody described is noticed by the tests. */
import { z } from 'zod';
import { DELIVERY_EVENTS, type DeliveryState, WEBHOOK_EVENTS } from '../../webhooks/webhook.js';
import { COUNT, links, TIME } from './document-parts.js';

const STATES = ['waiting', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];

const WEBHOOK_MEMBERS = {
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1),
  filters: z.array(z.string()).optional(),
  created: TIME,
  _links: links('self', 'deliveries'),
};

export const WEBHOOK = z
  .strictObject(WEBHOOK_MEMBERS)
  .describe('An address that is called when a submission has ended, or when samples change.');

export const WEBHOOK_MADE = z
  .strictObject({ ...WEBHOOK_MEMBERS, secret: z.string() })
  .describe('A new webhook; its secret, the key of the signatures, is shown only this once.');

export const WEBHOOK_LIST = z
  .strictObject({ _embedded: z.strictObject({ webhooks: z.array(WEBHOOK) }), _links: links('self') })
  .describe('The webhooks of the account.');

export const DELIVERY = z
  .strictObject({
    id: z.string(),
    event: z.enum(DELIVERY_EVENTS),
    submissionId: z.uuid().optional(),
    changes: COUNT.optional().describe('Of samples, when the delivery was made.'),
    state: z.enum(STATES),
    attempts: COUNT,
    created: TIME,
    nextAttempt: TIME.optional(),
    lastAttempt: TIME.optional(),
    lastStatus: z.int().optional(),
    lastError: z.string().optional(),
  })
  .describe('One event for one webhook, and how far it has come.');

export const DELIVERY_PAGE = z
  .strictObject({ _embedded: z.strictObject({ deliveries: z.array(DELIVERY) }), _links: links('self', 'next') })
  .describe('A page of deliveries, newest first.');
