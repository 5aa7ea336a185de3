/** Which encoding a file is in, and how to turn its bytes into text without ever making up a character. */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { RegistryError } from '../../registry/errors.js';
import { CODE_PAGE_850, fromCodePage850, isCodePage850 } from './code-page-850.js';

export interface TextDecoding {
  /** WHATWG name, lower case, e.g. `utf-8`, `utf-16le`, `windows-1252`, `macintosh`; or `ibm850`. */
  encoding: string;
  /** Bytes that a line end's unit takes: 2 in UTF-16. */
  unit: 1 | 2;
  /** The text, or undefined when the bytes are not valid. `more`: further bytes follow, so the last ones may be none of a whole character. */
  decode(bytes: Buffer, more?: boolean): string | undefined;
}

const BYTE_ORDER_MARKS: [encoding: string, mark: Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** How long a byte order mark of this encoding is at the start of these bytes; 0 without one. */
export function markLength(encoding: string, bytes: Buffer): number {
  for (const [name, mark] of BYTE_ORDER_MARKS) {
    if (name === encoding && bytes.subarray(0, mark.length).equals(mark)) return mark.length;
  }
  return 0;
}

/**
 * A byte order mark decides; else the declared label; else UTF-8.
 * @throws RegistryError request.invalid for a label that is not known
 */
export function encodingOf(head: Buffer, label: string | undefined): string {
  for (const [name, mark] of BYTE_ORDER_MARKS) {
    if (head.subarray(0, mark.length).equals(mark)) return name;
  }
  if (label === undefined) return 'utf-8';
  return isCodePage850(label) ? CODE_PAGE_850 : textDecoder(label).encoding;
}

/** @throws RegistryError request.invalid */
export function decodingOf(encoding: string): TextDecoding {
  if (encoding === 'utf-8') return { encoding, unit: 1, decode: decodeUtf8 };
  if (encoding === CODE_PAGE_850)
    return { encoding, unit: 1, decode: (bytes) => fromCodePage850(bytes.toString('latin1')) };
  if (encoding === 'windows-1252') return { encoding, unit: 1, decode: decodeWindows1252 };
  return {
    encoding,
    unit: encoding.startsWith('utf-16') ? 2 : 1,
    decode(bytes, more = false) {
      try {
        return textDecoder(encoding).decode(bytes, { stream: more });
      } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

function textDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch {
    throw new RegistryError(
      'request.invalid',
      `The encoding "${label.slice(0, 100)}" is not known; name one such as utf-8, utf-16le, windows-1252, iso-8859-15 or macintosh.`,
    );
  }
}

/** ASCII is a copy of bytes, three times as fast as UTF-8 decoding; a block is one or the other. */
function decodeUtf8(bytes: Buffer, more = false): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  if (!more) return undefined;
  for (let cut = 1; cut <= Math.min(3, bytes.length); cut++) {
    const whole = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(whole)) return whole.toString('utf8');
  }
  return undefined;
}

/** 0x80 to 0x9F of windows-1252, as WHATWG has them; Node 20 decodes them as ISO 8859-1 control characters. */
const HIGH_CONTROLS =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (control) => HIGH_CONTROLS.charAt(control.charCodeAt(0) - 0x80));
}
