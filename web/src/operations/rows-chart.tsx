import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Box, VisuallyHidden } from '@mantine/core';
import { count } from '../show/words.js';
import type { Minute } from './activity.js';

/** One bar a minute; the busiest minute is also said in words. */
export function RowsChart({ minutes }: { minutes: readonly Minute[] }) {
  const best = minutes.reduce((most, minute) => (minute.rowsPerSecond > most.rowsPerSecond ? minute : most), {
    time: '',
    rowsPerSecond: 0,
  });
  const words =
    best.rowsPerSecond === 0
      ? 'No rows were processed in the last hour.'
      : `At most ${count(best.rowsPerSecond)} rows per second, at ${best.time}.`;
  return (
    <Box>
      <VisuallyHidden>{words}</VisuallyHidden>
      <Box aria-hidden>
        <BarChart
          h={220}
          data={minutes as Minute[] as unknown as Record<string, number | string>[]}
          dataKey="time"
          series={[{ name: 'rowsPerSecond', label: 'Rows per second', color: 'petrol.6' }]}
          valueFormatter={count}
          tickLine="none"
          gridAxis="x"
          yAxisProps={{ allowDecimals: false }}
          withTooltip
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </Box>
    </Box>
  );
}
