import { type UploadOptions, upload } from '../api/upload.js';
import { type ChosenFile, changeFile } from './file-list.js';
import { rememberUpload } from './recent-uploads.js';

/** Sends one file of the list, which shows how it goes. Resolves to its submission, or to undefined when it was not taken. */
export async function sendFile({ key, file }: ChosenFile, options: UploadOptions): Promise<string | undefined> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort();
  changeFile(key, { state: { step: 'sending', sent: 0, stop } });
  let sent = 0;
  try {
    const onSent = (bytes: number) => {
      sent = bytes;
      changeFile(key, { state: sent < file.size ? { step: 'sending', sent, stop } : { step: 'waiting' } });
    };
    const onWait = (waits: string) => changeFile(key, { state: { step: 'sending', sent, stop, waits } });
    const { submissionId, replayed } = await upload({ file, options, onSent, onWait, signal });
    rememberUpload(submissionId, { file, options, replayed });
    changeFile(key, { state: { step: 'done', submissionId, replayed, dryRun: options.dryRun === true } });
    return submissionId;
  } catch (error) {
    changeFile(key, { state: { step: 'failed', error, options } });
    return undefined;
  }
}

/** What is said of all files, with what is said of this one. */
export const ofFile = (
  { encoding, nameColumn, mapped, table, part }: ChosenFile,
  options: UploadOptions,
): UploadOptions => ({
  ...(nameColumn === undefined ? {} : { nameColumn }),
  ...(mapped === undefined ? {} : { profile: mapped.profile }),
  ...(mapped?.sheet === undefined ? {} : { sheet: mapped.sheet }),
  ...options,
  ...(table?.chosen ? { sheet: table.sheet } : {}),
  ...(part === undefined ? {} : { sheet: part }),
  ...(encoding === undefined ? {} : { encoding }),
});
