import { Anchor, Button, Group, Text } from '@mantine/core';
import { titleOf } from '../sheet/encodings.js';
import { type ChosenFile, changeFile } from './file-list.js';

/** Of text that is not UTF-8: a word of it as it would be read, in one way or several, for who knows the word. */
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
  const { likely = [] } = check ?? {};
  const [only] = likely;
  if (!only) return null;
  if (likely.length === 1)
    return (
      <Group gap="sm">
        <Text size="sm">
          Does it say <span className="value">{only.example}</span>?
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => read(only.encoding)}>
          Yes, read {file.name} as {titleOf(only.encoding)}
        </Button>
      </Group>
    );
  return (
    <Group gap="sm">
      <Text size="sm">Which of these does it say?</Text>
      {likely.map(({ encoding, example }) => (
        <Button
          key={encoding}
          size="compact-sm"
          variant="default"
          onClick={() => read(encoding)}
          aria-label={`${example}: read ${file.name} as ${titleOf(encoding)}`}
        >
          <span className="value">{example}</span>: {titleOf(encoding)}
        </Button>
      ))}
    </Group>
  );
}
