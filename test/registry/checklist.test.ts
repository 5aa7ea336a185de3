import { describe, expect, it } from 'vitest';
import { isChecklistName, namedChecklist } from '../../src/registry/checklist.js';

describe('the checklist that a sample names', () => {
  it.each(['checklist', ' Checklist ', 'CHECKLIST'])('stands under %j', (name) => {
    expect(isChecklistName(name)).toBe(true);
    expect(namedChecklist({ other: [{ text: 'x' }], [name]: [{ unit: 'u' }, { text: 'ERC1' }] })).toBe('ERC1');
  });

  it('is none where none is said', () => {
    expect(isChecklistName('check list')).toBe(false);
    for (const none of [undefined, {}, { other: [{ text: 'x' }] }, { checklist: [] }, { checklist: [{ text: '' }] }])
      expect(namedChecklist(none)).toBeUndefined();
    expect(namedChecklist({ Checklist: [], checklist: [{ text: 'x' }] })).toBe('x');
  });
});
