/**
 * The process that reads one workbook: its table goes to standard output, what it is and what is wrong with it to the
 * process that started it. Nothing outside depends on it ending well; it may be killed at any moment.
 */
import { once } from 'node:events';
import type { WantedSheet } from './choose-sheet.js';
import type { ChosenSheet } from './convert.js';
import { convertWorkbook } from './convert.js';
import { type Refusal, toRefusal } from './refusal.js';
import type { SheetNotes } from './sheet.js';

export type FromConverter =
  | ({ kind: 'chosen' } & ChosenSheet)
  | { kind: 'done'; notes: SheetNotes /** Of table text, all that was written. */; bytes: number }
  | { kind: 'refused'; refusal: Refusal };

const [path = '', wanted = '{}'] = process.argv.slice(2);

const say = (message: FromConverter): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, undefined, {}, () => resolve());
    else resolve();
  });

let bytes = 0;

async function write(piece: Buffer): Promise<void> {
  bytes += piece.length;
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

// Without the other side there is nobody to read for.
process.on('disconnect', () => process.exit(0));

try {
  const notes = await convertWorkbook(
    path,
    JSON.parse(wanted) as WantedSheet,
    (chosen) => void say({ kind: 'chosen', ...chosen }),
    write,
  );
  await say({ kind: 'done', notes, bytes });
} catch (error) {
  await say({ kind: 'refused', refusal: toRefusal(error) });
}
process.stdout.end(() => process.disconnect?.());
