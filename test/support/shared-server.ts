/** The service that suites of a run share when they look at nothing but what belongs to their own accounts. */
import { inject } from 'vitest';
import { RunningServer } from './server.js';

/**
 * For a suite that needs no settings of its own, stops nothing, and neither lists, counts nor searches what others have
 * registered. Calls without a token are those of an administrator who is the suite's alone.
 */
export class SharedServer extends RunningServer {
  private constructor(
    service: { url: string; pid: number },
    token: string,
    private readonly suite: string,
  ) {
    super(service.url, token, service.pid);
  }

  /** `suite`: a name that no other has. */
  static async of(suite: string): Promise<SharedServer> {
    const answer = await fetch(inject('sharedService'));
    if (!answer.ok) throw new Error(`The shared service did not start: ${await answer.text()}`);
    const service = (await answer.json()) as { url: string; adminToken: string; pid: number };
    const { url, adminToken, pid } = service;
    const token = await new RunningServer(url, adminToken, pid).token(suite, ['read', 'submit', 'admin']);
    return new SharedServer(service, token, suite);
  }

  /** Of an account that is the suite's alone, too: its name begins with the suite's. */
  override token(account: string, scopes?: string[]): Promise<string> {
    return super.token(`${this.suite}-${account}`, scopes);
  }
}
