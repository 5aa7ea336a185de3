/** Files of what was dropped; of a folder all that are in it, and in its folders. */

/** Taken at once: a folder of a whole disk is no folder of sheets. */
export const MOST_FILES = 500;

export interface Dropped {
  files: File[];
  /** The folders hold more than are taken. */
  more: boolean;
}

export async function droppedFiles({ items, files }: DataTransfer): Promise<Dropped> {
  // Both must be taken before anything is waited for: after that the browser has forgotten them.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const plain = { files: [...files], more: false };
  if (!entries.some(({ isDirectory }) => isDirectory)) return plain;
  const found: File[] = [];
  try {
    for (const entry of entries) await collect(entry, found);
  } catch {
    // Each is looked at by itself then, and says that it cannot be read.
    return plain;
  }
  return found.length > 0 ? { files: found.slice(0, MOST_FILES), more: found.length > MOST_FILES } : plain;
}

async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (found.length > MOST_FILES || isHidden(entry)) return;
  if (isFile(entry)) {
    found.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A folder is read in parts; the last one is empty.
  for (let part = await read(reader); part.length > 0; part = await read(reader)) {
    for (const one of part.sort((a, b) => a.name.localeCompare(b.name))) await collect(one, found);
  }
}

const read = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** What systems and spreadsheet programs leave beside the files of people. */
const isHidden = ({ name }: FileSystemEntry): boolean => /^(?:\.|~\$)|^(?:Thumbs\.db|desktop\.ini)$/i.test(name);
