import { useEffect, useSyncExternalStore } from 'react';
import { stopStillUploads } from '../api/still-uploads.js';
import { useMe } from '../session/session.js';
import { useAskBeforeLeaving } from '../show/ask-before-leaving.js';
import { AskDialog } from './ask-dialog.js';
import { listedFiles, listOf, onListChange, UNDER_WAY } from './file-list.js';
import { answer, onQuestions, openQuestions } from './open-questions.js';
import { StillNote } from './still-note.js';

const isSending = (): boolean => listedFiles().some(({ state }) => UNDER_WAY.includes(state.step));

/**
 * Over every view: the list is of the account that is signed in, so that nothing of it is sent in another's name; what is
 * asked before its files are registered is asked wherever the reader is; and the browser asks before a file that is on its
 * way, with those that wait behind it, is lost with the page.
 */
export function ListKeeper() {
  const account = useMe().data?.account;
  const questions = useSyncExternalStore(onQuestions, openQuestions);
  useEffect(() => {
    answer(false);
    stopStillUploads();
    if (account !== undefined) listOf(account);
  }, [account]);
  useAskBeforeLeaving(useSyncExternalStore(onListChange, isSending));
  return (
    <>
      <AskDialog questions={questions} onAnswer={answer} />
      <StillNote />
    </>
  );
}
