import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { ErrorNote } from '../show/error-note.js';
import { addFiles } from '../upload/file-list.js';
import { originalFile } from './original.js';

/** Larger files are chosen anew from the disk, not carried through this tab's memory. */
const MAX_BYTES = 200_000_000;

/** Takes the file back to the upload, to be looked at and sent once more with other choices. */
export function Again({ submission }: { submission: SubmissionStatus }) {
  const [, go] = useLocation();
  const fetchFile = useMutation({
    mutationFn: () => originalFile(submission),
    onSuccess: (file) => {
      addFiles([file]);
      go('/');
    },
  });
  if (submission.fileSize > MAX_BYTES) return null;
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        loading={fetchFile.isPending}
        onClick={() => fetchFile.mutate()}
      >
        Upload again…
      </Button>
      {fetchFile.error && <ErrorNote error={fetchFile.error} doing="The file did not arrive" />}
    </>
  );
}
