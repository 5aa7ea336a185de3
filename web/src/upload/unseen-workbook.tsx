import { Anchor, Group, Text } from '@mantine/core';
import { LARGEST_PROPOSED } from '../../../src/tsv/propose/proposal.js';
import { bytes } from '../show/words.js';
import { type ChosenFile, titleOf } from './file-list.js';
import { askOther } from './mapping/mapping-state.js';

/** Of a workbook or an archive that is not looked into by itself, for its size or because many were dropped. */
export function UnseenWorkbook({ chosen }: { chosen: ChosenFile }) {
  if (chosen.file.size > LARGEST_PROPOSED)
    return (
      <Text size="sm">
        What its columns become is shown after the upload: files above {bytes(LARGEST_PROPOSED)} are not looked into
        before.
      </Text>
    );
  return (
    <Group gap="sm">
      <Text size="sm">What its columns become is shown after the upload.</Text>
      <Anchor component="button" type="button" size="sm" onClick={() => askOther(chosen, {})}>
        Look into {titleOf(chosen)} before
      </Anchor>
    </Group>
  );
}
