import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { DownloadIcon, EllipsisIcon, RefreshCwIcon, SquareIcon, Undo2Icon } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formOf, type ResultForm } from '../../../src/submissions/results/result-form.js';
import type { SubmissionStatus } from '../api/contract.js';
import { isDryRun } from '../api/submission-kind.js';
import { type SubmissionAct, submissionPath, useSubmissionAct } from '../api/submissions.js';
import { savedLink } from '../show/download.js';
import { ErrorDialog } from '../show/error-dialog.js';
import { UndoDialog } from '../submission/undo-dialog.js';

const WORDS: Record<ResultForm, string> = { sheet: 'TSV', lines: 'NDJSON', isa: 'ISA-JSON' };

const REFUSED: Record<SubmissionAct, string> = {
  cancel: 'The submission was not cancelled',
  retry: 'The submission was not resumed',
  commit: 'The check was not carried out',
  undo: 'The submission was not undone',
};

/** The files of a submission and what can be done with it, at the name of the file. */
export function FilesMenu({ submission }: { submission: SubmissionStatus }) {
  const { submissionId: id, submissionStatus, fileName, counts, problem } = submission;
  const act = useSubmissionAct(id);
  const [undoing, setUndoing] = useState(false);
  const [, go] = useLocation();
  const askToUndo = () => {
    act.reset();
    setUndoing(true);
  };
  const path = submissionPath(id);
  const form = formOf(submission);
  const files = [
    { name: `Result (${WORDS[form]})`, path: `${path}/result`, there: counts.rows > 0 && !isDryRun(submission) },
    {
      name: 'Result (Excel)',
      path: `${path}/result?format=xlsx`,
      there: form === 'sheet' && counts.rows > 0 && !isDryRun(submission),
    },
    { name: 'Mapping (JSON)', path: `${path}/mapping`, there: counts.rows > 0 && !isDryRun(submission) },
    { name: 'RO-Crate (ZIP)', path: `${path}/ro-crate`, there: submission._links.roCrate !== undefined },
    {
      name: `Rows to fix (${WORDS[form === 'isa' ? 'lines' : form]})`,
      path: `${path}/errors`,
      there: counts.rejected > 0,
    },
    { name: 'Original', path: `${path}/original`, there: true },
  ];
  return (
    <>
      <UndoDialog
        opened={undoing}
        submission={submission}
        busy={act.isPending}
        error={act.error}
        onClose={() => {
          act.reset();
          setUndoing(false);
        }}
        onUndo={() => act.mutate('undo', { onSuccess: (next) => go(`/submissions/${next}`) })}
      />
      <ErrorDialog
        error={undoing ? undefined : act.error}
        doing={REFUSED[act.variables ?? 'undo']}
        onClose={act.reset}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Files and actions">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Files and actions of ${fileName}`}
              loading={act.isPending}
            >
              <EllipsisIcon size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {files
            .filter(({ there }) => there)
            .map(({ name, path: at }) => (
              <Menu.Item
                key={name}
                component="a"
                {...savedLink(at, name === 'Original' ? fileName : undefined)}
                leftSection={<DownloadIcon size={16} aria-hidden />}
              >
                {name}
              </Menu.Item>
            ))}
          {submissionStatus === 'ACTIVE' && (
            <Menu.Item leftSection={<SquareIcon size={16} aria-hidden />} onClick={() => act.mutate('cancel')}>
              Cancel
            </Menu.Item>
          )}
          {submission._links.undo && counts.created + counts.updated > 0 && (
            <Menu.Item leftSection={<Undo2Icon size={16} aria-hidden />} onClick={askToUndo}>
              Undo…
            </Menu.Item>
          )}
          {problem?.retryable && (
            <Menu.Item leftSection={<RefreshCwIcon size={16} aria-hidden />} onClick={() => act.mutate('retry')}>
              Resume
            </Menu.Item>
          )}
          <Menu.Item component={Link} href={`/submissions/${id}`}>
            Open
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
