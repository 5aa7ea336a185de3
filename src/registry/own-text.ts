/**
 * The same text with characters of its own, for what is kept: a part that was cut out of a longer text keeps all of that, so that the
 * name of a sample kept its row, of up to 12 MiB.
 */
export function ownText(text: string): string {
  const encoding = Buffer.byteLength(text) === text.length ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
