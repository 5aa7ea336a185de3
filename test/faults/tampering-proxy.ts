/** A way to a service on which requests and answers are changed: what its clients see is what a broken service would show. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Passing {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Passed {
  status: number;
  headers: Headers;
  body: Buffer;
}

type Tamper = (request: Passing, pass: (request: Passing) => Promise<Passed>) => Promise<Passed>;

/** Of one hop, or reckoned anew for a body that is passed on whole. */
const NOT_PASSED_ON = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'content-encoding'];

export class TamperingProxy {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** `tamper` answers each request, and passes on what it likes. */
  static async open(to: string, tamper: Tamper): Promise<TamperingProxy> {
    const pass = async ({ method, path, headers, body }: Passing): Promise<Passed> => {
      const passedOn = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.includes(name)) as [string, string][];
      const answer = await fetch(to + path, {
        method,
        headers: { ...Object.fromEntries(passedOn), 'accept-encoding': 'identity' },
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
    };
    const server = createServer(async (request, response) => {
      const { method = 'GET', url = '/', headers } = request;
      const {
        status,
        headers: answered,
        body,
      } = await tamper({ method, path: url, headers, body: await buffer(request) }, pass);
      for (const [name, value] of answered) if (!NOT_PASSED_ON.includes(name)) response.setHeader(name, value);
      response.writeHead(status).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TamperingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
