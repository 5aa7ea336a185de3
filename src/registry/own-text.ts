/**
 * A text in memory of its own, for what is kept: a part that was cut out of a longer text keeps all of that, so that the name of a
 * sample kept its row, of up to 12 MiB.
 */
export const ownText = (text: string): string => Buffer.from(text).toString();
