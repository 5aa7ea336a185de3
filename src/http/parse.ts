/** Parses a body with a zod schema; every fault at once, at its JSON pointer. */

import type { z } from 'zod';
import { phrase } from '../registry/body.js';
import { type ErrorCode, type MemberProblem, RegistryError } from '../registry/errors.js';
import { pointerTo } from '../registry/json-pointer.js';

/** @throws RegistryError with `code` */
export function parse<T>(schema: z.ZodType<T>, body: unknown, code: ErrorCode = 'request.invalid'): T {
  const read = schema.safeParse(body, { error: phrase });
  if (read.success) return read.data;
  const errors = new Map<string, string[]>();
  for (const issue of read.error.issues) {
    const pointer = pointerTo(issue.path);
    errors.set(pointer, [...(errors.get(pointer) ?? []), issue.message]);
  }
  const all: MemberProblem[] = [...errors].map(([dataPath, messages]) => ({ dataPath, errors: messages }));
  const first = all[0];
  throw new RegistryError(code, `${first?.dataPath || 'The body'}: ${first?.errors[0]}`, { errors: all });
}
