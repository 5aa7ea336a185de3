import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Answered } from '../api/contract.js';
import { get } from '../api/request.js';

/** Pixels; the content is at least as high as the rest of the window. */
export const FOOT_HEIGHT = 36;

/** A tab may stay open over an upgrade of the service. */
const ASKED_EVERY_MS = 10 * 60_000;

/** Which version of the service answers here, for whoever reports something. */
export function Foot() {
  const live = useQuery({
    queryKey: ['service version'],
    queryFn: ({ signal }) => get<Answered<'/health/live'>>('/health/live', signal),
    refetchInterval: ASKED_EVERY_MS,
    staleTime: ASKED_EVERY_MS,
  });
  return (
    <Text component="footer" size="xs" c="dimmed" ta="center" h={FOOT_HEIGHT}>
      {live.data && `Sample registry ${live.data.version}`}
    </Text>
  );
}
