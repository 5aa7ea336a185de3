import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { UPLOAD_DAY } from '../../../../src/tsv/header/profile-release.js';
import { ApiProblem } from '../../api/request.js';
import { ErrorNote } from '../../show/error-note.js';
import { counted } from '../../show/words.js';
import { type ChosenFile, changeFile, type OpenMapping, titleOf } from '../file-list.js';
import { useProfileList } from '../import-profiles.js';
import {
  documentOfMapping,
  doubtfulColumns,
  type Mapping,
  openColumns,
  withCharacteristics,
  withMeaning,
} from './mapping.js';
import { MappingColumns } from './mapping-columns.js';
import { MappingPreview } from './mapping-preview-list.js';
import { keepProfile } from './mapping-requests.js';
import { askMapping } from './mapping-state.js';

interface MappingStepProps {
  chosen: ChosenFile;
  open: OpenMapping;
  /** Whoever wants to say no more than which column names the samples. */
  onNamesOnly?: (() => void) | undefined;
  /** Whoever came here from a sheet that can be read as it stands. */
  onAsItWas?: (() => void) | undefined;
}

/** What each column of a sheet is that is not ours: proposed, changed, kept under a name and used from then on. */
export function MappingStep({ chosen, open, onNamesOnly, onAsItWas }: MappingStepProps) {
  const { mapping } = open;
  const client = useQueryClient();
  const [failure, setFailure] = useState<unknown>();
  const [saving, setSaving] = useState(false);
  const document = useMemo(() => documentOfMapping(mapping), [mapping]);
  const change = (next: Mapping) => changeFile(chosen.key, { mapping: { ...open, mapping: next } });
  const lacks = whatIsMissing(mapping);
  const doubtful = doubtfulColumns(mapping).length;
  const present = usePresent(mapping);
  // Whoever heard that there is another one by now decides about that one.
  const isAnother = failure instanceof ApiProblem && failure.status === 412;
  const isOvertaken = isAnother && present !== undefined;
  const replaced = isAnother ? present : (readBy(mapping) ?? present);
  const replaces = isOvertaken || (present !== undefined && readBy(mapping) === undefined);

  const save = async () => {
    setSaving(true);
    setFailure(undefined);
    try {
      await keepProfile(mapping.name.trim(), document, replaced?.version);
      await client.invalidateQueries({ queryKey: ['profiles'] });
      const { sheet } = mapping.proposal;
      const lacksRelease =
        document.release === undefined && !document.columns.some(({ as }) => as === 'release' || as === 'identifier');
      const mapped = {
        profile: mapping.name.trim(),
        lacksRelease,
        ...(open.packed && sheet !== undefined ? { sheet } : {}),
      };
      changeFile(chosen.key, { mapping: undefined, mapped, table: undefined });
    } catch (error) {
      await client.invalidateQueries({ queryKey: ['profiles'] });
      setFailure(error);
    } finally {
      setSaving(false);
    }
  };

  return (
    <Stack gap="sm" component="section" aria-label={`Columns of ${titleOf(chosen)}`}>
      <Text fw={600}>What are the columns of this sheet?</Text>
      <Whereabouts chosen={chosen} mapping={mapping} />
      {open.failure !== undefined && <ErrorNote error={open.failure} doing="The columns stay as they were" />}
      <MappingColumns
        mapping={mapping}
        fileName={titleOf(chosen)}
        onChange={(column, meaning) => change(withMeaning(mapping, column, meaning))}
      />
      {doubtful > 0 && (
        <Group>
          <Button variant="default" size="xs" onClick={() => change(withCharacteristics(mapping))}>
            {doubtful === 1 ? 'Keep 1 unknown column as a characteristic' : `Keep all ${doubtful} as characteristics`}
          </Button>
        </Group>
      )}
      {mapping.proposal.lacks.includes('organism') && (
        <TextInput
          label="Organism of all samples"
          description="No column says it. Leave it empty where they differ or it is not known."
          value={mapping.organism}
          onChange={(event) => change({ ...mapping, organism: event.currentTarget.value })}
          w={{ base: '100%', xs: 420 }}
        />
      )}
      {(mapping.release !== '' || mapping.proposal.lacks.includes('release')) && (
        <Checkbox
          label={
            mapping.release === '' || mapping.release === UPLOAD_DAY ? ON_UPLOAD_DAY : `Public on ${mapping.release}`
          }
          description="No column says when. Without this you are asked at each upload."
          checked={mapping.release !== ''}
          onChange={(event) => change({ ...mapping, release: event.currentTarget.checked ? UPLOAD_DAY : '' })}
        />
      )}
      <MappingPreview document={document} proposal={mapping.proposal} />
      <Group align="flex-end">
        <TextInput
          label="Keep this under the name"
          description="Sheets with these columns are read so from now on."
          value={mapping.name}
          onChange={(event) => {
            setFailure(undefined);
            change({ ...mapping, name: event.currentTarget.value });
          }}
          w={{ base: '100%', xs: 320 }}
        />
        <Button onClick={save} loading={saving} disabled={lacks !== undefined}>
          {replaces ? 'Replace it and use' : 'Keep and use'}
        </Button>
        {onAsItWas && (
          <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onAsItWas}>
            Read the sheet as it was
          </Button>
        )}
        {onNamesOnly && (
          <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onNamesOnly}>
            Only choose the column for names
          </Button>
        )}
      </Group>
      {lacks !== undefined && <Text size="sm">{lacks}</Text>}
      {replaces && <Replaces isOvertaken={isOvertaken} />}
      {failure !== undefined && !isOvertaken && <ErrorNote error={failure} doing="The profile was not kept" />}
    </Stack>
  );
}

function Replaces({ isOvertaken }: { isOvertaken: boolean }) {
  return (
    <Text size="sm" role={isOvertaken ? 'alert' : undefined}>
      {isOvertaken
        ? 'Nothing was kept: somebody of your account has kept another profile under this name meanwhile.'
        : 'You keep a profile of this name for other sheets.'}{' '}
      It would read sheets with these columns from now on, and those others no more; give another name to keep both.
    </Text>
  );
}

interface Version {
  version?: number;
}

/** What the columns were proposed by, where that is the account's own profile of the name. */
function readBy({ name, proposal: { profile } }: Mapping): Version | undefined {
  return profile?.rank === 'own' && profile.name === name.trim() ? profile : undefined;
}

/** What the account keeps under the name, as far as the page knows. */
function usePresent({ name }: Mapping): Version | undefined {
  const { data: profiles = [] } = useProfileList();
  const wanted = name.trim();
  return profiles.find((each) => each.rank === 'own' && each.name === wanted);
}

const ON_UPLOAD_DAY = 'New samples of such sheets become public on the day of their upload';

/** Which sheet and which row, where that can be another one. */
function Whereabouts({ chosen, mapping: { proposal } }: { chosen: ChosenFile; mapping: Mapping }) {
  const { sheet, sheets = [], headerLine, top } = proposal;
  const again = (asked: { sheet?: string; headerLine?: number }) => void askMapping(chosen.key, asked);
  const rows = top.slice(0, 15).map(({ line, cells }) => ({
    value: String(line),
    label: `Line ${line}: ${cells
      .filter((cell) => cell.trim() !== '')
      .slice(0, 4)
      .join(' | ')
      .slice(0, 60)}`,
  }));
  return (
    <Group align="flex-start">
      {sheets.length > 1 && sheet !== undefined && (
        <Select
          label="Sheet"
          data={sheets}
          value={sheet}
          onChange={(name) => name !== null && again({ sheet: name })}
          allowDeselect={false}
          w={{ base: '100%', xs: 220 }}
        />
      )}
      <Select
        label="Header row"
        data={rows}
        value={String(headerLine)}
        onChange={(line) =>
          line !== null && again({ headerLine: Number(line), ...(sheet === undefined ? {} : { sheet }) })
        }
        allowDeselect={false}
        w={{ base: '100%', xs: 420 }}
      />
    </Group>
  );
}

/** Why it cannot be used yet. */
function whatIsMissing(mapping: Mapping): string | undefined {
  const open = openColumns(mapping);
  const names = mapping.columns.filter(({ meaning }) => meaning?.as === 'name').length;
  if (open.length > 0) {
    const headers = open
      .slice(0, 3)
      .map(({ header }) => header)
      .join(', ');
    return `Say what ${counted(open.length, 'new column')} ${open.length === 1 ? 'is' : 'are'}: ${headers}${open.length > 3 ? ' …' : ''}.`;
  }
  if (names === 0) return 'Say which column names the samples.';
  return mapping.name.trim() === '' ? 'Give it a name.' : undefined;
}
