/**
 * The same text with characters of its own, for what is kept: a part that was cut out of a longer text keeps all of that, so that the
 * name of a sample kept its row, of up to 12 MiB. The page, where there are no buffers, cuts texts by the same rules.
 */
export const ownText = (text: string): string =>
  text.length < SHARED ? text : (JSON.parse(JSON.stringify(text)) as string);

/** Shorter pieces are copied when they are cut out (V8: `SlicedString::kMinLength`): 0.8 ms of an upload of 150 rows was spent on them. */
const SHARED = 13;
