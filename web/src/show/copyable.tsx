import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { CheckIcon, CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { copyText } from './copy-text.js';

interface CopyableProps {
  text: string;
  /** What it is, for the button's name: `accession`, say. */
  what: string;
  /** Shown instead of the whole text. */
  shown?: string;
  size?: 'md' | 'lg';
}

const SAID_MS = 1_500;

/** A value in the exact face, with a button that copies the whole of it. */
export function Copyable({ text, what, shown, size = 'md' }: CopyableProps) {
  const [copied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), SAID_MS);
  const copy = async () => {
    setCopied(await copyText(text));
    start();
  };
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <span
        className="value"
        style={size === 'lg' ? { fontSize: '1.375rem', fontWeight: 600 } : undefined}
        title={text}
      >
        {shown ?? text}
      </span>
      <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
        <ActionIcon variant="subtle" color={copied ? 'green' : 'gray'} onClick={copy} aria-label={`Copy ${what}`}>
          {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
