import { useEffect } from 'react';

/** The browser's own question before the page is closed, reloaded or left for another one. */
export function useAskBeforeLeaving(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [wanted]);
}
