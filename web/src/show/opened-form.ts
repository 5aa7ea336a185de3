import { useDisclosure } from '@mantine/hooks';
import { type RefObject, useEffect, useRef } from 'react';

/** The button that opens something in its own place gets the focus back when that is closed; who works by keyboard would stand nowhere. */
export function useReturnedFocus(opened: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(opened);
  useEffect(() => {
    if (wasOpened.current && !opened) button.current?.focus();
    wasOpened.current = opened;
  }, [opened]);
  return button;
}

/** A form that takes the place of the button which opens it. */
export function useOpenedForm() {
  const [opened, { open, close }] = useDisclosure(false);
  return { opened, open, close, button: useReturnedFocus(opened) };
}
