import { Checkbox, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type AccountSettings, useAccountSettings, useNewAccountSettings } from '../api/account-settings.js';
import { type Me, maySubmit } from '../session/session.js';
import { Announcer } from '../show/announcer.js';
import { ErrorNote } from '../show/error-note.js';

/** What the account decides about its own samples; holds from the click on. */
export function SampleSettings({ me }: { me: Me }) {
  const settings = useAccountSettings(me.account);
  const change = useNewAccountSettings(me.account);
  // The box stays as it was clicked until the answer is there: a mutation says that it began a moment after the click.
  const [wanted, setWanted] = useState<AccountSettings>();
  const shown = wanted ?? settings.data;
  useEffect(() => {
    if (wanted && settings.data?.othersMayAttachData === wanted.othersMayAttachData) setWanted(undefined);
  }, [wanted, settings.data]);
  const set = (next: AccountSettings): void => {
    setWanted(next);
    change.mutate(next, { onError: () => setWanted(undefined) });
  };
  return (
    <Stack gap="sm" component="section" aria-labelledby="own-samples">
      <Title order={2} id="own-samples">
        Your samples
      </Title>
      {settings.isPending && <Skeleton h={48} aria-label="Loading the settings" />}
      {settings.error && <ErrorNote error={settings.error} retry={() => settings.refetch()} />}
      {shown && (
        <Checkbox
          label="Others may attach structured data"
          description="Other accounts can then add tables, antibiograms for example, to those of your samples that they can read. You see who attached what, and can remove it. What is attached stays when you forbid it again."
          checked={shown.othersMayAttachData}
          disabled={!maySubmit(me)}
          onChange={(event) => set({ ...shown, othersMayAttachData: event.currentTarget.checked })}
        />
      )}
      {settings.data && !maySubmit(me) && (
        <Text size="sm">The token you signed in with may only read: sign in with another one to change this.</Text>
      )}
      {change.error && <ErrorNote error={change.error} doing="It is as it was" />}
      <Announcer>{change.isSuccess ? said(change.data.othersMayAttachData) : ''}</Announcer>
    </Stack>
  );
}

const said = (opened: boolean): string =>
  opened ? 'Others may attach structured data from now on.' : 'Nobody else can attach structured data from now on.';
