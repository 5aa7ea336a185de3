/** A result that is read while it is made: what was handed over in memory and what waits in files is read as one. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { GrowingFile, partPath } from '../../src/exports/growing-file.js';
import { PieceMemory } from '../../src/exports/piece-memory.js';
import { runs as times } from '../support/seeds.js';

const PIECE = 1024 * 1024;

/** Pieces by the part they are of; those from `inMemory` on are in its file. */
const partsArb = fc.array(
  fc.record({ pieces: fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), inMemory: fc.nat(4) }),
  { minLength: 1, maxLength: 4 },
);

it('is all its pieces in the order of the parts, in whatever order parts are made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'growing-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(partsArb, fc.infiniteStream(fc.nat(3)), async (parts, turns) => {
      const path = join(folder, `${++runs}`);
      const file = new GrowingFile(path, new PieceMemory());
      const read = (async () => {
        let text = '';
        for await (const piece of file.read()) text += piece.toString('latin1');
        return text;
      })();
      const left = parts.map(({ pieces, inMemory }, part) => ({ part, pieces: [...pieces], inMemory }));
      while (left.length > 0) {
        const at = (turns.next().value as number) % left.length;
        const of = left[at] as (typeof left)[number];
        const piece = of.pieces.shift();
        if (piece === undefined) {
          file.partEnded(of.part);
          left.splice(at, 1);
        } else if (of.inMemory-- > 0) {
          file.handed(of.part, Uint8Array.from(Buffer.from(piece, 'latin1')));
        } else {
          const target = partPath(path, of.part);
          appendFileSync(target, piece, 'latin1');
          file.grown(of.part, statSync(target).size);
        }
        if ((turns.next().value as number) === 0) await Promise.resolve();
      }
      file.end();
      const all = parts.map(({ pieces }) => pieces.join('')).join('');
      expect(await read).toBe(Buffer.from(all, 'latin1').toString('latin1'));
      expect(file.size).toBe(all.length);
    }),
    { numRuns: times(60) },
  );
});

it('takes up to 8 MiB in memory, whichever thread hands it over, and again what was read', () => {
  const memory = new PieceMemory();
  const ofAnother = new PieceMemory(memory.shared);
  for (let at = 0; at < 8; at++) expect((at % 2 ? memory : ofAnother).take(PIECE)).toBe(true);
  expect(memory.take(1)).toBe(false);
  expect(ofAnother.take(PIECE)).toBe(false);
  memory.giveBack(PIECE);
  expect(ofAnother.take(PIECE)).toBe(true);
});

it('gives room back with each piece that is read', async () => {
  const memory = new PieceMemory();
  const file = new GrowingFile('none', memory);
  while (memory.take(PIECE)) file.handed(0, new Uint8Array(PIECE));
  file.partEnded(0);
  file.end();
  for await (const piece of file.read()) expect(memory.take(piece.length)).toBe(true);
  expect(memory.take(1)).toBe(false);
});
