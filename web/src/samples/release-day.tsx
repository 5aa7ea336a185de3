import { dayInUtc } from '../show/words.js';

/**
 * When a sample becomes public: the day that its sheet says, which begins at midnight in UTC. West of there it would be the
 * day before in the reader's own zone, and another than the form for editing says.
 */
export function ReleaseDay({ iso }: { iso: string | undefined }) {
  if (!iso) return <span>–</span>;
  return (
    <time dateTime={iso} title={iso} style={{ whiteSpace: 'nowrap' }}>
      {dayInUtc(iso)}
    </time>
  );
}
