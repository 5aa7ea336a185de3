import { ApiProblem } from './request.js';

/** Nothing was done: somebody has changed it since it was shown, and who decides has not seen it as it is. */
export class ChangedSince extends Error {
  /** `what`: at the beginning of a sentence or within one. */
  constructor(what: string) {
    super(
      `Somebody has changed ${what} since it was shown here. It is shown as it is now: look at it, and do it again if you still want to.`,
    );
    this.name = 'ChangedSince';
  }

  /** For a request that names the version it is meant for. */
  static insteadOf412 =
    (what: string) =>
    (error: unknown): never => {
      throw error instanceof ApiProblem && error.status === 412 ? new ChangedSince(what) : error;
    };
}
