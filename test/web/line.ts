/** A real line between the browser and the service, which can be made to stop and can be cut. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const UPLOADS = ['POST /submissions?', 'PATCH /files/'];

export class Line {
  /** For whatever is uploaded next. `bytes`: nothing of it goes on; `answers`: all of it does, and no answer comes back. */
  stops: 'bytes' | 'answers' | undefined;
  /** Uploads that stand still since. */
  held = 0;
  /** Bytes that have gone to the service. */
  passed = 0;
  private readonly listener: Server;
  private readonly sockets = new Set<Socket>();
  private cut: { at: number; done: () => void } | undefined;
  private away = false;

  constructor(private target: string) {
    this.listener = createServer((client) => {
      if (this.away) return void client.destroy();
      this.join(client, connect(Number(new URL(this.target).port), '127.0.0.1'));
    });
  }

  private join(client: Socket, service: Socket): void {
    let answers = true;
    client.on('data', (block) => {
      if (this.stops !== undefined && UPLOADS.some((one) => block.includes(one))) {
        if (this.stops === 'bytes') {
          this.held += 1;
          return void client.pause();
        }
        answers = false;
      }
      this.passed += block.length;
      if (!service.write(block)) client.pause();
      if (this.cut && this.passed >= this.cut.at) this.cutNow();
    });
    service.on('drain', () => client.resume());
    service.on('data', (block) => answers && client.write(block));
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.sockets.add(one);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => other.destroy());
    }
  }

  private cutNow(): void {
    const { cut } = this;
    this.cut = undefined;
    this.away = true;
    for (const socket of this.sockets) socket.destroy();
    cut?.done();
  }

  /** Resolves once so many bytes have gone to the service: from then on every connection is refused. */
  cutAfter(bytes: number): Promise<void> {
    return new Promise((done) => {
      this.cut = { at: this.passed + bytes, done };
    });
  }

  /** It leads to the service again, or to another one. */
  back(target = this.target): void {
    this.target = target;
    this.away = false;
  }

  async open(): Promise<string> {
    await new Promise<void>((listening) => this.listener.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  close(): void {
    this.listener.close();
  }
}
