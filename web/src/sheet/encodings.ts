/** Encodings that spreadsheet programs save text in, by their WHATWG labels; `ibm850` is none of those. */
export const ENCODINGS = [
  { value: 'windows-1252', label: 'Windows-1252 (Western Europe)' },
  { value: 'macintosh', label: 'Macintosh (Roman)' },
  { value: 'iso-8859-15', label: 'ISO 8859-15' },
  { value: 'windows-1250', label: 'Windows-1250 (Central Europe)' },
  { value: 'windows-1251', label: 'Windows-1251 (Cyrillic)' },
  { value: 'koi8-r', label: 'KOI8-R (Cyrillic)' },
  { value: 'windows-1253', label: 'Windows-1253 (Greek)' },
  { value: 'windows-1254', label: 'Windows-1254 (Turkish)' },
  { value: 'shift_jis', label: 'Shift_JIS (Japanese)' },
  { value: 'euc-jp', label: 'EUC-JP (Japanese)' },
  { value: 'gb18030', label: 'GB 18030 (Chinese)' },
  { value: 'big5', label: 'Big5 (Chinese)' },
  { value: 'euc-kr', label: 'EUC-KR (Korean)' },
  { value: 'ibm850', label: 'DOS code page 850 (Western Europe)' },
  { value: 'utf-16le', label: 'UTF-16 without a mark' },
  { value: 'utf-16be', label: 'UTF-16, big end first, without a mark' },
];

/** Short, without the languages. */
export const titleOf = (encoding: string): string =>
  ENCODINGS.find(({ value }) => value === encoding)?.label.replace(/ \(.*\)$/, '') ?? encoding;
