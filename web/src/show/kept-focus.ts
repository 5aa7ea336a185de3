import { useEffect } from 'react';

/** What can say where the reader is. */
const PLACES = 'section, [role=region], main';

/**
 * Who works by keyboard stands nowhere when the button that they have pressed is taken away, or disabled while it works.
 * The button gets the focus back when it can be pressed again, and where it is gone the part of the view that it stood in,
 * unless somebody or something else has taken the focus meanwhile.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    let places: HTMLElement[] = [];
    /** It was disabled while it had the focus. */
    let waits = false;
    const isNowhere = () => document.activeElement === null || document.activeElement === document.body;
    const focused = ({ target }: FocusEvent) => {
      last = target as HTMLElement;
      waits = false;
      places = [];
      for (let at = last.parentElement; at; at = at.parentElement) if (at.matches(PLACES)) places.push(at);
    };
    const forget = () => {
      last = undefined;
    };
    const look = () => {
      const isDisabled = last?.isConnected && last.matches(':disabled');
      if (isDisabled) waits = true;
      if (last === undefined || !isNowhere()) return;
      if (last.isConnected) {
        if (waits && !isDisabled) last.focus({ preventScroll: true });
        return;
      }
      forget();
      focusPlace(places.find((one) => one.isConnected));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', focused);
    // Who presses the mouse anywhere has left by themselves.
    document.addEventListener('pointerdown', forget, { capture: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', forget, { capture: true });
    };
  }, []);
}

function focusPlace(place: HTMLElement | undefined): void {
  if (!place) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
