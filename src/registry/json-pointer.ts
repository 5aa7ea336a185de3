/** JSON pointers (RFC 6901). */
export const pointerTo = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** One step of a pointer as the name that it means. */
export const stepName = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
