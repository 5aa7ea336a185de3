/** A DNS server of a few lines: answers each question for an A record with the next address of its list, and none of names with `silent`. */
import { createSocket, type Socket } from 'node:dgram';
import { promises, Resolver } from 'node:dns';
import { isIPv4, type LookupFunction } from 'node:net';

export class NameServer {
  readonly asked: string[] = [];
  private readonly socket: Socket = createSocket('udp4');

  constructor(private readonly answers: string[]) {
    this.socket.on('message', (query, peer) => {
      const end = query.indexOf(0, 12) + 5;
      const question = query.subarray(12, end);
      if (question.includes('silent')) return;
      const isA = question.readUInt16BE(question.length - 4) === 1;
      const address = this.answers[Math.min(this.asked.length, this.answers.length - 1)] as string;
      if (isA) this.asked.push(address);
      const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
      query.copy(header, 0, 0, 2);
      const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
      this.socket.send(Buffer.concat([header, question, ...(isA ? [record] : [])]), peer.port, peer.address);
    });
  }

  /** Resolves to its address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Of those who ask it, and wait so long. */
  async resolver(timeout: number): Promise<promises.Resolver> {
    const resolver = new promises.Resolver({ timeout, tries: 1 });
    resolver.setServers([await this.listen()]);
    return resolver;
  }

  async open(): Promise<LookupFunction> {
    const resolver = new Resolver();
    resolver.setServers([await this.listen()]);
    return (hostname, options, callback) => {
      if (isIPv4(hostname)) return callback(null, hostname, 4);
      resolver.resolve4(hostname, (error, addresses) => {
        if (error) return callback(error, '');
        if (options.all)
          return callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          );
        callback(null, addresses[0] as string, 4);
      });
    };
  }

  close(): void {
    this.socket.close();
  }
}
