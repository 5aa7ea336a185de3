import type { ApiCaller, StatusDocument } from '../support/api-caller.js';

/**
 * Waits for the end of a submission whose workers are being killed. Killed too often at one place, it is FAILED for a
 * reason outside the file and goes on when asked to, as its problem says.
 */
export async function settledDespiteKills(api: ApiCaller, id: string): Promise<StatusDocument> {
  for (let asked = 0; asked < 20; asked++) {
    const status = await api.settled(id);
    if (status.submissionStatus !== 'FAILED' || status.problem?.code !== 'submission.attempts-used-up') return status;
    const answer = await api.call(`/submissions/${id}/retry`, { method: 'POST' });
    if (answer.status >= 300) throw new Error(`retry of ${id} answered ${answer.status}: ${answer.text}`);
  }
  throw new Error(`${id} does not come to its end`);
}
