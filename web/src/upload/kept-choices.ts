/** What the form holds, as long as files lie on the table: who looks at another view meanwhile finds it as it was. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Choices, FIRST_CHOICES } from './chosen-options.js';
import { listedFiles, onListChange } from './file-list.js';

let kept: Choices | undefined;

// The next files are begun with as any others: what was said of those before is no choice for them.
onListChange(() => {
  if (listedFiles().length === 0) kept = undefined;
});

const isListed = (): boolean => listedFiles().length > 0;

export function useChoices(): [Choices, (choices: Choices) => void] {
  const [choices, setChoices] = useState<Choices>(() => kept ?? FIRST_CHOICES);
  const listed = useSyncExternalStore(onListChange, isListed);
  useEffect(() => {
    if (listed) kept = choices;
  }, [listed, choices]);
  return [choices, setChoices];
}
