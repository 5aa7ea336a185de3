/** From a file's bytes to its text, or to the reason why it has none that we can read. */
import { binaryKind, GZIP, OLE, startsWith, ZIP } from '../../../src/tsv/header/wrong-kind.js';

export type Decoded =
  | { kind: 'text'; text: string }
  | { kind: 'workbook' }
  | { kind: 'refused'; problem: string; guess?: EncodingGuess };

/** What the bytes may be, to be confirmed by who knows the words. */
export interface EncodingGuess {
  /** WHATWG label. */
  encoding: string;
  /** The first cell that is another in every encoding, as it would be read. */
  example: string;
}

/** What spreadsheets on Windows save as text unless another is chosen. */
const USUAL = 'windows-1252';

interface DecodeOptions {
  /** False when more bytes follow, so that the last character and the last row may be cut. */
  whole?: boolean;
  encoding?: string;
}

export function decodeSheet(bytes: Uint8Array, { whole = true, encoding }: DecodeOptions = {}): Decoded {
  if (startsWith(bytes, ZIP) || startsWith(bytes, GZIP)) return { kind: 'workbook' };
  if (startsWith(bytes, OLE)) {
    return refused('This is an old Excel file (.xls). Save it as .xlsx or as "Text (tab delimited)" and choose that.');
  }
  const binary = binaryKind(bytes);
  if (binary)
    return refused(`This is ${binary}, not a table of text. Save the sheet as tab-separated text and choose that.`);
  const label = markedEncoding(bytes) ?? encoding ?? 'utf-8';
  const text = decode(bytes, label, whole);
  if (text === undefined && label === 'utf-8') {
    const guess = guessOf(bytes);
    return {
      ...refused(
        'The text is not UTF-8. Save the sheet as "Unicode text" or "CSV UTF-8", or name its encoding under More choices.',
      ),
      ...(guess ? { guess } : {}),
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

/** Undefined for bytes that no such text has. */
function guessOf(bytes: Uint8Array): EncodingGuess | undefined {
  if (bytes.includes(0)) return undefined;
  const example = /[^\t\r\n,;"]*\P{ASCII}[^\t\r\n,;"]*/u.exec(new TextDecoder(USUAL).decode(bytes))?.[0].trim();
  return example ? { encoding: USUAL, example: example.slice(0, 40) } : undefined;
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  return undefined;
}

/** Undefined when the bytes are no such text. */
function decode(bytes: Uint8Array, label: string, whole: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}
