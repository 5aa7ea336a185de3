import { type UploadOptions, UploadStopped } from '../api/upload.js';
import type { Question } from './ask-dialog.js';
import { type ChosenFile, changeFile, titleOf } from './file-list.js';
import { questionsBefore } from './look-first.js';
import { mayGoOn } from './open-questions.js';
import { ofFile } from './send-files.js';

/** Those of the files that may be registered: all that can be looked at, unless the reader goes back from a question. */
export async function askFirst(
  wanted: readonly ChosenFile[],
  options: UploadOptions,
  isWanted: () => boolean,
): Promise<readonly ChosenFile[]> {
  const open: Question[] = [];
  const taken: ChosenFile[] = [];
  for (const chosen of wanted) {
    if (!isWanted()) return [];
    const stopping = new AbortController();
    const looking = { step: 'looking' as const, stop: () => stopping.abort() };
    changeFile(chosen.key, { state: looking });
    const { signal } = stopping;
    const onSent = (sent: number) => changeFile(chosen.key, { state: { ...looking, sent } });
    const onWait = (waits: string) => changeFile(chosen.key, { state: { ...looking, waits } });
    try {
      const says = await questionsBefore(chosen, ofFile(chosen, options), { signal, onSent, onWait });
      if (says.length > 0) open.push({ name: titleOf(chosen), says });
      changeFile(chosen.key, { state: { step: 'ready' } });
      taken.push(chosen);
    } catch (problem) {
      const error = stopping.signal.aborted ? new UploadStopped(chosen.file.name) : problem;
      changeFile(chosen.key, { state: { step: 'failed', error, options } });
    }
  }
  return (await mayGoOn(open)) ? taken : [];
}
