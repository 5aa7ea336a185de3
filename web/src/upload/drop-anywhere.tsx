import { Overlay, Paper, Text } from '@mantine/core';
import { FileUpIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ErrorDialog } from '../show/error-dialog.js';
import { droppedFiles, MOST_FILES } from './dropped-files.js';
import { addFiles } from './file-list.js';

/**
 * Files dropped on any part of any view go to the upload. Without it the browser would open a sheet that misses a box
 * in place of the page, and what was typed there would be lost.
 */
export function DropAnywhere() {
  const [over, setOver] = useState(false);
  const [more, setMore] = useState(false);
  const [, go] = useLocation();
  useEffect(() => {
    // Entering a child leaves its parent, so the depth is counted.
    let depth = 0;
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const end = () => {
      depth = 0;
      setOver(false);
    };
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const hold = (event: DragEvent) => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const drop = async (event: DragEvent) => {
      if (!carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      end();
      const dropped = await droppedFiles(event.dataTransfer);
      if (dropped.files.length === 0) return;
      setMore(dropped.more);
      addFiles(dropped.files);
      go('/');
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('dragover', hold, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, [go]);
  return (
    <>
      <ErrorDialog
        error={more ? TOO_MANY : undefined}
        doing="Not all files of the folder are listed"
        onClose={() => setMore(false)}
      />
      {over && (
        <Overlay fixed backgroundOpacity={0.35} zIndex={500} center>
          <Paper p="xl" withBorder style={{ pointerEvents: 'none', display: 'flex', gap: 12, alignItems: 'center' }}>
            <FileUpIcon size={28} aria-hidden />
            <Text fw={600}>Drop to upload</Text>
          </Paper>
        </Overlay>
      )}
    </>
  );
}

const TOO_MANY = new Error(
  `The folder holds more than ${MOST_FILES} files, and the first ${MOST_FILES} are listed. Register these, then drop the others in folders of fewer.`,
);
