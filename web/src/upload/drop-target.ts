import { type DragEvent, useRef, useState } from 'react';

/** Makes an element take dropped files; `over` is true while files hang above it. */
export function useDropTarget(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false);
  // Entering a child leaves its parent, so the depth is counted.
  const depth = useRef(0);
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const enter = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth.current += 1;
    setOver(true);
  };
  const leave = () => {
    depth.current = Math.max(0, depth.current - 1);
    if (depth.current === 0) setOver(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  };
  const hold = (event: DragEvent) => {
    if (carriesFiles(event)) event.preventDefault();
  };
  return { over, handlers: { onDragEnter: enter, onDragLeave: leave, onDragOver: hold, onDrop: drop } };
}
