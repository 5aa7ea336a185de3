import { Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ClockArrowDownIcon, FileOutputIcon } from 'lucide-react';
import { useState } from 'react';
import type { ExportFormat } from '../../../src/formats/names.js';
import { saveAddress } from '../api/files.js';
import { useOrderExport } from '../api/kept-exports.js';
import { address } from '../api/request.js';
import { countAll, exportPath, type SampleSearch } from '../api/samples.js';
import { useMe } from '../session/session.js';
import { ErrorNote } from '../show/error-note.js';
import { FormatMenu } from './format-menu.js';

/** All that the search finds, shown or not, as one file, at once or, for an account, prepared for later; counted when somebody asks for it. */
export function TakeOut({ text, filters }: SampleSearch) {
  const search = { text, filters };
  const me = useMe();
  const [opened, setOpened] = useState<'take' | 'prepare'>();
  const found = useQuery({
    queryKey: ['count of samples', text, filters],
    queryFn: ({ signal }) => countAll(search, signal),
    enabled: opened !== undefined,
    retry: false,
  });
  const take = useMutation({
    // Counted once more: a browser that saves a file shows nothing of a refusal.
    mutationFn: async (format: ExportFormat) => {
      await countAll({ ...search, format });
      return format;
    },
    onSuccess: (format) => saveAddress(address(exportPath({ ...search, format })), ''),
  });
  const order = useOrderExport(search);
  const error = found.error ?? take.error ?? order.error;
  const again = () => {
    take.reset();
    order.reset();
    if (found.error) void found.refetch();
  };
  const menu = (which: 'take' | 'prepare') => ({
    found: found.data,
    counting: found.isFetching && found.data === undefined,
    opened: opened === which,
    onOpened: (open: boolean) => setOpened(open ? which : undefined),
  });
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="sm">
        <FormatMenu
          label="Take all as a file"
          verb="Take"
          icon={<FileOutputIcon size={18} aria-hidden />}
          loading={take.isPending}
          {...menu('take')}
          onChoose={(format) => take.mutate(format)}
        />
        {me.data && (
          <FormatMenu
            label="Prepare a file for later"
            verb="Prepare"
            icon={<ClockArrowDownIcon size={18} aria-hidden />}
            loading={order.isPending}
            {...menu('prepare')}
            onChoose={(format) => order.mutate(format)}
          />
        )}
      </Group>
      {error && (
        <ErrorNote
          error={error}
          doing={order.error ? 'The file was not ordered' : 'The samples were not taken out'}
          retry={again}
        />
      )}
    </Stack>
  );
}
