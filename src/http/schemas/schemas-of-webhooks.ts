import { z } from 'zod';
import { WEBHOOK_EVENTS } from '../../webhooks/webhook.js';

/** What POST /webhooks takes. */
export const WEBHOOK_REQUEST = z.object({
  url: z.string('must be an address such as https://lims.example.org/hook.'),
  events: z.array(z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}.`)).optional(),
  filters: z
    .array(z.string('must be a filter such as attr:organism:Homo sapiens.').max(1000).min(1))
    .max(20)
    .optional()
    .describe('Of samples, as the list takes them; they choose among changes.'),
});
