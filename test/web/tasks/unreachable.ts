/** What a pointer cannot get to in the view as it stands. */
import type { Page } from 'playwright-core';

/**
 * Each control that is drawn is scrolled to, as a reader would, by the boxes that scroll; it must then lie in the
 * window, and a press on it must meet it, or its label, and nothing that lies over it. With a dialog or a menu open only
 * what is in that counts. Each as its tag, its name and what is in its way.
 */
export const unreachable = (page: Page): Promise<string[]> => page.evaluate(LOOK) as Promise<string[]>;

// As text: it runs in the page, which these types do not know.
const LOOK = `(() => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=menuitem], [role=option], [tabindex="0"]';
  // Out of sight until the keyboard comes to it.
  const LATER = '.skip';
  const open = [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')].filter(
    (one) => one.getClientRects().length > 0);
  const drawn = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().height > 1;
  const nameOf = (one) => '<' + one.localName + '> ' +
    (one.getAttribute('aria-label') ?? one.innerText ?? one.id ?? '').trim().slice(0, 60);
  const positions = new Map();

  /** Scrolls as a reader can: what only hides what is too much for it stays as it is. */
  const goTo = (one) => {
    for (let up = one.parentElement; up; up = up.parentElement) {
      if (!positions.has(up)) positions.set(up, [up.scrollTop, up.scrollLeft]);
    }
    one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      const [top, left] = positions.get(up);
      if (overflowY === 'hidden') up.scrollTop = top;
      if (overflowX === 'hidden') up.scrollLeft = left;
    }
  };

  const inTheWay = (one) => {
    goTo(one);
    // A link over two lines is pressed in its first; of what is larger than the window, the part in it is meant.
    const { left, top, right, bottom } = one.getClientRects()[0];
    const x = (left + right) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    if (x < 0 || x > innerWidth) return 'is beside the window';
    const met = document.elementFromPoint(x, y);
    if (met && (one.contains(met) || [...(one.labels ?? [])].some((label) => label.contains(met)))) return undefined;
    return 'lies behind ' + (met ? nameOf(met) + ' ' + met.className : 'the edge');
  };

  const controls = [...(open.at(-1) ?? document).querySelectorAll(CONTROLS)];
  const found = controls.filter((one) => drawn(one) && !one.matches(LATER)).flatMap((one) => {
    const way = inTheWay(one);
    return way === undefined ? [] : [nameOf(one) + ' ' + way];
  });
  for (const [one, [top, left]] of positions) Object.assign(one, { scrollTop: top, scrollLeft: left });
  return [...new Set(found)];
})()`;
