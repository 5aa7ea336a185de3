import { expect } from 'vitest';
import type { ApiCaller, StatusDocument } from '../support/api-caller.js';

/** Waits for the end of a submission whose workers are being killed: longer than the longest wait before a next try. */
export const settledDespiteKills = (api: ApiCaller, id: string): Promise<StatusDocument> =>
  api.settled(id, undefined, 240_000);

/** Resolves when a worker holds one of the submissions, or all of them have ended. */
export async function untilOneWorks(api: ApiCaller, ids: readonly string[]): Promise<void> {
  const worked = async () => {
    const all = await Promise.all(ids.map((id) => api.status(id)));
    return all.some(({ worker }) => worker) || all.every(({ submissionStatus }) => submissionStatus !== 'ACTIVE');
  };
  await expect.poll(worked, { timeout: 240_000, interval: 20 }).toBe(true);
}
