/** What an upload reads and where it saves, looked at before anything is sent: a folder that is missing is found before samples are registered. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Parts of a submission that an upload may save, and the options that say where. */
export const PARTS = ['result', 'mapping', 'errors'] as const;
export type Places = Partial<Record<(typeof PARTS)[number], string>>;

/** @throws Error when the file cannot be sent, with what to do */
export async function checkReadable(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `${file}: there is no such file.` : error.message);
  });
  if (found.isDirectory()) {
    throw new Error(
      `${file} is a folder. Name the files in it, such as ${join(file, '*.tsv')}, or upload all that appear in it with: sample-registry watch ${file}`,
    );
  }
  // A stream cannot be sent a second time, which an upload over a line that breaks has to be.
  if (!found.isFile())
    throw new Error(`${file} is no file but a pipe or a device: save what it gives, and upload that.`);
  await access(file, constants.R_OK);
}

/** `several`: each place is a folder, in which every table has parts of its own. @throws Error when there is no such folder */
export async function checkPlaces(places: Places, several: boolean): Promise<void> {
  for (const part of PARTS) {
    const place = places[part];
    if (place === undefined) continue;
    if (place === '') throw new Error(`--${part} names no file.`);
    const folder = several ? place : dirname(place);
    if (!(await isFolder(folder))) throw new Error(`--${part} ${place}: there is no folder ${folder}.`);
  }
}

/** Where a part goes: `inFolder` where several are saved, else the place itself, or `alone` in it when that is a folder. */
export const placeOf = async (place: string, alone: string, inFolder: string | undefined): Promise<string> => {
  const name = inFolder ?? ((await isFolder(place)) ? alone : undefined);
  return name === undefined ? place : join(place, name);
};

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
