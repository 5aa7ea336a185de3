/** The page's types are made from the interface description; this says when they are not those of today. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInterface } from '../../src/http/openapi/openapi.js';
import { answersOnly, shapeOf } from '../../web/interface-shape.mjs';
import { ROOT } from '../support/output.js';

it('the types of the page are those of the interface', () => {
  const types = readFileSync(join(ROOT, 'web/src/api/interface.d.ts'), 'utf8');
  const made = /Shape ([\da-f]+)\./.exec(types)?.[1];
  const present = shapeOf(answersOnly(describeInterface({ url: 'http://localhost' })));
  expect(made, 'the interface has changed: run "node --import tsx web/make-types.mjs"').toBe(present);
});
