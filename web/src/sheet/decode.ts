/** From a file's bytes to its text, or to the reason why it has none that we can read. */
import { CODE_PAGE_850, fromCodePage850 } from '../../../src/tsv/bytes/code-page-850.js';
import { type LikelyEncoding, likelyEncodings } from '../../../src/tsv/bytes/likely-encodings.js';
import { unmarkedUtf16 } from '../../../src/tsv/bytes/unmarked-utf-16.js';
import { binaryKind, GZIP, OLE, startsWith, ZIP } from '../../../src/tsv/header/wrong-kind.js';

export type Decoded =
  | { kind: 'text'; text: string }
  | { kind: 'workbook' }
  /** `likely`: what the bytes may be, to be confirmed by who knows the words. */
  | { kind: 'refused'; problem: string; likely?: LikelyEncoding[] };

interface DecodeOptions {
  /** False when more bytes follow, so that the last character and the last row may be cut. */
  whole?: boolean;
  encoding?: string;
}

export function decodeSheet(bytes: Uint8Array, { whole = true, encoding }: DecodeOptions = {}): Decoded {
  if ([ZIP, GZIP, OLE].some((kind) => startsWith(bytes, kind))) return { kind: 'workbook' };
  const binary = binaryKind(bytes);
  if (binary)
    return refused(`This is ${binary}, not a table of text. Save the sheet as tab-separated text and choose that.`);
  const label = markedEncoding(bytes) ?? encoding ?? 'utf-8';
  const unmarked = label.startsWith('utf-16') ? undefined : unmarkedUtf16(bytes);
  if (unmarked) return asUtf16(bytes, unmarked);
  const text = decode(bytes, label, whole);
  if (text === undefined && label === 'utf-8') {
    const likely = likelyEncodings(bytes, (part, one) => decode(part, one, true));
    return {
      ...refused(
        'The text is not UTF-8. Save the sheet as "Unicode text" or "CSV UTF-8", or name its encoding under More choices.',
      ),
      ...(likely.length > 0 ? { likely } : {}),
    };
  }
  if (text === undefined) {
    return refused(`The text is not ${label}. Choose the encoding that it is really in, or none.`);
  }
  if (text.trim() === '')
    return refused('The file is empty. Choose a table with a header row and a row for each sample.');
  return { kind: 'text', text };
}

const refused = (problem: string): Extract<Decoded, { kind: 'refused' }> => ({ kind: 'refused', problem });

/** As the service refuses it, with the encoding that it names for a click. */
function asUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Decoded {
  const cells = decode(bytes.subarray(0, 2048), encoding, false)?.split(/[\t\r\n,;"]+/) ?? [];
  const example = cells.map((cell) => cell.trim()).find((cell) => cell !== '');
  return {
    ...refused(
      'The text looks like UTF-16 without the mark that says so. Save the sheet as "CSV UTF-8", or name its encoding under More choices.',
    ),
    ...(example === undefined ? {} : { likely: [{ encoding, example: example.slice(0, 40) }] }),
  };
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  return undefined;
}

/** Undefined when the bytes are no such text. */
function decode(bytes: Uint8Array, label: string, whole: boolean): string | undefined {
  if (label === CODE_PAGE_850) return fromCodePage850(lettersOf(bytes));
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}

const PIECE = 8192;

/** A character of each byte. */
function lettersOf(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return pieces.join('');
}
