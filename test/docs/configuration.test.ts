import { it } from 'vitest';
import { CONFIG_KEYS, SETTINGS } from '../../src/config.js';
import { isSecret } from '../../src/secret-settings.js';
import { expectSection } from './section.js';

it('docs/configuration.md lists every setting, its default and its help, and no other', () => {
  const shape: Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }> = SETTINGS.shape;
  const rows = CONFIG_KEYS.map(({ name, help }) => {
    const absent = shape[name]?.safeParse(undefined).data;
    const shown =
      absent === undefined || absent === '' ? '' : `\`${Array.isArray(absent) ? absent.join(',') : absent}\``;
    const file = isSecret(name) ? ` From a file: \`${name}_FILE\`.` : '';
    return `| \`${name}\` | ${shown} | ${help.replaceAll('|', '\\|')}${file} |`;
  });
  expectSection(
    'docs/configuration.md',
    'settings',
    ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n'),
  );
});
