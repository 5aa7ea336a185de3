import { describe, expect, it } from 'vitest';
import { whyNotOn } from '../../src/store/going-on.js';
import { chooseEarlier, decideReplay, mayGoOn } from '../../src/store/replay.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { OPTION_NAMES, type OptionName, optionOf, type Repeat } from '../../src/submissions/uploads/upload-options.js';
import { draft } from '../many-machines/store-samples.js';

const NO_COUNTS = { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };

const OPTIONS = draft('ada').options;
const FAULT = { code: 'storage.full', message: 'm', retryable: true };
const BAD_FILE = { code: 'file.header', message: 'm', retryable: false };

/** An earlier upload that registered `created` samples up to the line `cursor`. */
function earlier(state: Submission['state'], changes: Partial<Submission> & { registered?: number } = {}): Submission {
  const { registered = 5, ...others } = changes;
  return {
    ...draft('ada'),
    counts: { ...NO_COUNTS, rows: registered, created: registered },
    becomePublic: 0,
    createdPublic: 0,
    issues: [],
    bytesRead: 0,
    cursor: registered === 0 ? 0 : registered + 1,
    attempts: 1,
    cancelRequested: false,
    ...others,
    state,
  };
}
const check = (before: Submission[], options: Partial<UploadOptions> = {}, sameBytes = true) =>
  decideReplay({ options: { ...OPTIONS, ...options } }, before, sameBytes);

describe('the same bytes, their columns read otherwise', () => {
  const CHARACTERISTICS = { unknownColumns: 'characteristics' } as const;
  const one = earlier('COMPLETED');
  const reread = earlier('COMPLETED', { options: { ...OPTIONS, ...CHARACTERISTICS, rereadOf: one.id } });

  it('are refused until they are asked for, dry or not', () => {
    for (const dryRun of [false, true]) {
      expect(check([one], { ...CHARACTERISTICS, dryRun })).toEqual({ kind: 'other-options', submission: one });
      const asked = { ...CHARACTERISTICS, dryRun, rereadOf: one.id };
      expect(check([one], asked)).toEqual({ kind: 'accepted', earlier: one });
    }
    expect(check([one], { checklist: 'c', dryRun: true })).toEqual({ kind: 'accepted', earlier: one });
  });

  it('are answered by the last reading alone', () => {
    expect(check([one, reread], CHARACTERISTICS)).toMatchObject({ kind: 'replayed', submission: reread });
    expect(check([one, reread])).toEqual({ kind: 'other-options', submission: reread });
    expect(check([one, reread], { rereadOf: reread.id })).toEqual({ kind: 'accepted', earlier: one });
    const undo = earlier('COMPLETED', { options: { ...OPTIONS, undoOf: reread.id } });
    expect(check([one, reread, undo])).toMatchObject({ kind: 'replayed', submission: one });
  });
});

describe('the same bytes again', () => {
  it.each(['ACTIVE', 'COMPLETED', 'COMPLETED_WITH_ERRORS'] as const)('answer one that is %s', (state) => {
    const one = earlier(state);
    expect(check([one])).toEqual({ kind: 'replayed', submission: one, revive: false });
  });

  it('let one that FAILED for a reason outside the file go on', () => {
    const one = earlier('FAILED', { problem: FAULT });
    expect(check([one])).toEqual({ kind: 'replayed', submission: one, revive: true });
  });

  it.each([
    ['FAILED over the file itself', earlier('FAILED', { problem: BAD_FILE, registered: 0 })],
    ['FAILED since every row was rejected', earlier('FAILED', { registered: 0 })],
    ['CANCELLED before it registered anything', earlier('CANCELLED', { registered: 0 })],
  ])('are a new upload when the first %s', (_, one) => {
    expect(check([one])).toEqual({ kind: 'accepted' });
  });

  it.each([
    ['CANCELLED', earlier('CANCELLED')],
    ['FAILED', earlier('FAILED', { problem: BAD_FILE })],
  ])('are a new upload with an earlier one when the first was %s part-way', (_, one) => {
    expect(check([one])).toEqual({ kind: 'accepted', earlier: one });
  });

  it('answer a later one when the first does not answer', () => {
    const later = earlier('COMPLETED');
    expect(check([earlier('CANCELLED'), later])).toMatchObject({ kind: 'replayed', submission: later });
  });
});

describe('one that FAILED for a reason outside the file', () => {
  const nothing = earlier('FAILED', { problem: FAULT, registered: 0 });
  const half = earlier('FAILED', { problem: FAULT, registered: 3 });
  const ATOMIC = { ...OPTIONS, mode: 'atomic' } as const;
  const others = (changes: Partial<Submission> & { registered?: number } = {}) => [
    earlier('COMPLETED', { options: ATOMIC, ...changes }),
    earlier('ACTIVE', { options: ATOMIC, ...changes, registered: 0 }),
  ];

  it('does not go on beside another that registered the same bytes, or may', () => {
    for (const other of others()) {
      for (const before of [
        [nothing, other],
        [other, nothing],
      ]) {
        expect(check(before)).toEqual({ kind: 'other-options', submission: other });
        expect(mayGoOn(nothing, before)).toBe(false);
        expect(mayGoOn(half, [half, other])).toBe(false);
        expect(whyNotOn(nothing, before, undefined)?.message).toContain(other.id);
      }
    }
  });

  it('lets another answer that was read in the same way', () => {
    const second = earlier('COMPLETED', { options: { ...OPTIONS, duplicate: 'allow' } });
    expect(check([nothing, second])).toEqual({ kind: 'replayed', submission: second, revive: false });
  });

  it('leaves it to a new upload where the other was cancelled part-way', () => {
    const cancelled = earlier('CANCELLED', { options: ATOMIC });
    expect(check([nothing, cancelled])).toEqual({ kind: 'accepted', earlier: cancelled });
  });

  it('is answered, and does not go on, as a commit that is asked for again', () => {
    const commitOf = { submissionId: 'dry', earlierUpload: undefined } as unknown as NonNullable<
      UploadOptions['commitOf']
    >;
    const commit = earlier('FAILED', { problem: FAULT, registered: 0, options: { ...OPTIONS, commitOf } });
    expect(check([commit], { commitOf })).toMatchObject({ submission: commit, revive: true });
    for (const other of others())
      expect(check([commit, other], { commitOf })).toMatchObject({ submission: commit, revive: false });
  });

  it.each<[string, Partial<Submission>, Partial<Submission> & { registered?: number }]>([
    ['did not come further', {}, { registered: 3 }],
    ['is the one whose samples its rows mean', { earlierUpload: 'X' }, { id: 'X' }],
    ['is the one that it reads anew', { options: { ...OPTIONS, rereadOf: 'X' } }, { id: 'X' }],
    ['is of another sheet of the workbook', {}, { options: { ...ATOMIC, sheet: 'Plants' } }],
    ['was a dry run', {}, { options: { ...ATOMIC, dryRun: true } }],
    ['took an upload back', {}, { options: { ...OPTIONS, undoOf: 'Y' } }],
  ])('goes on where the other %s', (_, own, changes) => {
    const one = { ...half, ...own };
    const other = earlier('COMPLETED', { options: ATOMIC, ...changes });
    expect(mayGoOn(one, [one, other])).toBe(true);
    expect(whyNotOn(one, [one, other], undefined)).toBeUndefined();
  });

  it.each<[string, Partial<UploadOptions>]>([
    ['may register a second set', { duplicate: 'allow' }],
    ['knows its rows by their keys', { key: 'Barcode' }],
    ['takes another back', { undoOf: 'Y' }],
    ['registers nothing', { dryRun: true }],
  ])('goes on beside every other where it %s', (_, options) => {
    const one = earlier('FAILED', { problem: FAULT, registered: 0, options: { ...OPTIONS, ...options } });
    for (const other of others()) expect(mayGoOn(one, [one, other])).toBe(true);
  });

  it('goes on when the other was undone, and where readings followed each other', () => {
    const [other] = others() as [Submission];
    const undo = earlier('COMPLETED', { options: { ...OPTIONS, undoOf: other.id } });
    expect(mayGoOn(nothing, [nothing, other, undo])).toBe(true);
    const first = earlier('COMPLETED');
    const second = earlier('COMPLETED', { options: { ...OPTIONS, nameColumn: 'B', rereadOf: first.id } });
    const third = { ...nothing, options: { ...OPTIONS, nameColumn: 'C', rereadOf: second.id } };
    expect(mayGoOn(third, [first, second, third])).toBe(true);
    const apart = { ...nothing, options: { ...OPTIONS, nameColumn: 'C' } };
    expect(mayGoOn(apart, [first, apart])).toBe(false);
  });

  it('never goes on for a reason in the file', () => {
    const bad = earlier('FAILED', { problem: BAD_FILE, registered: 0 });
    expect(mayGoOn(bad, [bad])).toBe(false);
  });
});

describe('a row that was refused once and is a sample since', () => {
  const counts = { rows: 6, created: 1, updated: 0, unchanged: 5, rejected: 0 };
  const refused = earlier('COMPLETED_WITH_ERRORS', { id: 'refused', cursor: 7 });
  const later = earlier('COMPLETED', { cursor: 7, counts });

  it('is known to the upload that registered it', () => {
    for (const before of [
      [refused, later],
      [later, refused],
    ])
      expect(chooseEarlier(before)).toBe(later);
    expect(check([refused, later], {}, false)).toEqual({ kind: 'accepted', earlier: later });
    expect(check([refused, later], { commitOf: { submissionId: 'dry', earlierUpload: 'refused' } }, false)).toEqual({
      kind: 'registered-since',
      submission: later,
    });
  });
});

describe('a commit of what was registered since its dry run', () => {
  const other = earlier('COMPLETED', { options: { ...OPTIONS, nameColumn: 'B' } });
  const active = earlier('ACTIVE', { registered: 0 });
  const cancelled = earlier('CANCELLED');
  const half = earlier('FAILED', { problem: BAD_FILE, registered: 3, id: 'half' });
  const commit = (
    before: Submission[],
    options: Partial<UploadOptions> = {},
    sameBytes = true,
    earlierUpload?: string,
  ) =>
    check(
      before,
      { commitOf: { submissionId: 'dry', ...(earlierUpload ? { earlierUpload } : {}) }, ...options },
      sameBytes,
    );

  it('is refused where its rows name no samples, and where it is all or nothing', () => {
    for (const since of [other, cancelled]) {
      const read = { rereadOf: since.id };
      expect(commit([since], read)).toEqual({ kind: 'registered-since', submission: since });
      expect(commit([since], { ...read, mode: 'atomic' }, false)).toEqual({
        kind: 'registered-since',
        submission: since,
      });
    }
    expect(commit([active], { mode: 'atomic' }, false)).toEqual({ kind: 'registered-since', submission: active });
  });

  it('means those samples by the rows that name none, so that they are refused as what was not shown', () => {
    for (const since of [other, cancelled, active])
      expect(commit([since], {}, false)).toEqual({ kind: 'accepted', earlier: since });
  });

  it('is refused where what it showed was not whole and another came further, or may', () => {
    const further = earlier('COMPLETED');
    for (const sameBytes of [true, false]) {
      expect(commit([half, other], { rereadOf: 'x' }, sameBytes, 'half')).toEqual({
        kind: 'registered-since',
        submission: other,
      });
    }
    expect(commit([half, active], {}, false, 'half')).toEqual({ kind: 'registered-since', submission: active });
    expect(commit([half], {}, false, 'half')).toEqual({ kind: 'accepted', earlier: half });
    const whole = earlier('COMPLETED', { id: 'whole' });
    expect(commit([whole, active, further], {}, false, 'whole')).toEqual({ kind: 'accepted', earlier: whole });
  });

  it('is done where its rows are known by their keys, and where nothing was registered', () => {
    expect(commit([other], { key: 'Barcode' }, false)).toEqual({ kind: 'accepted' });
    expect(commit([])).toEqual({ kind: 'accepted' });
    expect(commit([earlier('CANCELLED', { registered: 0 })])).toEqual({ kind: 'accepted' });
  });
});

describe('the same bytes with other options', () => {
  /** What a repeat with another value of each option is. Whoever adds an option says so here and in the table. */
  const STANCES: Record<OptionName, Repeat> = {
    checklist: 'other-upload',
    releaseDate: 'other-upload',
    releaseExisting: 'other-reading',
    mode: 'other-upload',
    update: 'other-upload',
    clearMarker: 'other-reading',
    dryRun: 'same-upload',
    duplicate: 'same-upload',
    encoding: 'other-reading',
    unknownColumns: 'other-reading',
    nameColumn: 'other-reading',
    profile: 'other-reading',
    relationships: 'other-upload',
    key: 'other-upload',
    keySpace: 'other-upload',
    onlyUpdate: 'other-upload',
    onlyCreate: 'other-upload',
    standing: 'other-upload',
    missing: 'other-upload',
    commit: 'other-upload',
    maxMissing: 'other-upload',
    maxChanges: 'other-upload',
    maxRejected: 'other-upload',
    sheet: 'other-file',
  };

  it.each(OPTION_NAMES)('%s says in the table what a repeat with another value is', (name) => {
    expect(optionOf(name).repeat).toBe(STANCES[name]);
  });

  const differently = (name: OptionName): Partial<UploadOptions> => {
    const option = optionOf(name);
    if (option.kind === 'choice') return { [name]: option.values.find((value) => value !== OPTIONS[name]) };
    return { [name]: { switch: true, date: 1, text: 'x' }[option.kind] };
  };
  const withStance = (...stances: Repeat[]) => OPTION_NAMES.filter((name) => stances.includes(STANCES[name]));

  it.each(withStance('other-upload', 'other-reading'))(
    'are refused when samples were registered or are about to be and %s differs',
    (name) => {
      const options = differently(name);
      expect(check([earlier('COMPLETED')], options).kind).toBe('other-options');
      expect(check([earlier('ACTIVE', { registered: 0 })], options).kind).toBe('other-options');
      expect(check([earlier('FAILED', { problem: FAULT, registered: 0 })], options).kind).toBe('accepted');
    },
  );

  it.each(withStance('other-file'))('are another file when %s differs', (name) => {
    expect(check([earlier('COMPLETED')], differently(name))).toEqual({ kind: 'accepted' });
  });

  it('are the same upload where an option was never set and now is switched off', () => {
    expect(check([earlier('COMPLETED')], { releaseExisting: false }).kind).toBe('replayed');
  });

  it('answer the one with the same options when there is one', () => {
    const same = earlier('COMPLETED', { options: { ...OPTIONS, checklist: 'c' } });
    expect(check([earlier('COMPLETED'), same], { checklist: 'c' })).toMatchObject({ submission: same });
  });

  it('of another sheet of a workbook are another file', () => {
    expect(check([earlier('COMPLETED')], { sheet: 'two' })).toEqual({ kind: 'accepted' });
    expect(check([earlier('COMPLETED')], { sheet: 'two' }, false)).toEqual({ kind: 'accepted' });
  });

  it('are not informed of when duplicate is the only one', () => {
    expect(check([earlier('COMPLETED')], { duplicate: 'allow' }, true).kind).toBe('replayed');
    expect(check([earlier('COMPLETED')], { duplicate: 'allow' }, false)).toEqual({ kind: 'accepted' });
  });
});

describe('dry runs', () => {
  const dry = earlier('COMPLETED', { options: { ...OPTIONS, dryRun: true } });

  it('neither answer nor are answered, and are nobody’s earlier upload', () => {
    expect(check([dry])).toEqual({ kind: 'accepted' });
    expect(check([dry], {}, false)).toEqual({ kind: 'accepted' });
    expect(check([dry], { dryRun: true })).toEqual({ kind: 'accepted' });
    expect(check([earlier('COMPLETED')], { dryRun: true }).kind).toBe('accepted');
  });

  it('have the earlier upload that the upload itself would have, so that they show what it would do', () => {
    const one = earlier('CANCELLED');
    expect(check([one], { dryRun: true })).toEqual({ kind: 'accepted', earlier: one });
    expect(check([one], { dryRun: true, duplicate: 'allow' })).toEqual({ kind: 'accepted' });
  });
});

describe('what was undone', () => {
  const one = earlier('COMPLETED');
  const undo = (state: Submission['state']) => earlier(state, { options: { ...OPTIONS, undoOf: one.id } });

  it('answers nobody and is nobody’s earlier upload, unless the undoing failed', () => {
    expect(check([one, undo('COMPLETED')])).toEqual({ kind: 'accepted' });
    expect(check([one, undo('COMPLETED')], {}, false)).toEqual({ kind: 'accepted' });
    expect(check([one, undo('FAILED')])).toMatchObject({ kind: 'replayed', submission: one });
  });

  it.each(['CANCELLED', 'FAILED'] as const)(
    'in part, by an undo that is %s and may go on, is neither answered nor registered anew',
    (state) => {
      const stopped = { ...undo(state), problem: FAULT };
      expect(check([one, stopped])).toEqual({ kind: 'half-undone', submission: stopped });
      for (const options of [{}, { dryRun: true }, { key: 'Barcode' }, { rereadOf: one.id }])
        expect(check([one, stopped], options, false), JSON.stringify(options)).toEqual({
          kind: 'half-undone',
          submission: stopped,
        });
      expect(check([one, stopped], { dryRun: true })).toEqual({ kind: 'half-undone', submission: stopped });
      const cancelled = earlier('CANCELLED', { registered: 9 });
      expect(check([one, stopped, cancelled], {}, false)).toEqual({ kind: 'half-undone', submission: stopped });
      expect(check([one, stopped], { duplicate: 'allow' }, false)).toEqual({ kind: 'accepted' });
      const again = { kind: 'replayed', submission: stopped, revive: true };
      expect(check([one, stopped], { undoOf: one.id })).toEqual(again);
    },
  );

  it('in part says nothing of rows that are known by keys of its own key space: what was withdrawn has none', () => {
    const keyed = { options: { ...OPTIONS, key: 'Barcode', keySpace: 'lims' } };
    const upload = earlier('COMPLETED', keyed);
    const stopped = earlier('CANCELLED', { options: { ...keyed.options, undoOf: upload.id } });
    expect(check([upload, stopped], { key: 'Barcode', keySpace: 'lims' }, false)).toEqual({ kind: 'accepted' });
    expect(check([upload, stopped], { key: 'Barcode', standing: 'lims' }, false)).toEqual({ kind: 'accepted' });
    expect(check([upload, stopped], { key: 'Barcode' }, false)).toMatchObject({ kind: 'half-undone' });
    expect(check([upload, stopped], { key: 'Sample Name', keySpace: 'lims' }, false)).toMatchObject({
      kind: 'half-undone',
    });
  });

  it('at this moment, by an undo that may yet stop, is waited for, and none goes on beside it', () => {
    const active = undo('ACTIVE');
    for (const options of [{}, { dryRun: true }, { update: 'merge' }, { key: 'Barcode' }] as const)
      for (const sameBytes of [true, false])
        expect(check([one, active], options, sameBytes)).toEqual({ kind: 'accepted', earlier: one });
    expect(check([one, active], { duplicate: 'allow' }, false)).toEqual({ kind: 'accepted' });
    expect(check([one, active], { sheet: 'Plants' })).toEqual({ kind: 'accepted' });
    const failed = earlier('FAILED', { problem: FAULT, registered: 3 });
    expect(mayGoOn(failed, [failed, one, active])).toBe(false);
    expect(check([failed, one, active])).toEqual({ kind: 'accepted', earlier: failed });
  });

  it('is undone once, when what came before has ended', () => {
    const first = undo('ACTIVE');
    expect(check([one, first], { undoOf: one.id })).toMatchObject({ kind: 'replayed', submission: first });
    expect(check([one], { undoOf: one.id })).toEqual({ kind: 'accepted', earlier: one });
  });
});

describe('the earlier upload of rows that are known by keys', () => {
  const KEY = { key: 'Barcode', keySpace: 'lims' };
  const keyed = (state: Submission['state'], options: Partial<UploadOptions> = {}) =>
    earlier(state, { options: { ...OPTIONS, ...KEY, ...options } });
  const none = { kind: 'accepted' };

  it('is none where the same keys say it, whatever became of it, and its ledger need not be there', () => {
    for (const state of ['ACTIVE', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'CANCELLED'] as const) {
      expect(check([keyed(state)], KEY, false), state).toEqual(none);
      expect(check([keyed(state)], { ...KEY, dryRun: true }, false), state).toEqual(none);
      const other = keyed(state, { key: 'Sample Name' });
      expect(check([other], KEY, false), state).toEqual({ kind: 'accepted', earlier: other });
      const elsewhere = keyed(state, { keySpace: 'other' });
      expect(check([elsewhere], KEY, false), state).toEqual({ kind: 'accepted', earlier: elsewhere });
    }
  });

  it('is one without them until an upload with them has taken every row and stands', () => {
    const plain = earlier('COMPLETED');
    const whole = keyed('COMPLETED');
    expect(check([plain], KEY, false)).toEqual({ kind: 'accepted', earlier: plain });
    expect(check([plain, whole], KEY, false)).toEqual(none);
    for (const state of ['ACTIVE', 'COMPLETED_WITH_ERRORS', 'CANCELLED', 'FAILED'] as const)
      expect(check([plain, keyed(state)], KEY, false), state).toEqual({ kind: 'accepted', earlier: plain });
    for (const state of ['CANCELLED', 'ACTIVE', 'COMPLETED'] as const) {
      const undo = keyed(state, { undoOf: whole.id });
      expect(check([plain, whole, undo], KEY, false), state).toEqual({ kind: 'accepted', earlier: plain });
    }
    expect(check([plain, whole], {}, false)).toEqual({ kind: 'accepted', earlier: plain });
  });
});

describe('the earlier upload', () => {
  const at = (cursor: number, state: Submission['state'] = 'CANCELLED') => earlier(state, { cursor });

  it('is the one that came furthest, the first of equals: it knows every line that any of them knows', () => {
    const [near, far, asFar] = [at(10), at(20), at(20)];
    expect(chooseEarlier([near, far, asFar])).toBe(far);
    expect(chooseEarlier([far, near])).toBe(far);
  });

  it('may still run, and is otherwise one that registered something', () => {
    const running = earlier('ACTIVE', { registered: 0 });
    expect(chooseEarlier([running])).toBe(running);
    expect(
      chooseEarlier([earlier('FAILED', { registered: 0 }), earlier('CANCELLED', { registered: 0 })]),
    ).toBeUndefined();
    const updated = earlier('COMPLETED', { counts: { ...NO_COUNTS, rows: 1, unchanged: 1 } });
    expect(chooseEarlier([updated])).toBe(updated);
  });
});
