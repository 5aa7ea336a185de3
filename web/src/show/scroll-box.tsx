import type { ReactNode, Ref } from 'react';

interface ScrollBoxProps {
  label: string;
  /** Pixels, or any CSS length; absent: as high as what is in it. */
  maxHeight?: number | string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** Wide and long things scroll in a box of their own, so that the page never scrolls sideways. */
export function ScrollBox({ label, maxHeight, ref, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section ref={ref} className="scrollbox" tabIndex={0} aria-label={label} style={{ maxHeight }}>
      {children}
    </section>
  );
}
