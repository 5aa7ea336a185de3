import { Select } from '@mantine/core';

interface NameColumnProps {
  fileName: string;
  /** Headers of the sheet, those first that are likely. */
  headers: readonly string[];
  /** Why nothing else is asked of its columns. */
  unproposed?: string | undefined;
  value: string | undefined;
  onChoose: (header: string) => void;
}

/** For a sheet without a Sample Name: which of its columns names the samples. */
export function NameColumn({ fileName, headers, unproposed, value, onChoose }: NameColumnProps) {
  return (
    <Select
      label="Which column names the samples?"
      description={unproposed}
      placeholder="choose a column"
      aria-label={`Column that names the samples of ${fileName}`}
      data={[...new Set(headers)]}
      value={value ?? null}
      onChange={(header) => header !== null && onChoose(header)}
      searchable
      w={{ base: '100%', xs: 320 }}
    />
  );
}

const PREFIX = 'name-column:';

/** Sheets of one kind come again: what was chosen for these headers the last time, in this browser. */
export function rememberedName(headers: readonly string[]): string | undefined {
  try {
    return localStorage.getItem(PREFIX + headers.join('\t')) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberName(headers: readonly string[], header: string): void {
  try {
    localStorage.setItem(PREFIX + headers.join('\t'), header);
  } catch {
    // A browser that keeps nothing asks again.
  }
}
