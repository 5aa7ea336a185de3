/** How long something takes or waits is measured by a clock that nobody sets: that of the day may be an hour back at any moment. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/observability/metrics.js';
import { ROOT } from '../support/output.js';

/** A time that is kept to be compared with a later one, or one that is. */
const MEASURED =
  /(?:deadline|until|began|begun|since|born|heard|looked|kept|last|started) ?(?:=|:) Date\.now\(\)|Date\.now\(\) (?:[<>]=?|-) /g;

/** Compared with what others have written, times of files, of rows, of events, or with the clock that nobody sets, to see that it was set. */
const OF_THE_DAY = [
  'src/audit/files.ts',
  'src/blobs/filesystem.ts',
  'src/http/uploads/resumable-files.ts',
  'src/cli/watch/journal.ts',
  'src/client/save.ts',
  'src/observability/gauges.ts',
  'src/store/postgres/server-clock.ts',
  'src/store/sqlite/write-turn.ts',
];

describe('durations', () => {
  it('are measured by no clock of the day', () => {
    const found = ['src', 'workers'].flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .filter((name) => readFileSync(join(ROOT, room, name), 'utf8').match(MEASURED) !== null)
        .map((name) => `${room}/${name}`),
    );
    expect(found.filter((file) => !OF_THE_DAY.includes(file))).toEqual([]);
  });

  it('do not keep a figure of the metrics for an hour when the clock is set back by one', async () => {
    let waiting = 0;
    const metrics = new Metrics({ queue: async () => ({ states: {}, waiting: waiting++, running: 0 }) });
    const shown = async () => Number(/^queue_waiting (\d+)$/m.exec((await metrics.text()).body)?.[1]);
    const [ofDay, ofProcess] = [Date.now, performance.now];
    try {
      expect(await shown()).toBe(0);
      Date.now = () => ofDay() - 3_600_000;
      expect(await shown(), 'it is fresh').toBe(0);
      performance.now = () => ofProcess.call(performance) + 5_001;
      expect(await shown(), 'five seconds later').toBe(1);
    } finally {
      Date.now = ofDay;
      performance.now = ofProcess;
    }
  });
});
