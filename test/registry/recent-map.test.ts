/** Results that are kept while they are asked for, and not kept where hardly any comes twice. */
import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../src/registry/recent-map.js';

const filled = (texts: readonly string[]): RecentMap<string> => {
  const recent = new RecentMap<string>();
  for (const text of texts) recent.set(text, text);
  return recent;
};

/** Asks as its users do; answers how many were kept. */
function ask(recent: RecentMap<string>, texts: Iterable<string>): number {
  let kept = 0;
  for (const text of texts) if (recent.get(text) === undefined && recent.set(text, text)) kept++;
  return kept;
}
const different = (count: number, what: string): string[] => Array.from({ length: count }, (_, at) => `${what} ${at}`);

describe('a map of what was asked for lately', () => {
  it('knows what was set or asked for since the turn before the last', () => {
    const recent = filled(['a', 'b']);
    recent.turn();
    expect(recent.get('a')).toBe('a');
    recent.turn();
    expect([recent.get('a'), recent.get('b')]).toEqual(['a', undefined]);
    recent.turn();
    recent.turn();
    expect(recent.get('a')).toBeUndefined();
  });

  it('keeps no long text', () => {
    expect(new RecentMap<number>().set('x'.repeat(100), 1)).toBe(true);
    expect(new RecentMap<number>().set('x'.repeat(101), 1)).toBe(false);
  });

  it('keeps nothing for a while where hardly any text comes twice, then tries again', () => {
    const recent = new RecentMap<string>();
    expect(ask(recent, different(511, 'first'))).toBe(511);
    expect(ask(recent, different(15_000, 'second'))).toBe(0);
    expect(recent.get('first 0')).toBeUndefined();
    expect(ask(recent, different(1_000, 'third'))).toBeGreaterThan(500);
  });

  it('goes on keeping where a quarter comes twice', () => {
    const recent = new RecentMap<string>();
    for (let round = 0; round < 10; round++) {
      const texts = different(300, `round ${round}`);
      expect(ask(recent, [...texts, ...texts.slice(0, 150)]), String(round)).toBe(300);
    }
  });
});
