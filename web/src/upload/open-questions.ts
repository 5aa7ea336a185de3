/** What waits for an answer before files are registered. Kept beside the view: who has gone to another one is asked there. */
import type { Question } from './ask-dialog.js';

interface Asked {
  questions: readonly Question[];
  resolve: (goOn: boolean) => void;
}

const NONE: readonly Question[] = [];
let asked: Asked | undefined;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** The same list until something changes. */
export const openQuestions = (): readonly Question[] => asked?.questions ?? NONE;

export function onQuestions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Without a question at once; else what the reader answers. */
export function mayGoOn(questions: readonly Question[]): Promise<boolean> {
  if (questions.length === 0) return Promise.resolve(true);
  answer(false);
  return new Promise((resolve) => {
    asked = { questions, resolve };
    tell();
  });
}

export function answer(goOn: boolean): void {
  const before = asked;
  asked = undefined;
  before?.resolve(goOn);
  tell();
}
