/** What a user called a file, as a name in an archive that any system may unpack. */
import { expect, it } from 'vitest';
import { safeBase, safeName } from '../../src/submissions/results/archive-names.js';

it.each([
  ['plates.tsv', 'plates', 'plates.tsv'],
  ['plates of May.2.tsv', 'plates of May.2', 'plates of May.2.tsv'],
  ['../../etc/passwd', 'passwd', 'passwd'],
  ['C:\\Users\\ada\\plates.tsv', 'plates', 'plates.tsv'],
  ['folder.d/plates', 'plates', 'plates'],
  ['a<b>c:d"e|f?g*h.tsv', 'a_b_c_d_e_f_g_h', 'a_b_c_d_e_f_g_h.tsv'],
  ['a\u0000b\u2028c\u202ed.tsv', 'a_b_c_d', 'a_b_c_d.tsv'],
  ['.. hidden.tsv', 'hidden', 'hidden.tsv'],
  ['plates. . .tsv', 'plates', 'plates.tsv'],
  ['plates.extension', 'plates.extension', 'plates.extension'],
  ['plates.t*v', 'plates', 'plates.t_v'],
  ['plates.t v2', 'plates', 'plates.t_v2'],
  ['con.tsv', 'con_', 'con_.tsv'],
  ['LPT9.old.tsv', 'LPT9_.old', 'LPT9_.old.tsv'],
  ['com1', 'com1_', 'com1_'],
  ['com10.tsv', 'com10', 'com10.tsv'],
  ['falcon.tsv', 'falcon', 'falcon.tsv'],
  ['control.tsv', 'control', 'control.tsv'],
  ['.tsv', 'sheet', 'sheet.tsv'],
  ['...', 'sheet', 'sheet'],
  ['', 'sheet', 'sheet'],
])('%s', (fileName, base, name) => {
  expect([safeBase(fileName), safeName(fileName)]).toEqual([base, name]);
});

it.each([
  ['ä'.repeat(150), 'ä'.repeat(100)],
  [`a${'ä'.repeat(150)}`, `a${'ä'.repeat(99)}`],
  [`${'x'.repeat(199)} y`, 'x'.repeat(199)],
])('is cut to 200 bytes, between two characters: %s', (long, base) => {
  expect(safeBase(`${long}.tsv`)).toBe(base);
});
