import { Stack } from '@mantine/core';
import { useMe } from '../session/session.js';
import { View } from '../show/view.js';
import { NewPassword } from './new-password.js';
import { SampleSettings } from './sample-settings.js';
import { Tokens } from './tokens.js';

/** Tokens, password and decisions of the account that is signed in. */
export function AccountView() {
  const me = useMe();
  if (!me.data) return null;
  return (
    <View title={`Account ${me.data.account}`}>
      <Stack gap="xl">
        <Tokens me={me.data} />
        <SampleSettings me={me.data} />
        <NewPassword account={me.data.account} />
      </Stack>
    </View>
  );
}
