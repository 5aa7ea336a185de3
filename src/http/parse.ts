/** Parses a body with a zod schema; every fault at once, at its JSON pointer. */

import type { z } from 'zod';
import { Problems, phrase } from '../registry/body.js';
import { type ErrorCode, RegistryError } from '../registry/errors.js';

/** @throws RegistryError with `code` */
export function parse<T>(schema: z.ZodType<T>, body: unknown, code: ErrorCode = 'request.invalid'): T {
  const read = schema.safeParse(body, { error: phrase });
  if (read.success) return read.data;
  const problems = new Problems();
  for (const issue of read.error.issues) problems.add(issue.path, issue.message);
  const all = problems.found;
  const first = all[0];
  throw new RegistryError(code, `${first?.dataPath || 'The body'}: ${first?.errors[0]}`, { errors: all });
}
