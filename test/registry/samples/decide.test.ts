import { describe, expect, it } from 'vitest';
import { ROW_PLACES } from '../../../src/registry/row-places.js';
import { encodeContent } from '../../../src/registry/samples/content-json.js';
import {
  type CurrentForm,
  contentOf,
  decideRow,
  type NamingRow,
  type RowDecision,
  type RowWriter,
  type SampleForm,
} from '../../../src/registry/samples/decide.js';
import { emptyLayout, type SampleLayout } from '../../../src/registry/samples/packed-sample.js';
import { ERASED } from '../../../src/registry/samples/sample.js';
import { HOLD } from '../../../src/registry/samples/sample-batch.js';
import { curationLink } from '../../many-machines/store-samples.js';

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
const ROW = { line: 7, places: ROW_PLACES, accession: 'SAMR1' };
const decide = (next: SampleForm, current: CurrentForm | undefined, writer = ADA) =>
  decideRow({ ...ROW, form: next }, current, writer);

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

  it('is rejected where the sample was erased, whatever else is to be said of it, but to others that it is not theirs', () => {
    const erased = stored('', { adminStatus: ERASED });
    const root = { ...ADA, account: 'root', admin: true };
    const rows: Partial<NamingRow>[] = [{}, { expected: 2 }, { rewritten: true }, { expected: erased.version }];
    for (const hold of Object.values(HOLD)) rows.push({ hold });
    for (const row of rows) {
      for (const writer of [ADA, root, { ...ADA, standing: true }]) {
        const decision = decideRow({ ...ROW, ...row, form: form('') }, erased, writer);
        expect(decision).toMatchObject({ kind: 'rejected', issue: { code: 'sample.erased', value: 'SAMR1' } });
      }
      const foreign = decideRow({ ...ROW, ...row, form: form('') }, erased, { ...ADA, account: 'bo' });
      expect(foreign).toMatchObject({ kind: 'rejected', issue: { code: 'identifier.not-yours' } });
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

  it('is unchanged as it was stored, also where terms were joined otherwise then, and says them anew when it changes', () => {
    const terms = [{ source: 1, accession: 2 }];
    const before = {
      ...emptyLayout(),
      cells: 4,
      characteristics: [
        { name: 'a', text: 0, terms },
        { name: 'b', text: 3 },
      ],
    };
    const [a, b] = before.characteristics as [SampleLayout['characteristics'][0], SampleLayout['characteristics'][0]];
    const layout = { ...before, characteristics: [{ ...a, prefixes: true as const }, b] };
    const doc = 'x\tEFO\tEFO_1\ty';
    const current = stored(doc, { layout: before });
    for (const merge of [false, true])
      expect(decide(form(doc, { layout }), current, { ...ADA, merge })).toEqual({ kind: 'unchanged' });
    const edited = decide(form('x\tEFO\tEFO_1\tz', { layout }), current);
    expect(edited.kind === 'updated' && contentOf(edited.form).characteristics.a?.[0]?.ontologyTerms).toEqual([
      'EFO:1',
    ]);
    const renamed = { ...layout, characteristics: [{ ...a, name: 'c', prefixes: true as const }, b] };
    expect(decide(form(doc, { layout: renamed }), current).kind).toBe('updated');
    expect(decide(form(doc, { layout }), stored(doc, { layout: before, placeholder: true })).kind).toBe('updated');
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
    const row = { ...ROW, form: form('x\ty'), expected: 2 };
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

  it('says no identifier that only follows beside another name either', () => {
    const renamed = decide(item({ taxId: 9606, characteristics: organism('NCBITaxon:9606') }, { name: 't' }), HUMAN);
    expect(renamed).toMatchObject({ kind: 'updated', form: { name: 't' } });
    expect(renamed.kind === 'updated' && contentOf(renamed.form)).not.toHaveProperty('taxId');
  });

  it('is unchanged where its cells are those that readers see through curations', () => {
    const change = {
      attributesPre: [{ type: 'tissue', value: 'b' }],
      attributesPost: [{ type: 'tissue', value: 'c' }],
    };
    const current = stored('a\tb', { curationLinks: [curationLink('l', change)] });
    expect(decide(form('a\tc'), current)).toEqual({ kind: 'unchanged' });
    expect(decide(form('a\tc', { name: 't' }), current)).toEqual({
      kind: 'updated',
      form: form('a\tc', { name: 't' }),
    });
  });

  it('that merges updates with another name or release alone', () => {
    for (const head of [{ name: 't' }, { release: 6 }])
      expect(decide(form('a\tb', head), stored('a\tb'), { ...ADA, merge: true })).toMatchObject({
        kind: 'updated',
        form: head,
      });
  });

  it('is unchanged where it says what readers see through curations, if it may have been read', () => {
    const curationLinks = [curationLink('l', { attributesPost: [{ type: 'tissue', value: 'liver' }] })];
    const shown = item({ characteristics: { ...organism('NCBITaxon:9606'), tissue: [{ text: 'liver' }] } });
    expect(decide(shown, { ...HUMAN, curationLinks }).kind).toBe('unchanged');
    expect(decide(shown, HUMAN)).toEqual({ kind: 'updated', form: shown });
  });

  it('withdraws a sample and leaves its content', () => {
    const row = { ...ROW, form: form(''), hold: HOLD.kill };
    const decision = decideRow(row, stored('a\tb'), ADA);
    expect(decision).toMatchObject({ kind: 'updated', status: 'KILLED', form: { name: 's', release: 5 } });
    expect(decision.kind === 'updated' && encodeContent(contentOf(decision.form))).toBe(
      encodeContent(contentOf(stored('a\tb'))),
    );
  });

  it('withdraws what a standing sheet lacks and nothing that is withdrawn, and takes back that alone', () => {
    const row = { ...ROW, form: form('a\tb') };
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

  it('is rejected when something else wrote the sample since, whatever its version', () => {
    const row = { ...ROW, form: form('x\ty'), rewritten: true };
    expect(decideRow(row, stored('a\tb'), ADA)).toMatchObject({
      issue: { code: 'row.changed-since', message: expect.stringContaining('(it is at version 3 now)') },
    });
  });

  it('keeps the release of a sample that it says none for; a placeholder takes that of the upload', () => {
    const none = form('a\tc', { release: Number.NaN });
    const writer = { ...ADA, releaseDate: 50 };
    const releaseOf = (current: CurrentForm, by: RowWriter = writer) => {
      const decision = decideRow({ ...ROW, form: none }, current, by);
      return decision.kind === 'updated' && decision.form.release;
    };
    expect(releaseOf(stored('a\tb'))).toBe(5);
    expect(releaseOf(stored('a\tb', { placeholder: true }))).toBe(50);
    expect(releaseOf(stored('a\tb', { placeholder: true }), { ...ADA, releaseDate: undefined })).toBe(5);
    expect(decide(form('a\tb', { release: Number.NaN }), stored('a\tb'))).toEqual({ kind: 'unchanged' });
  });

  it('says when it makes a sample public that was not', () => {
    const publishes = (release: number, current: Partial<CurrentForm>, writer: Partial<RowWriter> = {}) => {
      const row = { ...ROW, form: form('a\tc', { release }) };
      const decision = decideRow(row, stored('a\tb', current), { ...ADA, ...writer });
      return decision.kind === 'updated' && decision.becomesPublic === true;
    };
    expect(publishes(NOW, { release: NOW + 1 })).toBe(true);
    expect(publishes(NOW + 1, { release: NOW + 2 })).toBe(false);
    expect(publishes(NOW, { release: NOW })).toBe(false);
    expect(publishes(NOW, { adminStatus: 'MISSING' })).toBe(false);
    expect(publishes(NOW, { adminStatus: 'MISSING' }, { standing: true })).toBe(true);
    expect(publishes(NOW, { adminStatus: 'KILLED' }, { standing: true })).toBe(false);
  });

  it('of an undo makes a sample missing again, or no longer', () => {
    const row = { ...ROW, form: form('a\tb') };
    expect(decideRow({ ...row, hold: HOLD.missingAgain }, stored('a\tb'), ADA)).toMatchObject({
      kind: 'updated',
      status: 'MISSING',
    });
    const missing = stored('a\tb', { adminStatus: 'MISSING' });
    const back = decideRow({ ...row, hold: HOLD.back }, missing, ADA);
    expect(back).toMatchObject({ kind: 'updated', status: null, becomesPublic: true });
    expect(decideRow({ ...row, hold: HOLD.back }, stored('a\tb'), ADA)).toEqual({ kind: 'unchanged' });
    expect(decideRow({ ...row, hold: HOLD.none }, missing, ADA)).toEqual({ kind: 'unchanged' });
    const changed = decideRow({ ...row, form: form('a\tc'), hold: HOLD.back }, missing, ADA);
    expect(changed).toMatchObject({ form: form('a\tc'), status: null });
  });

  it('completes a sample with relationships that waited, and changes nothing else', () => {
    const row = { ...ROW, form: form(''), hold: HOLD.complete };
    const current = item({ characteristics: organism('T:1'), relationships: [{ type: 't', target: 'SAMR3' }] });
    const complete = (...added: { type: string; target: string; at: number }[]) =>
      decideRow({ ...row, added }, current, ADA);
    const completed = complete({ type: 't', target: 'SAMR2', at: 0 });
    expect(completed).toMatchObject({ kind: 'updated', form: { name: 's', release: 5, layout: undefined } });
    expect(completed.kind === 'updated' && contentOf(completed.form)).toEqual({
      ...contentOf(current),
      relationships: [
        { type: 't', target: 'SAMR2' },
        { type: 't', target: 'SAMR3' },
      ],
    });
    expect(complete({ type: 't', target: 'SAMR3', at: 0 })).toEqual({ kind: 'unchanged' });
    expect(decideRow(row, current, ADA)).toEqual({ kind: 'unchanged' });
  });

  it('takes from a sample its relationships to samples that never were, of whatever source, and changes nothing else', () => {
    const others = [
      { type: 't', target: 'SAMR3' },
      { source: 'SAMR9', type: 't', target: 'SAMR6' },
    ];
    const own = { type: 't', target: 'SAMR4' };
    const current = item({ relationships: [own, ...others, { ...own, source: 'SAMR9' }] });
    const without = (more: Partial<NamingRow>) =>
      decideRow({ ...ROW, form: form(''), hold: HOLD.complete, ...more }, current, ADA);
    const related = (decision: RowDecision) =>
      decision.kind === 'updated' ? contentOf(decision.form).relationships : decision.kind;
    expect(related(without({ gone: ['SAMR4', 'SAMR5'] }))).toEqual(others);
    expect(related(without({ gone: ['SAMR5'] }))).toBe('unchanged');
    const added = [{ type: 't', target: 'SAMR2', at: 0 }];
    expect(related(without({ gone: ['SAMR4'], added }))).toEqual([{ type: 't', target: 'SAMR2' }, ...others]);
  });

  it('takes away what it clears where it merges', () => {
    const row = { ...ROW, form: form('c\t') };
    const cleared = { characteristics: ['tissue'], relationships: [], lists: [] };
    const decision = decideRow({ ...row, cleared }, stored('a\tb'), { ...ADA, merge: true });
    expect(decision.kind === 'updated' && contentOf(decision.form).characteristics).toEqual({
      organism: [{ text: 'c' }],
    });
  });

  it('submits a placeholder that it leaves as it is, and one that it merges into', () => {
    const placeholder = stored('a\tb', { placeholder: true });
    expect(decide(form('a\tb'), placeholder)).toEqual({ kind: 'updated', form: form('a\tb') });
    expect(decide(form('a\t'), placeholder, { ...ADA, merge: true }).kind).toBe('updated');
  });
});
