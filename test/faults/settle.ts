import type { ApiCaller, StatusDocument } from '../support/api-caller.js';

/** Waits for the end of a submission whose workers are being killed: longer than the longest wait before a next try. */
export const settledDespiteKills = (api: ApiCaller, id: string): Promise<StatusDocument> =>
  api.settled(id, undefined, 240_000);
