/** What the documents of all rooms are made of. */
import { z } from 'zod';

export const TIME = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .describe('ISO 8601, UTC, milliseconds.');
export const COUNT = z.int().min(0);
export const LINK = z.strictObject({ href: z.string(), templated: z.literal(true).optional() });
export const links = <Name extends string>(...names: Name[]) =>
  z.partialRecord(z.enum(names as [Name, ...Name[]]), LINK);
export const SELF = links('self');
