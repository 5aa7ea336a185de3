/** Test files whose first comment says that all of them is slow (docs/decisions/0172). To leave them out by their tag, they would be loaded first. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths from `root`. */
export const slowFiles = (root) =>
  readdirSync(join(root, 'test'), { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path))
    .filter((path) => firstComment(readFileSync(join(root, path), 'utf8')).includes('@module-tag slow'));

const firstComment = (text) => (text.startsWith('/**') ? text.slice(0, text.indexOf('*/')) : '');
