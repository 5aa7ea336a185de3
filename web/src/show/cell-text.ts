import { useState } from 'react';

const BREAK = /\r\n|\r|\n/;

export interface CellText {
  /** A field of one line would join the lines of this text without a word; stays so while the field is there, so that it keeps the focus. */
  hasLines: boolean;
  /** What was typed, with the line ends that the text had: a field knows line feeds alone. */
  withItsEnds: (typed: string) => string;
}

/** How the text of a cell is edited without changing what was not typed. */
export function useCellText(text: string): CellText {
  const [end, setEnd] = useState(BREAK.exec(text)?.[0]);
  const present = end ?? BREAK.exec(text)?.[0];
  if (present !== end) setEnd(present);
  return {
    hasLines: present !== undefined,
    withItsEnds: (typed) => (present === undefined ? typed : typed.replaceAll('\n', present)),
  };
}
