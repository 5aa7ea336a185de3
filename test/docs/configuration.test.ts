import { it } from 'vitest';
import { CONFIG_KEYS, SETTINGS } from '../../src/config.js';
import { expectSection } from './section.js';

it('docs/configuration.md lists every setting, its default and its help, and no other', () => {
  const shape: Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }> = SETTINGS.shape;
  const rows = CONFIG_KEYS.map(({ name, help }) => {
    const absent = shape[name]?.safeParse(undefined).data;
    const shown =
      absent === undefined || absent === '' ? '' : `\`${Array.isArray(absent) ? absent.join(',') : absent}\``;
    return `| \`${name}\` | ${shown} | ${help.replaceAll('|', '\\|')} |`;
  });
  expectSection(
    'docs/configuration.md',
    'settings',
    ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n'),
  );
});
