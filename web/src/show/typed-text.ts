import { type ChangeEvent, useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

export interface TypedText {
  /** As it stands in the field. */
  typed: string;
  /** For the field itself. */
  field: { value: string; onChange: (event: ChangeEvent<HTMLInputElement>) => void; onBlur: () => void };
}

/**
 * A search field whose text stands in the address: it follows the address (Back, a link), and is handed to it when the
 * typing pauses or the field is left, so that who clicks at once finds it again with Back.
 */
export function useTypedText(present: string, onPause: (text: string) => void): TypedText {
  const [typed, setTyped] = useState(present);
  const handed = useRef(present);
  const hand = () => {
    const text = typed.trim();
    if (text === handed.current) return;
    handed.current = text;
    onPause(text);
  };
  const latest = useRef(hand);
  latest.current = hand;
  useEffect(() => {
    if (present !== handed.current) setTyped(present);
    handed.current = present;
  }, [present]);
  useEffect(() => {
    if (typed.trim() === handed.current) return;
    const pause = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [typed]);
  return {
    typed,
    field: { value: typed, onChange: (event) => setTyped(event.currentTarget.value), onBlur: () => latest.current() },
  };
}
