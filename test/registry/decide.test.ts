import { describe, expect, it } from 'vitest';
import { encodeContent } from '../../src/registry/content-json.js';
import { type CurrentForm, contentOf, decideRow, type SampleForm } from '../../src/registry/decide.js';
import { emptyLayout, type SampleLayout } from '../../src/registry/packed-sample.js';
import { HOLD } from '../../src/registry/sample-batch.js';
import { curationLink } from '../many-machines/store-samples.js';

const sheet = (...names: string[]): SampleLayout => ({
  ...emptyLayout(),
  cells: names.length,
  characteristics: names.map((name, text) => ({ name, text })),
});

const WIDE = sheet('organism', 'tissue');
const form = (doc: string, changes: Partial<SampleForm> = {}): SampleForm => ({
  name: 's',
  release: 5,
  layout: WIDE,
  doc,
  ...changes,
});
const stored = (doc: string, changes: Partial<CurrentForm> = {}): CurrentForm => ({
  ...form(doc),
  account: 'ada',
  placeholder: false,
  version: 3,
  ...changes,
});
const NOW = 100;
const ADA = { account: 'ada', admin: false, merge: false, now: NOW };
const decide = (next: SampleForm, current: CurrentForm | undefined, writer = ADA) =>
  decideRow({ line: 7, accession: 'SAMR1', form: next }, current, writer);

describe('a row that names a sample', () => {
  it('is rejected when there is none, or when it is not the account’s, with the place, the value and the fix', () => {
    const unknown = decide(form('a\tb'), undefined);
    expect(unknown).toMatchObject({
      kind: 'rejected',
      issue: { line: 7, column: 'Sample Identifier', code: 'identifier.unknown', value: 'SAMR1', severity: 'error' },
    });
    const foreign = decide(form('a\tb'), stored('a\tb', { account: 'bo' }));
    expect(foreign).toMatchObject({ kind: 'rejected', issue: { code: 'identifier.not-yours' } });
    for (const { issue } of [unknown, foreign] as { issue: { message: string } }[]) {
      expect(issue.message).toMatch(/SAMR1.*leave the cell empty/);
    }
  });

  it('updates any sample for an administrator', () => {
    const admin = { ...ADA, account: 'root', admin: true };
    expect(decide(form('a\tc'), stored('a\tb', { account: 'bo' }), admin).kind).toBe('updated');
  });

  it.each([
    ['the same cells', form('a\tb')],
    ['the same content from columns in another order', form('b\ta', { layout: sheet('tissue', 'organism') })],
    ['a column more that is empty', form('a\tb\t', { layout: sheet('organism', 'tissue', 'age') })],
    [
      'the same content as a document',
      form('{"characteristics":{"tissue":[{"text":"b"}],"organism":[{"text":"a"}]}}', { layout: undefined }),
    ],
  ])('is unchanged with %s', (_, next) => {
    expect(decide(next, stored('a\tb'))).toEqual({ kind: 'unchanged' });
  });

  it.each([
    ['another cell', form('a\tc')],
    ['an emptied cell', form('a\t')],
    ['another name', form('a\tb', { name: 't' })],
    ['another release', form('a\tb', { release: 6 })],
    ['the same cells under other headers', form('a\tb', { layout: sheet('organism', 'organ') })],
  ])('updates with %s, as it is spelt in the sheet', (_, next) => {
    expect(decide(next, stored('a\tb'))).toEqual({ kind: 'updated', form: next });
  });

  it('updates a placeholder even with the same content', () => {
    expect(decide(form('a\tb'), stored('a\tb', { placeholder: true })).kind).toBe('updated');
  });

  it('merges when asked to: unchanged when it adds nothing, else a document of both', () => {
    const merge = { ...ADA, merge: true };
    expect(decide(form('a\t'), stored('a\tb'), merge)).toEqual({ kind: 'unchanged' });
    const merged = decide(form('c\t'), stored('a\tb'), merge);
    expect(merged.kind === 'updated' && contentOf(merged.form).characteristics).toEqual({
      organism: [{ text: 'c' }],
      tissue: [{ text: 'b' }],
    });
  });

  it('is rejected when the sample is at another version than the one it was meant for', () => {
    const row = { line: 7, accession: 'SAMR1', form: form('x\ty'), expected: 2 };
    expect(decideRow(row, stored('a\tb'), ADA)).toMatchObject({ issue: { code: 'row.changed-since' } });
    expect(decideRow({ ...row, expected: 3 }, stored('a\tb'), ADA).kind).toBe('updated');
  });

  const organism = (term: string) => ({ organism: [{ text: 'one', ontologyTerms: [term] }] });
  const item = (content: object, changes: Partial<CurrentForm> = {}) =>
    stored(JSON.stringify(content), { layout: undefined, ...changes });
  const HUMAN = item({ characteristics: organism('NCBITaxon:9606') });

  it('says no taxonomy identifier that only follows, from what it has itself or from what is stored', () => {
    expect(decide(item({ taxId: 9606, characteristics: organism('NCBITaxon:9606') }), HUMAN).kind).toBe('unchanged');
    const moved = decide(item({ taxId: 9606, characteristics: organism('NCBITaxon:10090') }), HUMAN);
    expect(moved.kind === 'updated' && contentOf(moved.form)).toMatchObject({
      characteristics: organism('NCBITaxon:10090'),
    });
    expect(moved.kind === 'updated' && contentOf(moved.form)).not.toHaveProperty('taxId');
    const own = decide(item({ taxId: 7, characteristics: organism('NCBITaxon:9606') }), HUMAN);
    expect(own.kind === 'updated' && contentOf(own.form).taxId).toBe(7);
    const kept = decide(
      item({ taxId: 9606, characteristics: {} }),
      item({ taxId: 9606, characteristics: organism('9606') }),
    );
    expect(kept.kind === 'updated' && contentOf(kept.form).taxId).toBe(9606);
  });

  it('is unchanged where it says what readers see through curations, if it may have been read', () => {
    const curationLinks = [curationLink('l', { attributesPost: [{ type: 'tissue', value: 'liver' }] })];
    const shown = item({ characteristics: { ...organism('NCBITaxon:9606'), tissue: [{ text: 'liver' }] } });
    expect(decide(shown, { ...HUMAN, curationLinks }).kind).toBe('unchanged');
    expect(decide(shown, HUMAN)).toEqual({ kind: 'updated', form: shown });
  });

  it('withdraws a sample and leaves its content', () => {
    const row = { line: 7, accession: 'SAMR1', form: form(''), hold: HOLD.kill };
    const decision = decideRow(row, stored('a\tb'), ADA);
    expect(decision).toMatchObject({ kind: 'updated', status: 'KILLED', form: { name: 's', release: 5 } });
    expect(decision.kind === 'updated' && encodeContent(contentOf(decision.form))).toBe(
      encodeContent(contentOf(stored('a\tb'))),
    );
  });

  it('withdraws what a standing sheet lacks and nothing that is withdrawn, and takes back that alone', () => {
    const row = { line: 7, accession: 'SAMR1', form: form('a\tb') };
    const missing = { ...row, hold: HOLD.missing };
    const standing = { ...ADA, standing: true };
    expect(decideRow(missing, stored('a\tb'), ADA)).toMatchObject({ kind: 'updated', status: 'MISSING' });
    for (const adminStatus of ['MISSING', 'WITHDRAWN', 'KILLED'] as const) {
      const held = { ...stored('a\tb'), adminStatus };
      expect(decideRow(missing, held, ADA)).toEqual({ kind: 'unchanged' });
      const back = decideRow(row, held, standing);
      if (adminStatus === 'MISSING') expect(back).toMatchObject({ kind: 'updated', status: null });
      else expect(back).toEqual({ kind: 'unchanged' });
      expect(decideRow(row, held, ADA)).toEqual({ kind: 'unchanged' });
    }
  });
});
