import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SubmissionStatus } from '../api/contract.js';
import { address } from '../api/request.js';
import { oneSubmission, submissionKey, submissionPath } from '../api/submissions.js';
import { latestOf } from './progress.js';

/** While events come, the state is asked for seldom; without them, every second. */
const WITH_EVENTS_MS = 15_000;
const WITHOUT_EVENTS_MS = 1_000;

/** A submission, followed to its end: by the server's events, with polling as the net below them. */
export function useSubmission(id: string) {
  const client = useQueryClient();
  const [hearing, setHearing] = useState(false);
  const submission = useQuery({
    ...oneSubmission(id),
    structuralSharing: (known, reported) =>
      replaceEqualDeep(known, latestOf(known as SubmissionStatus | undefined, reported as SubmissionStatus)),
    refetchInterval: ({ state }) =>
      state.data?.submissionStatus === 'ACTIVE' ? (hearing ? WITH_EVENTS_MS : WITHOUT_EVENTS_MS) : false,
  });
  const running = submission.data?.submissionStatus === 'ACTIVE';

  useEffect(() => {
    if (!running) return;
    const events = new EventSource(address(`${submissionPath(id)}/events`));
    const hear = ({ data }: MessageEvent<string>) => {
      setHearing(true);
      const reported = documentIn(data);
      if (reported)
        client.setQueryData<SubmissionStatus>(submissionKey(id), (known) =>
          known ? { ...known, ...reported } : known,
        );
      if (reported?.submissionStatus !== 'ACTIVE') client.invalidateQueries({ queryKey: submissionKey(id) });
    };
    events.onmessage = hear;
    for (const kind of ['progress', 'status', 'end', 'done', 'submission']) events.addEventListener(kind, hear);
    events.onerror = () => setHearing(false);
    return () => {
      events.close();
      setHearing(false);
    };
  }, [running, id, client]);

  return submission;
}

/** The status document in an event; undefined for an event that only says that something changed. */
function documentIn(data: string): Partial<SubmissionStatus> | undefined {
  try {
    const reported = JSON.parse(data) as Partial<SubmissionStatus> | null;
    return reported && typeof reported === 'object' && reported.submissionStatus !== undefined ? reported : undefined;
  } catch {
    return undefined;
  }
}
