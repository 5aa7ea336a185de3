/**
 * Office files of which no sheet is read, known by the names of what is in them: the one list for the service, which reads
 * workbooks, and for the page, which says so before anything is sent.
 */

export interface Unread {
  what: string;
  /** By default that it be saved as another kind. */
  fix?: string;
}

export const SAVE_AS_TABLE = 'Save the sheet as .xlsx, or as tab-separated text (.tsv), and upload that.';

/** What a document of Numbers is packed of; of one that is a folder, and was packed as such, within it. */
const NUMBERS = /^(?:(?:.*\/)?[^/]*\.numbers\/)?index(?:\.zip|\/.*\.iwa)$/;

/** Of a zip package. `names`: of its parts, in small letters. */
export function unreadPackage(names: readonly string[]): Unread | undefined {
  const begins = (start: string, end = '') => names.some((name) => name.startsWith(start) && name.endsWith(end));
  if (names.includes('xl/workbook.bin')) return { what: 'This is a binary workbook (.xlsb).' };
  if (begins('', 'vbaproject.bin') || begins('xl/macrosheets/'))
    return {
      what: 'The workbook carries macros (.xlsm), which are not taken in.',
      fix: 'Save it as .xlsx, without macros, and upload that.',
    };
  if (names.some((name) => NUMBERS.test(name)))
    return {
      what: 'This is an Apple Numbers file.',
      fix: 'In Numbers choose File, Export To, Excel (or TSV), and upload what that writes.',
    };
  if (begins('word/')) return { what: 'This is a text document (.docx), not a workbook.' };
  if (begins('ppt/')) return { what: 'This is a presentation (.pptx), not a workbook.' };
  return undefined;
}

/** Of a package of an OpenDocument program. `kind`: what it says of itself. */
export const unreadOpenDocument = (kind: string): Unread | undefined =>
  /\.spreadsheet(-template)?$/.test(kind.trim())
    ? undefined
    : { what: 'This is an OpenDocument file of another kind (a text, a drawing), not a workbook.' };

/** Of a compound file, the container of old office programs. The names are those of its root folder, in small letters. */
export function unreadCompound(streams: ReadonlySet<string>, folders: ReadonlySet<string>): Unread | undefined {
  if (streams.has('encryptedpackage')) return LOCKED;
  if (!streams.has('workbook'))
    return {
      what: streams.has('book')
        ? 'This is a workbook of Excel 95 or older (.xls).'
        : 'This is a binary office file (.doc, .ppt or the like), not a workbook.',
    };
  return folders.has('_vba_project_cur') ? WITH_MACROS : undefined;
}

export const LOCKED: Unread = {
  what: 'The workbook is protected with a password.',
  fix: 'Take the password off, save it anew and upload that.',
};

export const WITH_MACROS: Unread = {
  what: 'The workbook carries macros, which are not taken in.',
  fix: 'Save it without them and upload that.',
};
