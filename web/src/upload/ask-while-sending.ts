import { useSyncExternalStore } from 'react';
import { useAskBeforeLeaving } from '../show/ask-before-leaving.js';
import { listedFiles, onListChange, UNDER_WAY } from './file-list.js';

const isSending = (): boolean => listedFiles().some(({ state }) => UNDER_WAY.includes(state.step));

/** In every view: a file that is on its way, and those that wait behind it, would be lost with the page. */
export function AskWhileSending() {
  useAskBeforeLeaving(useSyncExternalStore(onListChange, isSending));
  return null;
}
