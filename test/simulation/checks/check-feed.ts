/** The feed of changes: whoever follows it page by page misses nothing, and what was answered is in it. */
import { formatAccession } from '../../../src/registry/accession.js';
import { isBehind } from '../../../src/registry/changes/change-cursor.js';
import { type ChangeDocument, SampleFeed } from '../../../src/registry/changes/sample-feed.js';
import type { History } from '../history.js';
import { PREFIX } from '../processes.js';
import type { Seen } from '../watcher.js';

/** A change as it is compared. */
export const said = ({ cursor, type, accession }: Record<'cursor' | 'type' | 'accession', string>): string =>
  `${cursor} ${type} ${accession}`;

/** All that the account hears of, page by page; `from`: a place of the feed. */
export async function changesAfter(feed: SampleFeed, account: string, from?: string): Promise<ChangeDocument[]> {
  const all: ChangeDocument[] = [];
  for (let after = from; ; ) {
    const page = await feed.page({ after, size: 1000, records: false }, { account, admin: false, scopes: ['read'] });
    all.push(...page.changes);
    after = page.cursor;
    if (!page.more) return all;
  }
}

export async function checkFeed({ store, now }: Seen, { followers, entries }: History): Promise<string[]> {
  const faults: string[] = [];
  const feed = new SampleFeed(store, { prefix: PREFIX, now });
  const records = await store.sampleRecords(await store.sampleIds(0, 10_000));
  for (const [client, { account, cursor, changes }] of followers) {
    const own = new Set(
      records.flatMap(({ sample }) => (sample.account === account ? [formatAccession(PREFIX, sample.id)] : [])),
    );
    const all = await changesAfter(feed, account);
    const ofOwn = (list: readonly ChangeDocument[]): string[] =>
      list.filter(({ accession }) => own.has(accession)).map(said);
    const expected = ofOwn(all.filter((change) => !isBehind(change.cursor, cursor)));
    const found = ofOwn(changes);
    if (found.join() !== expected.join())
      faults.push(`${client} followed ${found.length} changes, and up to there are ${expected.length}.`);
    for (const { sample } of records) {
      const accession = formatAccession(PREFIX, sample.id);
      const logged = all.filter((change) => change.accession === accession).length;
      if (sample.account === account && logged < sample.version)
        faults.push(`${accession} has ${sample.version} versions, and ${logged} changes.`);
    }
  }
  for (const follow of entries.filter(({ kind, outcome }) => kind === 'follow' && outcome === 'done')) {
    const before = entries.filter(
      ({ outcome, end, asked, client }) =>
        outcome === 'done' && end < follow.start && asked !== undefined && client === follow.client,
    );
    const missed = before.find(({ accession }) => accession !== undefined && !follow.found?.includes(accession));
    if (missed)
      faults.push(
        `${follow.client} followed the changes, and ${missed.accession} of its ${missed.kind} is not among them.`,
      );
  }
  return faults;
}
