/** Changes as they are typed into the form of a batch edit, and as the service takes them. */
import { useSyncExternalStore } from 'react';
import type { SampleChange } from '../api/batch-edit.js';
import { useMe } from '../session/session.js';
import { typedDayProblem } from '../show/typed-day.js';

export type ChangeKind = 'set' | 'rename' | 'clear' | 'release';

export interface TypedChange {
  key: number;
  kind: ChangeKind;
  /** Of the characteristic. */
  name: string;
  /** The value, the new name, or the date. */
  value: string;
  unit: string;
  term: string;
  /** What becomes of values that are there already. */
  existing: string;
}

export const newChange = (key: number): TypedChange => ({
  key,
  kind: 'set',
  name: '',
  value: '',
  unit: '',
  term: '',
  existing: '',
});

let owner = '';
let present: readonly TypedChange[] = [newChange(1)];
const NONE = present;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is typed outlasts the look at its preview: Back shows it again. It is the account's own. */
export function useTypedChanges() {
  const account = useMe().data?.account ?? '';
  const changes = useSyncExternalStore(subscribe, () => (owner === account ? present : NONE));
  const type = (next: readonly TypedChange[]) => {
    owner = account;
    present = next;
    for (const listener of listeners) listener();
  };
  return { changes, type };
}

/** As the service takes it; undefined while something is missing. */
export function changeOf({ kind, name, value, unit, term, existing }: TypedChange): SampleChange | undefined {
  const [called, said] = [name.trim(), value.trim()];
  if (kind === 'release') return said === '' || typedDayProblem(said) !== undefined ? undefined : { release: said };
  if (called === '') return undefined;
  if (kind === 'clear') return { clear: called };
  if (said === '') return undefined;
  const more = existing === '' ? {} : { existing };
  if (kind === 'rename') return { rename: called, to: said, ...more } as SampleChange;
  const entry = {
    text: said,
    ...(unit.trim() === '' ? {} : { unit: unit.trim() }),
    ...(term.trim() === '' ? {} : { ontologyTerms: term.split(/[\s,;]+/).filter(Boolean) }),
  };
  return { set: called, values: [entry], ...more } as SampleChange;
}
