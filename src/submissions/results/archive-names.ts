/** Names of files in an archive: what a user called a file becomes a name alone, wherever it is unpacked. */

/** Of a name without its extension, in UTF-8: endings are added, and file systems take 255. */
const MOST_BYTES = 200;
const EXTENSION = /\.[^.]{1,6}$/;
/** Windows takes these for devices, whatever extension they have. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

const lastPart = (fileName: string): string => fileName.split(/[/\\]/).pop() ?? '';

/** Without its extension, and without anything that a file system or an unpacking program takes for more than a name. */
export function safeBase(fileName: string): string {
  const plain = lastPart(fileName)
    .replace(EXTENSION, '')
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .replace(/^[.\s]+/, '');
  const cut = Buffer.from(plain)
    .subarray(0, MOST_BYTES)
    .toString()
    .replace(/\uFFFD+$/, '');
  return cut.replace(/[.\s]+$/, '').replace(DEVICE, '$1_') || 'sheet';
}

/** The same with its extension. */
export function safeName(fileName: string): string {
  const [extension = ''] = EXTENSION.exec(lastPart(fileName)) ?? [];
  return safeBase(fileName) + extension.replace(/[^.A-Za-z0-9]/g, '_');
}
