import { Anchor, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { columnLetter } from '../../../src/tsv/dialect.js';
import { notShown, shownColumns } from '../sheet/shown-columns.js';
import { ScrollBox } from '../show/scroll-box.js';
import type { FileCheck } from './file-check.js';

interface FirstRowsProps {
  name: string;
  top: NonNullable<FileCheck['top']>;
  /** Another line is the header row. */
  onHeader: ((line: number) => void) | undefined;
}

/** The first rows of a file as they were read, out of sight until somebody asks for them. */
export function FirstRows({ name, top: { header, headerLine, rows }, onHeader }: FirstRowsProps) {
  const [open, { toggle }] = useDisclosure(false);
  const label = `First rows of ${name}`;
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), header.length);
  const places = shownColumns(width);
  const others = notShown(width, places);
  return (
    <>
      <div>
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-expanded={open}
          aria-label={`${open ? 'Hide' : 'Show'} the first rows of ${name}`}
          onClick={toggle}
        >
          {open ? 'Hide' : 'Show'} the first rows
        </Anchor>
      </div>
      {open && (
        <ScrollBox label={label} maxHeight={360}>
          <Table horizontalSpacing={8} verticalSpacing={4} fz="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Line</Table.Th>
                {places.slice(0, header.length).map((at) => (
                  <Table.Th key={at} className="name">
                    <Text component="span" inherit c="dimmed">
                      {columnLetter(at)}
                    </Text>{' '}
                    {header[at]}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ line, cells }) => (
                <Table.Tr key={line} c={line < headerLine ? 'dimmed' : undefined}>
                  <Table.Th scope="row" fw={400}>
                    {onHeader ? (
                      <Anchor
                        component="button"
                        type="button"
                        fz="xs"
                        title="Make this the header row"
                        aria-label={`Line ${line}: make it the header row of ${name}`}
                        onClick={() => onHeader(line)}
                      >
                        {line}
                      </Anchor>
                    ) : (
                      line
                    )}
                  </Table.Th>
                  {places.slice(0, cells.length).map((at) => (
                    <Table.Td key={at} className="value">
                      {cells[at]?.slice(0, 200)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
      {open && others !== undefined && <Text size="xs">{others}</Text>}
    </>
  );
}
