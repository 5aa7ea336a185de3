/** A receiver of webhooks: a real HTTP server that checks each signature with the library of the specification. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface Received {
  id: string;
  path: string;
  payload: {
    id: string;
    type: string;
    /** Of a submission, or of changes. */
    data: {
      submissionId: string;
      submissionStatus: string;
      changes: { cursor: string; type: string; accession: string; public?: boolean }[];
      cursor: string;
    };
  };
}

export class Receiver {
  readonly received: Received[] = [];
  readonly refused: string[] = [];
  secret = '';
  /** What it answers to a call whose signature is right. */
  answer: { status: number; headers?: Record<string, string> } = { status: 204 };
  private server: Server | undefined;
  port = 0;

  async open(): Promise<void> {
    this.server = createServer(async (request, response) => {
      const body = await text(request);
      try {
        const payload = new Webhook(this.secret).verify(body, request.headers as Record<string, string>);
        this.received.push({
          id: String(request.headers['webhook-id']),
          path: request.url ?? '',
          payload: payload as Received['payload'],
        });
        response.writeHead(this.answer.status, this.answer.headers);
      } catch (error) {
        this.refused.push(String(error));
        response.writeHead(401);
      }
      response.end();
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    const { server } = this;
    if (!server) return Promise.resolve();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }
}
