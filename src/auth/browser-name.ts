/** By which words a browser says its name; those that say a second one, too, stand before it. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

type Known = readonly (readonly [RegExp, string])[];

/** Longer ones are nobody's browser. */
const MOST_CHARACTERS = 500;

/** `Firefox on Windows`, of a User-Agent header: enough to know one's own, and nothing else of it is kept. */
export function browserName(userAgent = ''): string | undefined {
  const said = userAgent.slice(0, MOST_CHARACTERS);
  const nameIn = (known: Known) => known.find(([words]) => words.test(said))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === undefined) return undefined;
  return system === undefined ? browser : `${browser} on ${system}`;
}
