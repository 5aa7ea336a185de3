/** Requests of a client: each may be lost on either way, and is made again where nobody is there. */
import { RegistryError } from '../../../src/registry/errors.js';
import type { Caller } from '../../../src/registry/permissions.js';
import type { Entry, History } from '../history.js';
import type { Services, Site } from '../processes.js';
import type { Life, World } from '../world.js';

/** How long a client waits for an answer that will not come. */
const PATIENCE_MS = 60_000;
/** How soon it tries again where nobody is there. */
const KNOCK_EVERY_MS = 300;

/** What one client asks, each with its place in the history. */
export class Conversation {
  #writes = 0;

  constructor(
    private readonly world: World,
    private readonly site: Site,
    readonly history: History,
    readonly life: Life,
    readonly caller: Caller,
  ) {}

  /** What the next write is known by. */
  newNote(): string {
    return `${this.life.name} write ${++this.#writes}`;
  }

  /** Of a sample whose name is in no sheet. */
  newName(end = ''): string {
    return `j${this.life.name.slice(-1)}_${this.#writes}${end}`;
  }

  begin(kind: string, more: Partial<Entry>): Entry {
    return this.history.begin({ client: this.life.name, kind, start: this.world.happened, ...more });
  }

  /** Undefined for every answer but a good one. */
  ask<T>(entry: Entry, work: (services: Services) => Promise<T>): Promise<T | undefined> {
    return request(this.world, this.site, this.life, entry, work);
  }
}

/** The way to the server, what happens there, and the way back. Undefined for every answer but a good one. */
function request<T>(
  world: World,
  site: Site,
  life: Life,
  entry: Entry,
  work: (services: Services) => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const settle = (outcome: 'done' | 'refused' | 'lost', value: T | undefined, code?: string): void => {
      if (entry.outcome !== 'waiting') return;
      late.cancelled = true;
      entry.outcome = outcome;
      entry.end = world.happened;
      if (code !== undefined) entry.code = code;
      resolve(value);
    };
    const late = world.after(PATIENCE_MS, life, `${entry.kind}: no answer`, () => settle('lost', undefined));
    const { server } = site;
    if (server === undefined) {
      late.cancelled = true;
      world.after(KNOCK_EVERY_MS, life, '', () => request(world, site, life, entry, work).then(resolve));
      return;
    }
    server.life.atEnd.push(() => world.after(5, life, `${entry.kind}: cut off`, () => settle('lost', undefined)));
    world.after(
      world.latency(),
      server.life,
      `← ${life.name} ${entry.kind} ${entry.accession ?? entry.of?.slice(0, 4) ?? ''}`,
      () => {
        work(server).then(
          (value) => world.after(world.latency(), life, `${entry.kind} done`, () => settle('done', value)),
          (error: unknown) => {
            const known =
              error instanceof RegistryError && error.code !== 'service.unavailable' && error.code !== 'storage.full';
            const code = error instanceof RegistryError ? error.code : (error as Error).message;
            world.after(world.latency(), life, `${entry.kind}: ${code}`, () =>
              settle(known ? 'refused' : 'lost', undefined, code),
            );
          },
        );
      },
    );
  });
}
