import { Alert, type AlertProps } from '@mantine/core';
import { CircleCheckIcon, CircleXIcon, InfoIcon, TriangleAlertIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

export type Tone = 'good' | 'care' | 'bad' | 'plain';

const ICONS = { good: CircleCheckIcon, care: TriangleAlertIcon, bad: CircleXIcon, plain: InfoIcon };

interface NoteProps extends Omit<AlertProps, 'title' | 'color'> {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** A message with icon and words; colour only underlines them. */
export function Note({ tone, title, children, ...rest }: NoteProps) {
  const Icon = ICONS[tone];
  const ink = tone === 'plain' ? 'var(--mantine-color-text)' : `var(--${tone})`;
  const wash = tone === 'plain' ? 'var(--surface-quiet)' : `var(--${tone}-wash)`;
  return (
    <Alert
      icon={<Icon size={20} aria-hidden />}
      title={title}
      role={tone === 'bad' ? 'alert' : 'status'}
      styles={{
        root: { background: wash, border: '1px solid var(--line)' },
        icon: { color: ink },
        title: { color: ink },
        message: { color: 'var(--mantine-color-text)', overflowWrap: 'anywhere' },
      }}
      {...rest}
    >
      {children}
    </Alert>
  );
}
