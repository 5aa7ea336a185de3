/** Parses a body with a zod schema; every fault at once, at its JSON pointer. */

import { z } from 'zod';
import { addMisspelt, Problems, phrase } from '../registry/body.js';
import { type ErrorCode, RegistryError } from '../registry/errors.js';
import { isObject } from '../registry/json-form.js';
import { KnownNames } from '../registry/near-names.js';

/** @throws RegistryError with `code` */
export function parse<T>(schema: z.ZodType<T>, body: unknown, code: ErrorCode = 'request.invalid'): T {
  const read = schema.safeParse(body, { error: phrase });
  const problems = new Problems();
  if (isObject(body) && schema instanceof z.ZodObject)
    addMisspelt(body, new KnownNames(Object.keys(schema.shape)), problems);
  for (const issue of read.error?.issues ?? []) problems.add(issue.path, issue.message);
  const all = problems.found;
  if (read.success && all.length === 0) return read.data;
  const first = all[0];
  throw new RegistryError(code, `${first?.dataPath || 'The body'}: ${first?.errors[0]}`, { errors: all });
}
