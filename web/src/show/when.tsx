import { useInterval } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { serverNow } from '../api/server-clock.js';
import { ago, dayAndTime, zone } from './words.js';

/** A time, with its zone and exact value on hover. */
export function When({ iso }: { iso: string | undefined }) {
  if (!iso) return <span>–</span>;
  return (
    <time dateTime={iso} title={`${zone()} · ${iso}`} className="moment">
      {dayAndTime(iso)}
    </time>
  );
}

/** `12 s ago`, kept true while it is looked at. */
export function Ago({ iso }: { iso: string }) {
  const now = useNow(5_000);
  return (
    <time dateTime={iso} title={`${dayAndTime(iso)} · ${zone()}`} className="moment">
      {ago(iso, now)}
    </time>
  );
}

/** The service's clock, read every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  const { start, stop } = useInterval(() => setNow(serverNow()), everyMs);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  return now;
}
