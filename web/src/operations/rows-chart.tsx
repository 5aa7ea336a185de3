import { Box, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { pace } from '../show/words.js';
import type { Minute } from './activity.js';

/** Minutes between two times below the bars. */
const LABEL_EVERY = 10;

/** One bar a minute; the busiest minute is also said in words. */
export function RowsChart({ minutes }: { minutes: readonly Minute[] }) {
  const best = minutes.reduce((most, minute) => (minute.rowsPerSecond > most.rowsPerSecond ? minute : most), {
    time: '',
    rowsPerSecond: 0,
  });
  const words =
    best.rowsPerSecond === 0
      ? 'No rows were processed in the last hour.'
      : `At most ${pace(best.rowsPerSecond)} rows per second, at ${best.time}.`;
  return (
    <Box>
      <VisuallyHidden>{words}</VisuallyHidden>
      <Box aria-hidden>
        <Text size="xs" c="dimmed">
          {pace(best.rowsPerSecond)}
        </Text>
        <Group className="bars" gap={2} align="end" wrap="nowrap">
          {minutes.map(({ time, rowsPerSecond }) => (
            <Tooltip key={time} label={`${time}: ${pace(rowsPerSecond)} rows per second`}>
              <Box>
                <Box style={{ height: heightOf(rowsPerSecond, best.rowsPerSecond) }} />
              </Box>
            </Tooltip>
          ))}
        </Group>
        <Group gap={0} wrap="nowrap">
          {minutes.map(
            ({ time }, at) =>
              at % LABEL_EVERY === 0 && (
                <Text key={time} size="xs" c="dimmed" flex={1}>
                  {time}
                </Text>
              ),
          )}
        </Group>
      </Box>
    </Box>
  );
}

/** Of the chart's; what is there at all is seen. */
const heightOf = (rows: number, most: number): string => (rows === 0 ? '0' : `max(2px, ${(100 * rows) / most}%)`);
