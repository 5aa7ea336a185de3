import type { ApiCaller, StatusDocument } from '../support/api-caller.js';

/** Waits for the end of a submission whose workers are being killed; the longest wait before a next try is half a minute. */
export const settledDespiteKills = (api: ApiCaller, id: string): Promise<StatusDocument> => api.settled(id);
