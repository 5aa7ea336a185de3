import type { ClipboardEvent } from 'react';
import { useCellText } from '../../show/cell-text.js';

interface GridFieldProps {
  label: string;
  value: string;
  tone: string | undefined;
  title: string | undefined;
  onText: (text: string) => void;
  onFocus: () => void;
  onPaste: (event: ClipboardEvent<HTMLElement>) => void;
}

/** Lines of a cell that are seen at once. */
const MOST_LINES = 4;

/** The field of one cell of the sheet, with as many lines as the cell has. */
export function GridField({ label, value, tone, title, onText, onFocus, onPaste }: GridFieldProps) {
  const { hasLines, withItsEnds } = useCellText(value);
  const field = {
    className: 'cell',
    'data-tone': tone,
    'aria-label': label,
    'aria-invalid': tone === 'bad' || undefined,
    title,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onText(withItsEnds(event.currentTarget.value)),
    onFocus,
    onPaste,
  };
  if (!hasLines) return <input {...field} />;
  return <textarea {...field} rows={Math.min(value.split(/\r\n|\r|\n/).length, MOST_LINES)} />;
}
