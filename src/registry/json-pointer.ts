/** JSON pointers (RFC 6901). */
export const pointerTo = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** One step of a pointer as the name that it means. */
export const stepName = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The value at a pointer, or undefined where there is none. */
export function pointedAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = stepName(step);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
