import { useEffect } from 'react';

/** What can say where the reader is. */
const PLACES = 'section, [role=region], main';
/** Menus, small forms and dialogs lie over the view, in a part of the document of their own. */
const OVER_THE_VIEW = '[data-portal]';

/** Where the focus was. */
interface Stand {
  element: HTMLElement;
  /** The parts of the view that it stands in, the innermost first. */
  places: HTMLElement[];
}

/**
 * Who works by keyboard stands nowhere when the button that they have pressed is taken away, or disabled while it works.
 * The button gets the focus back when it can be pressed again, and where it is gone the part of the view that it stood in,
 * unless somebody or something else has taken the focus meanwhile. What lay over the view and is closed leads back to where
 * they stood before it was opened.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The last one in the view, and behind it those in what was opened over it. */
    let stands: Stand[] = [];
    /** The last of them was disabled while it had the focus, or is to have it back. */
    let waits = false;
    /** The mouse was pressed on something that takes no focus. */
    let left = false;
    const focused = ({ target }: FocusEvent) => {
      const next = standOf(target as HTMLElement);
      const isOver = next.element.closest(OVER_THE_VIEW) !== null;
      stands = isOver ? [...stands.filter(({ element }) => element !== next.element), next] : [next];
      waits = left = false;
    };
    // Who presses the mouse anywhere has left by themselves.
    const leave = () => {
      left = true;
    };
    const look = () => {
      const last = stands.at(-1)?.element;
      if (last?.isConnected && last.matches(':disabled')) waits = true;
      if (last === undefined || left || !isNowhere()) return;
      if (!last.isConnected) {
        const { place, before } = leftOf(stands);
        stands = before;
        waits = before.length > 0;
        if (place) focusPlace(place);
      }
      if (waits) stands.at(-1)?.element.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', focused);
    document.addEventListener('pointerdown', leave, { capture: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', leave, { capture: true });
    };
  }, []);
}

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

function standOf(element: HTMLElement): Stand {
  const places: HTMLElement[] = [];
  for (let at = element.parentElement; at; at = at.parentElement) if (at.matches(PLACES)) places.push(at);
  return { element, places };
}

/** Where the last one is gone: a part of the view or of a dialog that it stood in, or else those before it that are there. */
function leftOf(stands: readonly Stand[]): { place?: HTMLElement | undefined; before: Stand[] } {
  const isThere = (one: HTMLElement) => one.isConnected;
  const place = stands.at(-1)?.places.find(isThere);
  const before = place ? [] : stands.filter(({ element }) => isThere(element));
  if (place || before.length > 0) return { place, before };
  return { place: stands[0]?.places.find(isThere), before };
}

function focusPlace(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
