/** One request of a client: it may be lost on either way, and is made again where nobody is there. */
import { RegistryError } from '../../src/registry/errors.js';
import type { Entry } from './history.js';
import type { Services, Site } from './processes.js';
import type { Life, World } from './world.js';

/** How long a client waits for an answer that will not come. */
const PATIENCE_MS = 60_000;
/** How soon it tries again where nobody is there. */
const KNOCK_EVERY_MS = 300;

/** The way to the server, what happens there, and the way back. Undefined for every answer but a good one. */
export function request<T>(
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
