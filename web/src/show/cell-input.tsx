import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useCellText } from './cell-text.js';

interface CellInputProps
  extends Pick<TextInputProps, 'aria-label' | 'error' | 'description' | 'inputWrapperOrder' | 'miw'> {
  value: string;
  onText: (text: string) => void;
  styles?: Partial<Record<'input' | 'description', CSSProperties>>;
}

/** A small field for the text of a cell, with as many lines as that has. */
export function CellInput({ value, onText, ...rest }: CellInputProps) {
  const { hasLines, withItsEnds } = useCellText(value);
  const onChange = (event: { currentTarget: { value: string } }) => onText(withItsEnds(event.currentTarget.value));
  if (hasLines) return <Textarea size="xs" rows={3} resize="vertical" value={value} onChange={onChange} {...rest} />;
  return <TextInput size="xs" value={value} onChange={onChange} {...rest} />;
}
