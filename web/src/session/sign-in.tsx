import { Center, Paper } from '@mantine/core';
import { View } from '../show/view.js';
import { SignInForm } from './sign-in-form.js';

/** In place of a view that needs to know who asks. */
export function SignIn() {
  return (
    <Center>
      <Paper withBorder p={{ base: 'md', xs: 'xl' }} maw={440} w="100%">
        <View title="Sign in">
          <SignInForm />
        </View>
      </Paper>
    </Center>
  );
}
