/**
 * Real services that scripts/test.mjs starts for a run. Without one, the suites that need it are skipped, except in
 * CI, where its absence is a failure.
 */
const VARIABLES = {
  redis: 'TEST_REDIS_URL',
  postgres: 'TEST_POSTGRES_URL',
  chromium: 'TEST_CHROMIUM',
} as const;

export type Service = keyof typeof VARIABLES;

/** Use as `describe.skipIf(without('redis'))(…)`. */
export function without(service: Service): boolean {
  const variable = VARIABLES[service];
  if (process.env[variable]) return false;
  const message = `${service} is missing: ${variable} is not set (npm test starts it and sets it).`;
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`skipped: ${message}`);
  return true;
}

/** URL of the service, for chromium the path of the program; throws when there is none. */
export function service(name: Service): string {
  const value = process.env[VARIABLES[name]];
  if (!value) throw new Error(`${VARIABLES[name]} is not set.`);
  return value;
}
