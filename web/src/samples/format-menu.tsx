import { Button, Menu, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  FORMAT_NAMES,
  isSheet,
  type SheetFormat,
} from '../../../src/formats/names.js';
import { count, counted } from '../show/words.js';

const LABELS: Record<SheetFormat | 'ndjson', string> = {
  tsv: 'Sheet (TSV)',
  csv: 'Sheet with commas (CSV)',
  xlsx: 'Excel workbook',
  ndjson: 'JSON, a sample on each line',
};

export const formatLabel = (format: ExportFormat): string =>
  isSheet(format) || format === 'ndjson' ? LABELS[format] : FORMAT_NAMES[format].title;

const FORMATS = EXPORT_FORMATS.map((format) => ({
  format,
  label: formatLabel(format),
  most: format === 'xlsx' ? 1_048_575 : Number.POSITIVE_INFINITY,
}));

interface FormatMenuProps {
  label: string;
  icon: ReactNode;
  /** What is done with the samples: "Take". */
  verb: string;
  /** How many samples there are, once they are counted; nobody has to wait for it to choose. */
  found: number | undefined;
  counting: boolean;
  loading: boolean;
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onChoose: (format: ExportFormat) => void;
}

/** A button that asks for the format of a file of samples. */
export function FormatMenu({
  label,
  icon,
  verb,
  found,
  counting,
  loading,
  opened,
  onOpened,
  onChoose,
}: FormatMenuProps) {
  return (
    <Menu opened={opened} onChange={onOpened} position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={icon} loading={loading}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{counting ? 'Counting the samples…' : `${verb} ${these(found)} as`}</Menu.Label>
        {FORMATS.map(({ format, label: title, most }) => (
          <Menu.Item
            key={format}
            disabled={found !== undefined && (found === 0 || found > most)}
            onClick={() => onChoose(format)}
          >
            {title}
            {found !== undefined && found > most && (
              <Text size="xs">holds at most {count(most)}; narrow the search</Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const these = (samples: number | undefined): string =>
  samples === undefined ? 'the samples' : samples === 1 ? 'this sample' : `these ${counted(samples, 'sample')}`;
