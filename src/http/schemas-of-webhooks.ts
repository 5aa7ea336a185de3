import { z } from 'zod';
import { WEBHOOK_EVENTS } from '../webhooks/webhook.js';

/** What POST /webhooks takes. */
export const WEBHOOK_REQUEST = z.object({
  url: z.string('must be an address such as https://lims.example.org/hook.'),
  events: z.array(z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}.`)).optional(),
});
