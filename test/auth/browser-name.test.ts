/** What is kept of a User-Agent header. */
import { describe, expect, it } from 'vitest';
import { browserName } from '../../src/auth/browser-name.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a browser', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 OPR/120.0`, 'Opera on Linux'],
    [
      `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'Chrome on an iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/604.1',
      'Safari on an iPad',
    ],
    ['Mozilla/5.0 Firefox/140.0', 'Firefox'],
  ])('is read from %s', (header, name) => {
    expect(browserName(header)).toBe(name);
  });

  it('is of our words alone: of programs, and of what anybody may send, nothing is kept', () => {
    for (const header of [undefined, '', 'node', 'curl/8.5.0', 'Windows', '<b>lab</b> on Linux', 'Safari/604.1']) {
      expect(browserName(header), header).toBeUndefined();
    }
    expect(browserName('Firefox/<script>alert(1)</script> (Windows, of Ada Example)')).toBe('Firefox on Windows');
    expect(browserName(`${'x'.repeat(100_000)} Firefox/140.0`)).toBeUndefined();
  });
});
