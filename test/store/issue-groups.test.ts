import { describe, expect, it } from 'vitest';
import { MAX_CHANGES } from '../../src/registry/changes/sample-change-list.js';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { groupIssues, groupNotes } from '../../src/store/issue-groups.js';

const issue = (line: number, message: string, code: Issue['code'] = 'release.invalid'): Issue => ({
  line,
  column: 'Release Date',
  code,
  message,
  severity: 'error',
});
const row = (...issues: Issue[]) => ({ line: issues[0]?.line ?? 0, name: 's', issues });

describe('issues in groups', () => {
  it('one kind in one column is one group, with how often and its first lines', () => {
    const rows = Array.from({ length: 12 }, (_, at) => row(issue(at + 2, 'the same')));
    expect(groupIssues([], rows)).toEqual([
      {
        code: 'release.invalid',
        column: 'Release Date',
        count: 12,
        lines: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        message: 'the same',
        severity: 'error',
      },
    ]);
  });

  it('a message about one value is shown as an example, also when the rows come in several batches', () => {
    const first = groupIssues([], [row(issue(4, '"21/11/2024" is no date')), row(issue(5, '"21/11/2024" is no date'))]);
    expect(first[0]?.message).toBe('"21/11/2024" is no date');
    const second = groupIssues(first, [row(issue(6, '"2024-02-30" is no date')), row(issue(7, '"x" is no date'))]);
    expect(second).toHaveLength(1);
    expect(second[0]).toMatchObject({
      count: 4,
      lines: [4, 5, 6, 7],
      message: 'For example in line 4: "21/11/2024" is no date',
    });
  });

  it('a row with several issues of one kind counts once, and its line is given once', () => {
    const rows = [2, 3, 4].map((line) => row(...['a', 'b', 'c'].map((unit) => issue(line, `${unit} needs a unit`))));
    const [group] = groupIssues(groupIssues([], rows.slice(0, 2)), rows.slice(2));
    expect(group).toMatchObject({ count: 3, lines: [2, 3, 4], message: 'For example in line 2: a needs a unit' });
  });

  it('keeps the first 100 kinds', () => {
    const rows = Array.from({ length: 130 }, (_, at) => row({ ...issue(at, 'm'), column: `Column ${at}` }));
    expect(groupIssues([], rows)).toHaveLength(100);
  });

  it('keeps them beside the notes of an edit with as many changes as there may be', () => {
    const notes = Array.from({ length: MAX_CHANGES }, (_, at) =>
      (['edit.already', 'edit.lacking'] as const).map((code) => ({
        code,
        column: `Characteristics[${at}]`,
        message: 'm',
        lines: [[at, 1]] as [number, number][],
      })),
    ).flat();
    const noted = groupNotes([], { notes, rejected: [] });
    const rows = Array.from({ length: 130 }, (_, at) => row({ ...issue(at, 'm'), column: `Column ${at}` }));
    const inTwo = groupIssues(groupIssues(noted, rows.slice(0, 60)), rows.slice(60));
    for (const groups of [groupIssues(noted, rows), inTwo]) {
      expect(groups.filter(({ severity }) => severity === 'error')).toHaveLength(100);
      expect(groups).toHaveLength(200);
    }
  });
});
