/** Relationships to samples that are still to come: opened, listed, completed when a file brings the name, and undone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_OPEN_RELATIONSHIPS } from '../../src/submissions/open-relationship-store.js';
import {
  fillKnownTargets,
  meantBy,
  NAMES_AT_ONCE,
  requireRoomForOpen,
} from '../../src/submissions/processing/open-targets.js';
import type { Submission } from '../../src/submissions/submission.js';
import { Intake, sheetOf, textOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const RELATION = 'Comment[bsd_relationship:derived from]';
const sheet = (...rows: [name: string, target: string][]): string =>
  sheetOf(['Sample Name', 'Release Date', RELATION], ...rows.map(([name, target]) => [name, '2020-01-01', target]));
const later = { relationships: 'later' } as const;

interface Open {
  openRelationships: { line: number; accession: string; type: string; name: string }[];
}
const openOf = async (submission: Submission, most?: number): Promise<Open['openRelationships']> =>
  (JSON.parse(await textOf(intake.results.openRelationships(submission, most))) as Open).openRelationships;
const accessionsOf = async (submission: Submission): Promise<Map<string, string>> => {
  const { sampleNameAccessionPairs } = JSON.parse(await textOf(intake.results.mapping(submission))) as {
    sampleNameAccessionPairs: { sampleName: string; sampleAccession: string }[];
  };
  return new Map(sampleNameAccessionPairs.map((pair) => [pair.sampleName, pair.sampleAccession]));
};
const targetsOf = async (accession: string | undefined) =>
  (await intake.store.readSample(Number(accession?.slice(4))))?.sample.content.relationships.map(
    ({ target }) => target,
  );
const index = async (): Promise<void> => {
  while ((await intake.store.indexState()).lag > 0) await intake.store.indexNext(1_000);
};

describe('rows whose targets are still to come', () => {
  it('are registered, say so, and are completed by the file that brings the name', async () => {
    const sent = await intake.send(
      sheet(['child 1', 'mother'], ['child 2', 'mother'], ['child 3', 'child 1'], ['child 4', 'father']),
      later,
      { account: 'family' },
    );
    expect(sent.counts).toMatchObject({ created: 4, rejected: 0 });
    expect(sent.issues).toMatchObject([{ code: 'relationship.open', severity: 'warning', count: 3, lines: [2, 3, 5] }]);
    const children = await accessionsOf(sent);
    const open = await openOf(sent);
    expect(open).toEqual(
      [
        [2, 'child 1', 'mother'],
        [3, 'child 2', 'mother'],
        [5, 'child 4', 'father'],
      ].map(([line, child, name]) => ({ line, accession: children.get(child as string), type: 'derived from', name })),
    );
    expect(await openOf(sent, 1)).toEqual(open.slice(0, 1));
    const parents = await intake.send(sheet(['mother', '']), {}, { account: 'family' });
    expect(parents).toMatchObject({ state: 'COMPLETED', counts: { rows: 1, created: 1, updated: 0 } });
    const mother = (await accessionsOf(parents)).get('mother');
    expect(
      await Promise.all(['child 1', 'child 2', 'child 3', 'child 4'].map((name) => targetsOf(children.get(name)))),
    ).toEqual([[mother], [mother], [children.get('child 1')], []]);
    expect((await openOf(sent)).map(({ name }) => name)).toEqual(['father']);
    const undo = await intake.undo(parents);
    expect(undo.counts).toMatchObject({ rejected: 0 });
    expect(await targetsOf(children.get('child 1'))).toEqual([]);
    expect((await openOf(sent)).map(({ name }) => name)).toEqual(['mother', 'mother', 'father']);
  });

  it('are filled in at once where the name is known, and stay open where two samples have it', async () => {
    const account = 'known';
    const known = await intake.send(sheet(['tree', ''], ['double', '']), {}, { account });
    await intake.send(sheet(['double', '']), { duplicate: 'allow' }, { account });
    await index();
    const sent = await intake.send(sheet(['leaf', 'tree'], ['bud', 'double'], ['moss', 'rock']), later, { account });
    const ids = await accessionsOf(sent);
    expect(await targetsOf(ids.get('leaf'))).toEqual([(await accessionsOf(known)).get('tree')]);
    expect((await openOf(sent)).map(({ line, name }) => [line, name])).toEqual([
      [3, 'double'],
      [4, 'rock'],
    ]);
    const { warnings } = JSON.parse(await textOf(intake.results.errorsJson(sent))) as { warnings: object[] };
    const double = (await accessionsOf(known)).get('double');
    expect(warnings).toMatchObject([
      { line: 3, column: RELATION, value: 'double', message: expect.stringContaining(`such as ${double} and SAMR`) },
      { line: 4, column: RELATION, value: 'rock', message: expect.stringContaining('"rock" yet') },
    ]);
  });

  it('complete each other within one file that comes later, and in a file that has both', async () => {
    const account = 'chain';
    const first = await intake.send(sheet(['c', 'b']), later, { account });
    const second = await intake.send(sheet(['b', 'a']), later, { account });
    const third = await intake.send(sheet(['a', '']), later, { account });
    const [c, b, a] = [
      (await accessionsOf(first)).get('c'),
      (await accessionsOf(second)).get('b'),
      (await accessionsOf(third)).get('a'),
    ];
    expect([await targetsOf(c), await targetsOf(b)]).toEqual([[b], [a]]);
    expect([await openOf(first), await openOf(second)]).toEqual([[], []]);
  });

  it('are completed in batches, to the end by whoever goes on', async () => {
    const account = 'many';
    const names = Array.from({ length: 8 }, (_, at) => `kid ${at}`);
    const sent = await intake.send(sheet(...names.map((name): [string, string] => [name, 'root'])), later, { account });
    const { submission } = await intake.accept(sheet(['root', '']), {}, { account });
    expect(await intake.batchForBatch(submission.id)).toBeGreaterThan(3);
    const root = (await accessionsOf(submission)).get('root');
    for (const accession of (await accessionsOf(sent)).values()) expect(await targetsOf(accession)).toEqual([root]);
  });

  it('are refused without the option, and of nobody else completed', async () => {
    const refused = await intake.send(sheet(['lone', 'nobody']), {}, { account: 'alone' });
    expect(refused.counts).toMatchObject({ created: 0, rejected: 1 });
    const open = await intake.send(sheet(['lone', 'stranger']), later, { account: 'alone' });
    await intake.send(sheet(['stranger', '']), {}, { account: 'others' });
    expect(await openOf(open)).toHaveLength(1);
    const dry = await intake.send(sheet(['stranger', '']), { dryRun: true }, { account: 'alone' });
    expect([dry.counts.created, (await openOf(open)).length]).toEqual([1, 1]);
  });
});

describe('room for what is open', () => {
  const asked = (ofFile: number, present: number) => requireRoomForOpen(ofFile, async () => present);
  it('is for ten thousand of an account', async () => {
    await asked(MOST_OPEN_RELATIONSHIPS, 0);
    await asked(1, MOST_OPEN_RELATIONSHIPS - 1);
    await requireRoomForOpen(0, () => Promise.reject(new Error('nobody needs to count')));
    await expect(asked(1, MOST_OPEN_RELATIONSHIPS)).rejects.toMatchObject({
      code: 'file.too-many-open',
      message:
        '1 relationships of the file name samples that are still to come, 10000 of the account are open already, and 10000 may be. Upload the files that bring those names first, or name the targets by their accessions.',
    });
  });
});

describe('names that are looked up', () => {
  it('are asked for some at a time; what relationships were completed with goes before what the index says', async () => {
    const asked: number[] = [];
    const store = {
      findNamed: async (_: string, names: readonly string[]) => {
        asked.push(names.length);
        if (names.includes('n 300')) throw new Error('the index is being built');
        return new Map(names.filter((name) => name === 'n 1' || name === 'n 2').map((name) => [name, [7, 8]]));
      },
      completedNames: async (_: string, names: readonly string[]) =>
        new Map(names.filter((name) => name === 'n 2' || name === 'n 300').map((name) => [name, 9])),
    };
    const names = Array.from({ length: NAMES_AT_ONCE + 150 }, (_, at) => `n ${at}`);
    const meant = await meantBy(store, 'ada', names);
    expect(asked).toEqual([NAMES_AT_ONCE, 150]);
    expect([...meant]).toEqual([
      ['n 1', [7, 8]],
      ['n 2', [9]],
      ['n 300', [9]],
    ]);
  });

  it('are none for a batch without open relationships', async () => {
    const store = {
      findNamed: () => Promise.reject(new Error('asked')),
      completedNames: () => Promise.reject(new Error('asked')),
    };
    await fillKnownTargets(store, { count: 3 } as Parameters<typeof fillKnownTargets>[1], {
      account: 'a',
      prefix: 'SAMR',
    });
  });
});
