/** Files on the reader's disk, as the browser hands them over. */

/** The browser reads a file only as it was when it was chosen; of one that is another by now it sends nothing. */
export class FileChanged extends Error {
  constructor(name: string) {
    super(
      `${name} was changed, moved or removed after you chose it, and the browser sends it only as it was then. Choose it again.`,
    );
    this.name = 'FileChanged';
  }
}

/** Why nothing was sent: the browser says no more of a file that it cannot read than of a server that is away. */
export async function whyNotSent(file: File, away: Error): Promise<Error> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return away;
  } catch {
    return new FileChanged(file.name);
  }
}
