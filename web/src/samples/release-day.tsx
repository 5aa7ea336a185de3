import { Text } from '@mantine/core';
import { serverNow } from '../api/server-clock.js';
import { dayAndTime, dayInUtc, zone } from '../show/words.js';

/**
 * When a sample becomes public: the day that its sheet says, which begins at midnight in UTC. West of there it would be the
 * day before in the reader's own zone, and another than the form for editing says; of one that is still to come it is said
 * when that is for the reader.
 */
export function ReleaseDay({ iso }: { iso: string | undefined }) {
  if (!iso) return <span>–</span>;
  return (
    <>
      <time dateTime={iso} title={`${dayAndTime(iso)} · ${zone()}`} style={{ whiteSpace: 'nowrap' }}>
        {dayInUtc(iso)}
      </time>
      {Date.parse(iso) > serverNow() && (
        <Text component="span" inherit c="dimmed">
          {' '}
          (in UTC; {dayAndTime(iso)} where you are)
        </Text>
      )}
    </>
  );
}
