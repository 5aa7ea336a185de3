/** Whoever asks has a turn after each of the others. */
import { expect, it } from 'vitest';
import { Turns } from '../../src/limits/turns.js';

const rest = (turns: Turns<string>): string[] => {
  const taken: string[] = [];
  for (let next = turns.next(); next !== undefined; next = turns.next()) taken.push(next);
  return taken;
};

it('each asker has one after the other, in the order in which they came', () => {
  const turns = new Turns<string>({ ofOne: 9, inAll: 9 });
  for (const asked of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.add(asked.charAt(0), asked);
  expect([turns.next(), turns.next()]).toEqual(['a1', 'b1']);
  turns.add('d', 'd1');
  expect(rest(turns)).toEqual(['c1', 'a2', 'b2', 'd1', 'a3']);
  expect(turns.next()).toBeUndefined();
});

it('what waits of one, and in all, is bounded, and room that is left is there for others', () => {
  const turns = new Turns<string>({ ofOne: 2, inAll: 3 });
  const added = ['a1', 'a2', 'a3', 'b1', 'b2'].map((asked) => turns.add(asked.charAt(0), asked));
  expect(added).toEqual([undefined, undefined, 'of one', undefined, 'in all']);
  expect([turns.next(), turns.add('a', 'a4'), turns.add('c', 'c1')]).toEqual(['a1', undefined, 'in all']);
  expect(rest(turns)).toEqual(['b1', 'a2', 'a4']);
  expect(turns.add('c', 'c2')).toBeUndefined();
});
