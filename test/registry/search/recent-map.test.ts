/** Results that are kept while they are asked for, and not kept where hardly any comes twice. */
import { describe, expect, it } from 'vitest';
import { ownText } from '../../../src/registry/own-text.js';
import { RecentMap, RecentRoom } from '../../../src/registry/search/recent-map.js';

/** Asks as its users do; answers how many were made. */
function ask(recent: RecentMap<string>, texts: Iterable<string>): number {
  let made = 0;
  for (const text of texts) {
    if (recent.get(text) !== undefined) continue;
    made++;
    if (recent.keeps(text)) recent.set(text, text);
  }
  return made;
}
const different = (count: number, what: string): string[] => Array.from({ length: count }, (_, at) => `${what} ${at}`);
const withRoom = (most: number): RecentMap<string> => new RecentMap(new RecentRoom(most));

describe('a map of what was asked for lately', () => {
  it('knows what was set or asked for since the turn before the last', () => {
    const recent = withRoom(10);
    ask(recent, ['a', 'b']);
    recent.turn();
    expect(recent.get('a')).toBe('a');
    recent.turn();
    expect([recent.get('a'), recent.get('b')]).toEqual(['a', undefined]);
    recent.turn();
    recent.turn();
    expect(recent.get('a')).toBeUndefined();
  });

  it('turns with all of its room when that is full, whatever is asked for again', () => {
    const room = new RecentRoom(100);
    const [one, other] = [new RecentMap<string>(room), new RecentMap<string>(room)];
    ask(other, different(60, 'other'));
    for (let more = 0; more < 400; more++) {
      // Each of before is asked for again before the next one comes.
      ask(one, different(Math.min(more, 90), 'again'));
      ask(one, [`new ${more}`]);
      expect(one.size + other.size).toBeLessThanOrEqual(200);
    }
    expect([other.size, one.get('again 0')]).toEqual([0, 'again 0']);
  });

  it('keeps no long text', () => {
    const recent = withRoom(10);
    expect(ask(recent, ['x'.repeat(100), 'y'.repeat(101), 'x'.repeat(100), 'y'.repeat(101)])).toBe(3);
  });

  it('keeps nothing for a while where hardly any text comes twice, then tries again', () => {
    const recent = withRoom(10_000);
    ask(recent, different(511, 'first'));
    expect(recent.size).toBe(511);
    ask(recent, different(15_000, 'second'));
    expect([recent.size, recent.get('first 0')]).toEqual([511, undefined]);
    ask(recent, different(1_000, 'third'));
    expect(recent.size).toBeGreaterThan(1_000);
  });

  it('goes on keeping where a quarter comes twice', () => {
    const recent = withRoom(10_000);
    for (let round = 0; round < 10; round++) {
      const texts = different(300, `round ${round}`);
      expect(ask(recent, [...texts, ...texts.slice(0, 150)]), String(round)).toBe(300);
    }
  });
});

it.each(['', 'plain', '12 µm °C', 'Šárka', '中文', '😀 leaf', 'half \ud800 of one'])(
  '%j is the same text of its own',
  (text) => {
    expect(ownText(`before ${text} behind`.slice(7, 7 + text.length))).toBe(text);
  },
);
