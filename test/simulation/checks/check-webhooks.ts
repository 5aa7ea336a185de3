/** Webhooks: whoever has one hears of every end and every change that it asked for, of changes once and in their order. */

import { formatAccession } from '../../../src/registry/accession.js';
import { isBehind } from '../../../src/registry/changes/change-cursor.js';
import { type ChangeDocument, SampleFeed } from '../../../src/registry/changes/sample-feed.js';
import type { Submission } from '../../../src/submissions/submission.js';
import { sampleEvent } from '../../../src/webhooks/webhook.js';
import { type Entry, type History, textsBySum } from '../history.js';
import { PREFIX } from '../processes.js';
import type { Received } from '../receivers.js';
import type { Seen } from '../watcher.js';
import { changesAfter, said } from './check-feed.js';

type Subscription = Entry & Required<Pick<Entry, 'webhook' | 'account'>>;

export async function checkWebhooks(
  { store, now }: Seen,
  submissions: readonly Submission[],
  history: History,
  taken: readonly Received[],
): Promise<string[]> {
  const subscriptions = history.entries.filter((entry): entry is Subscription => entry.webhook !== undefined);
  if (subscriptions.length === 0) return [];
  const records = await store.sampleRecords(await store.sampleIds(0, 10_000));
  const feed = new SampleFeed(store, { prefix: PREFIX, now });
  const faults: string[] = [];
  for (const subscription of subscriptions) {
    const { account, webhook } = subscription;
    const came = taken.filter(({ address }) => address === webhook.address);
    faults.push(...checkEnds(subscription, came, submissions, history));
    // What others let be read, or keep to themselves again, changes while it is on its way.
    const own = new Set(
      records.flatMap(({ sample }) =>
        sample.account === account && (sample.content.characteristics.note?.length ?? 0) > 0
          ? [formatAccession(PREFIX, sample.id)]
          : [],
      ),
    );
    const logged = webhook.cursor === undefined ? [] : await changesAfter(feed, account, webhook.cursor);
    const expected = logged.filter(
      ({ type, accession }) => own.has(accession) && webhook.events.includes(sampleEvent(type)),
    );
    faults.push(...checkChanges(subscription, came, expected, own));
  }
  for (const { kind, outcome, delivery, start } of history.entries) {
    if (kind !== 'redeliver' || outcome !== 'done' || delivery === undefined) continue;
    if (!taken.some(({ id, at }) => id === delivery && at >= start))
      faults.push('A message was asked for again, and did not come.');
  }
  return faults;
}

/** Of every submission that was sent after the webhook was there. */
function checkEnds(
  { account, webhook, end }: Subscription,
  came: readonly Received[],
  submissions: readonly Submission[],
  history: History,
): string[] {
  const texts = textsBySum(history);
  const begunBy = ({ options, sha256 }: Submission, entry: Entry): boolean => {
    // A plan that carries itself out is asked for with its file.
    const of = options.undoOf ?? (options.commitOf?.automatic ? undefined : options.commitOf?.submissionId);
    return of === undefined ? entry.text === texts.get(sha256) : entry.of === of;
  };
  return submissions.flatMap((one) => {
    if (one.account !== account || history.entries.some((entry) => begunBy(one, entry) && entry.start < end)) return [];
    const type = `submission.${one.state === 'FAILED' ? 'failed' : one.state === 'CANCELLED' ? 'cancelled' : 'completed'}`;
    if (!webhook.events.includes(type)) return [];
    if (came.some((message) => message.type === type && message.data.submissionId === one.id)) return [];
    return [`${webhook.address} has not heard that ${one.id} is ${one.state}.`];
  });
}

function checkChanges(
  { webhook }: Subscription,
  came: readonly Received[],
  expected: readonly ChangeDocument[],
  own: ReadonlySet<string>,
): string[] {
  const once = new Map<string, NonNullable<Received['data']['changes']>>();
  for (const { id, data } of came) if (data.changes && !once.has(id)) once.set(id, data.changes);
  const found = [...once.values()].flat().filter(({ accession }) => own.has(accession));
  const faults: string[] = [];
  for (const [at, { cursor }] of found.entries()) {
    const before = found[at - 1];
    if (before && !isBehind(cursor, before.cursor))
      faults.push(`${webhook.address} heard of the change ${cursor} behind ${before.cursor}.`);
  }
  const [heard, logged] = [found.map(said), expected.map(said)];
  if (heard.join() !== logged.join()) {
    const missing = logged.filter((one) => !heard.includes(one));
    const more = heard.filter((one) => !logged.includes(one));
    faults.push(
      `${webhook.address} heard of ${heard.length} changes of ${logged.length}; not of ${missing}; beyond them of ${more}.`,
    );
  }
  return faults;
}
