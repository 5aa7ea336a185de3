/**
 * Changes of samples for webhooks. Each webhook has a place in the log of changes; a step reads on from there, and in one
 * transaction adds a delivery and moves the place. A delivery says between which places its changes stand; they are read
 * from the log when they are sent, as far as the account may hear of them then. A webhook has one such delivery at a
 * time, so that its changes come in order, and however long its receiver is away, nothing piles up and nothing is missed.
 */
import { randomUUID } from 'node:crypto';
import { isBehind } from '../registry/changes/change-cursor.js';
import type { ChangeDocument, SampleFeed } from '../registry/changes/sample-feed.js';
import { RegistryError } from '../registry/errors.js';
import type { Caller } from '../registry/permissions.js';
import type { SampleSearch } from '../registry/search/sample-search.js';
import { sampleEvent, type Webhook } from './webhook.js';
import type { WebhookStore } from './webhook-store.js';

/** Changes of one delivery. */
const CHANGES_AT_ONCE = 1_000;
/** Webhooks that one round looks for changes of. */
const WEBHOOKS_AT_ONCE = 32;
const LOOK_EVERY_MS = 1_000;

export interface ChangeSource {
  feed: Pick<SampleFeed, 'page'>;
  search: Pick<SampleSearch, 'matching'>;
}

export interface FollowDependencies extends ChangeSource {
  store: Pick<WebhookStore, 'followers' | 'addChanges'>;
  now: () => number;
}

/** The place behind all that has happened so far. */
export const latestPlace = async (feed: Pick<SampleFeed, 'page'>): Promise<string> =>
  (await feed.page({ after: 'latest', size: 1, records: false }, undefined)).cursor;

type Follower = Pick<Webhook, 'account' | 'events' | 'filters'>;

/** Adds the deliveries that are due; resolves to whether there may be more at once. `onError`: what fails for one webhook does not hold up the others. */
export async function followChanges(deps: FollowDependencies, onError: (error: unknown) => void): Promise<boolean> {
  const latest = await latestPlace(deps.feed);
  let more = false;
  for (const follower of await deps.store.followers(latest, WEBHOOKS_AT_ONCE)) {
    try {
      more = (await follow(deps, follower, latest)) || more;
    } catch (error) {
      // An index that is behind catches up by itself.
      if (!(error instanceof RegistryError && error.code === 'service.unavailable')) onError(error);
      await deps.store.addChanges(follower.id, { from: follower.cursor, to: follower.cursor, at: deps.now() });
    }
  }
  return more;
}

async function follow(
  deps: FollowDependencies,
  { id, cursor: from, ...follower }: Webhook & { cursor: string },
  latest: string,
): Promise<boolean> {
  const at = deps.now();
  const page = await pageAfter(deps, follower, from).catch((error: unknown) => {
    // The registry was set back behind this place.
    if (error instanceof RegistryError && error.code === 'changes.gone')
      return { changes: [], cursor: latest, more: false };
    throw error;
  });
  const to = page.cursor;
  const delivery = page.changes.length === 0 ? {} : { delivery: { id: randomUUID(), changes: page.changes.length } };
  await deps.store.addChanges(id, { from, to, at, ...delivery });
  return page.more && page.changes.length === 0;
}

/** What a webhook hears of between two places of the log, as things are now. @throws RegistryError service.unavailable */
export async function changesBetween(
  source: ChangeSource,
  follower: Follower,
  { from, to }: { from: string; to: string },
): Promise<ChangeDocument[]> {
  const changes: ChangeDocument[] = [];
  for (let after = from; ; ) {
    const page = await pageAfter(source, follower, after);
    changes.push(...page.changes.filter(({ cursor }) => !isBehind(cursor, to)));
    if (!isBehind(to, page.cursor) || page.cursor === after) return changes;
    after = page.cursor;
  }
}

/** A page of the log, as its account would be shown it by `GET /changes`, without what the webhook does not ask for. */
async function pageAfter({ feed, search }: ChangeSource, { account, events, filters = [] }: Follower, after: string) {
  const caller: Caller = { account, admin: false, scopes: ['read'] };
  const page = await feed.page({ after, size: CHANGES_AT_ONCE, records: false }, caller);
  const asked = page.changes.filter(({ type }) => events.includes(sampleEvent(type)));
  if (filters.length === 0 || asked.length === 0) return { ...page, changes: asked };
  const accessions = [...new Set(asked.flatMap((change) => (change.public === undefined ? [] : [change.accession])))];
  const matching = await search.matching(accessions, filters, caller);
  // What is withdrawn cannot be compared any more: whoever heard of the sample has to hear of that.
  return { ...page, changes: asked.filter((change) => change.public === undefined || matching.has(change.accession)) };
}

/** Goes on until stopped; `nudge` makes it look at once. */
export function startFollowing(
  deps: FollowDependencies,
  onError: (error: unknown) => void,
): { nudge(): void; stop(): Promise<void> } {
  let stopped = false;
  let goOn = (): void => undefined;
  let nudged = false;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const time = setTimeout(resolve, LOOK_EVERY_MS);
      goOn = () => {
        clearTimeout(time);
        resolve();
      };
    });
  const done = (async () => {
    while (!stopped) {
      nudged = false;
      const more = await followChanges(deps, onError).catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!more && !nudged && !stopped) await pause();
    }
  })();
  const nudge = (): void => {
    nudged = true;
    goOn();
  };
  return {
    nudge,
    stop: () => {
      stopped = true;
      goOn();
      return done;
    },
  };
}
