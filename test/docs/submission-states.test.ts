import { expect, it } from 'vitest';
import { isFinal, NEXT_STATES, SUBMISSION_PHASES, SUBMISSION_STATES } from '../../src/submissions/submission.js';
import { document, expectSection, tableRows } from './section.js';

const FILE = 'docs/submission-states.md';

it('the diagram shows exactly the moves that the code allows', () => {
  const moves = SUBMISSION_STATES.flatMap((from) => NEXT_STATES[from].map((to) => `  ${from} --> ${to}`));
  const ends = SUBMISSION_STATES.filter(isFinal).map((state) => `  ${state} --> [*]`);
  const diagram = ['```mermaid', 'stateDiagram-v2', '  [*] --> ACTIVE', ...moves, ...ends, '```'];
  expectSection(FILE, 'diagram', diagram.join('\n'));
});

it('the table tells each state, and the phases of the active one', () => {
  const rows = tableRows(document(FILE));
  expect(rows.map(([state]) => state)).toEqual(SUBMISSION_STATES.map((state) => `\`${state}\``));
  for (const phase of SUBMISSION_PHASES.filter((name) => name !== 'DONE')) expect(rows[0]?.[1]).toContain(phase);
});
