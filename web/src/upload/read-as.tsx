import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ChosenFile, changeFile } from './file-list.js';

/** Of text that is not UTF-8: a word of it as it would be read, to be confirmed by who knows the word. */
export function ReadAs({ chosen: { key, file, check, encoding } }: { chosen: ChosenFile }) {
  const read = (as: string | undefined) => changeFile(key, { encoding: as });
  if (encoding !== undefined) {
    return (
      <Group gap="sm">
        <Text size="sm">Read as {titleOf(encoding)}.</Text>
        <Anchor component="button" type="button" size="sm" onClick={() => read(undefined)}>
          Read {file.name} as UTF-8 again
        </Anchor>
      </Group>
    );
  }
  const { guess } = check ?? {};
  if (!guess) return null;
  return (
    <Group gap="sm">
      <Text size="sm">
        Does it say <span className="value">{guess.example}</span>?
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => read(guess.encoding)}>
        Yes, read {file.name} as {titleOf(guess.encoding)}
      </Button>
    </Group>
  );
}

const titleOf = (encoding: string): string => encoding.replace(/^windows/, 'Windows');
