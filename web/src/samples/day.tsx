import { day, dayAndTime, zone } from '../show/words.js';

/** A day, with time and zone on hover. */
export function Day({ iso }: { iso: string | undefined }) {
  if (!iso) return <span>–</span>;
  return (
    <time dateTime={iso} title={`${dayAndTime(iso)} · ${zone()}`} style={{ whiteSpace: 'nowrap' }}>
      {day(iso)}
    </time>
  );
}
