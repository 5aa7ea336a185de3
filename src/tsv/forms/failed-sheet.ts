/** A sheet that a formula fills, such as an IMPORTRANGE of Google Sheets, where nothing has come of that. */
import { RegistryError } from '../../registry/errors.js';
import type { Head } from '../bytes/head-rows.js';
import { isAwaited, isErrorValue } from '../error-values.js';

/** Of one without a header, in which nothing else stands. @throws RegistryError file.wrong-kind */
export function refuseFailed(head: Head): void {
  let first: { line: number; text: string } | undefined;
  for (const { line, cells } of head.rowsBelow({ delimiter: '\t', headerEnd: 0 })) {
    const texts = cells.flatMap((cell) => cell.split(/[,;|]/)).filter((text) => text.trim() !== '');
    if (!texts.every((text) => isErrorValue(text.trim()) || isAwaited(text.trim()))) return;
    const [text] = texts;
    if (text !== undefined) first ??= { line, text: text.trim() };
  }
  if (first) throw withoutResult(first.line, first.text);
}

const withoutResult = (line: number, text: string): RegistryError =>
  new RegistryError(
    'file.wrong-kind',
    `Line ${line}: "${text}" stands where the header should, which a spreadsheet shows of a formula that has failed or has no result yet, such as an IMPORTRANGE that was not given access. Open the sheet, wait until its values are there, and save or download it anew.`,
    { extra: { line } },
  );
