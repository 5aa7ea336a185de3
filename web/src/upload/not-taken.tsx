import { Stack } from '@mantine/core';
import { FileChanged } from '../api/chosen-file.js';
import { ApiProblem } from '../api/request.js';
import type { UploadOptions } from '../api/upload.js';
import { ErrorNote } from '../show/error-note.js';
import { ArchivedTables } from './archived-tables.js';
import { Conflict, isOtherChoices } from './conflict.js';
import { type ChosenFile, changeFile, titleOf } from './file-list.js';
import { NameColumn } from './name-column.js';

export interface Offers {
  /** Sends it again with what the service offered. */
  onOffer: (chosen: ChosenFile, options: UploadOptions) => void;
  /** Sends each of its tables. */
  onTables: (chosen: ChosenFile, tables: readonly string[], options: UploadOptions) => void;
}

interface NotTakenProps extends Offers {
  chosen: ChosenFile;
  failed: Extract<ChosenFile['state'], { step: 'failed' }>;
}

/** Why the service did not take a file, and what can be done: whatever it offered, or sending it again. */
export function NotTaken({ chosen, failed: { error, options }, onOffer, onTables }: NotTakenProps) {
  const title = titleOf(chosen);
  if (isOtherChoices(error)) {
    return (
      <Conflict
        error={error}
        name={title}
        dryRun={options.dryRun === true}
        onOffer={(offered) => onOffer(chosen, { ...options, ...offered })}
      />
    );
  }
  const { nameColumns, tables } = error instanceof ApiProblem ? error.problem : {};
  const doing = `${title} was not taken`;
  const offered = tables ? (
    <ArchivedTables
      tables={tables}
      onChoose={(sheet) => onOffer(chosen, { ...options, sheet })}
      onChooseAll={() => onTables(chosen, tables, options)}
    />
  ) : (
    nameColumns && (
      <NameColumn
        fileName={title}
        headers={nameColumns}
        value={undefined}
        onChoose={(nameColumn) => onOffer(chosen, { ...options, nameColumn })}
      />
    )
  );
  if (offered) {
    return (
      <Stack gap="xs">
        <ErrorNote error={error} doing={doing} />
        {offered}
      </Stack>
    );
  }
  const again = () => changeFile(chosen.key, { state: { step: 'ready' } });
  return <ErrorNote error={error} doing={doing} {...(error instanceof FileChanged ? {} : { retry: again })} />;
}
