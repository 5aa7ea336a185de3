import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';

export interface Question {
  /** Of which file. */
  name: string;
  says: readonly string[];
}

interface AskDialogProps {
  questions: readonly Question[];
  onAnswer: (goOn: boolean) => void;
}

/** What cannot be taken back is asked before it happens, with what it is. */
export function AskDialog({ questions, onAnswer }: AskDialogProps) {
  return (
    <Modal
      opened={questions.length > 0}
      onClose={() => onAnswer(false)}
      title="Before it is registered"
      closeButtonProps={{ 'aria-label': 'Go back' }}
    >
      <Stack>
        <List spacing="sm">
          {questions.map(({ name, says }) => (
            <List.Item key={name}>
              <Text fw={600} className="name">
                {name}
              </Text>
              {says.map((text) => (
                <Text key={text} size="sm">
                  {text}
                </Text>
              ))}
            </List.Item>
          ))}
        </List>
        <Group>
          <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
            Go back
          </Button>
          <Button color="red.9" onClick={() => onAnswer(true)}>
            Register all the same
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
