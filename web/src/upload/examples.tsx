import { Anchor, Group, Text } from '@mantine/core';
import badRows from '../../../samples-tsv/bad-rows.tsv?url';
import small from '../../../samples-tsv/small.tsv?url';

/** For the first visit: a sheet that works and one that does not, to open in a spreadsheet program. */
export function Examples() {
  return (
    <Group gap="md">
      <Text size="sm" c="dimmed">
        First time here? Open an example in your spreadsheet program, or upload it to see what happens:
      </Text>
      <Anchor href={small} download="example.tsv" size="sm">
        a small sheet
      </Anchor>
      <Anchor href={badRows} download="example-with-errors.tsv" size="sm">
        a sheet with errors
      </Anchor>
    </Group>
  );
}
