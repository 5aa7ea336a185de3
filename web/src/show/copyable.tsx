import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyableProps {
  text: string;
  /** What it is, for the button's name: `accession`, say. */
  what: string;
  /** Shown instead of the whole text. */
  shown?: string;
  size?: 'md' | 'lg';
}

/** A value in the exact face, with a button that copies the whole of it. */
export function Copyable({ text, what, shown, size = 'md' }: CopyableProps) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <span
        className="value"
        style={size === 'lg' ? { fontSize: '1.375rem', fontWeight: 600 } : undefined}
        title={text}
      >
        {shown ?? text}
      </span>
      <CopyButton value={text} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
            <ActionIcon variant="subtle" color={copied ? 'green' : 'gray'} onClick={copy} aria-label={`Copy ${what}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
