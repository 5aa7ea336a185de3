const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls once something is drawn, and again whenever it has grown, until it is where it was wanted (`true`) or the reader
 * does something. Answers what gives it up.
 */
export function whenStill(growing: Element, scroll: () => boolean): () => void {
  const stop = () => {
    grown.disconnect();
    for (const act of ACTS) removeEventListener(act, stop, { capture: true });
  };
  // Tells of the present size, too, before the next picture is drawn.
  const grown = new ResizeObserver(() => {
    if (scroll()) stop();
  });
  for (const act of ACTS) addEventListener(act, stop, { capture: true, passive: true });
  grown.observe(growing);
  return stop;
}
