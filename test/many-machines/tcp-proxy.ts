/** A way to a server that a test can cut. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class TcpProxy {
  private readonly pairs = new Set<[Socket, Socket]>();
  private cut: 'open' | 'refused' | 'silent' = 'open';

  private constructor(
    private readonly server: Server,
    readonly port: number,
    /** Port of the server that it leads to from now on. */
    public target: number,
  ) {}

  static async open(target: number): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const proxy = new TcpProxy(server, port, target);
    server.on('connection', (client) => proxy.join(client));
    return proxy;
  }

  /** Breaks every connection and refuses new ones. */
  refuse(): void {
    this.cut = 'refused';
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  /** Keeps every connection and carries nothing, as a cable that was pulled. */
  silence(): void {
    this.cut = 'silent';
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  fix(): void {
    this.cut = 'open';
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.refuse();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    if (this.cut === 'refused') {
      client.destroy();
      return;
    }
    const onward = connect(this.target, '127.0.0.1');
    const pair: [Socket, Socket] = [client, onward];
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      client.destroy();
      onward.destroy();
    };
    for (const [from, to] of [pair, [onward, client]] as const) {
      from.on('data', (block) => {
        if (!to.write(block)) from.pause();
      });
      to.on('drain', () => {
        if (this.cut === 'open') from.resume();
      });
      from.on('error', end).on('close', end);
    }
    if (this.cut === 'silent') for (const socket of pair) socket.pause();
  }
}
