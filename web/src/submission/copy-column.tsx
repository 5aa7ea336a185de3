import { Button } from '@mantine/core';
import { CheckIcon, CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../show/copy-text.js';
import { counted } from '../show/words.js';

interface CopyColumnProps {
  pairs: readonly { sampleName: string; sampleAccession: string }[];
  /** Each row below the sheet's header is one of them, so that a column of accessions fits beside it. */
  aligned: boolean;
}

/** A column to paste beside the rows of the sheet; with the names where rows of it are missing, blank or remarks, or it would slip. */
export function CopyColumn({ pairs, aligned }: CopyColumnProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const lines = pairs.map(({ sampleName, sampleAccession }) =>
      aligned ? sampleAccession : `${sampleName.replaceAll(/[\t\r\n]/g, ' ')}\t${sampleAccession}`,
    );
    setCopied(await copyText(lines.join('\n')));
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={copied ? <CheckIcon size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
      onClick={copy}
    >
      {copied ? 'Copied: ' : 'Copy '}
      {copiedWords(pairs.length, aligned)}
    </Button>
  );
}

const copiedWords = (samples: number, aligned: boolean): string => {
  if (aligned) return counted(samples, 'accession');
  return samples === 1 ? '1 name and accession' : `${counted(samples, 'name')} and accessions`;
};
