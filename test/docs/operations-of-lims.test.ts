/** What docs/cli.md and docs/metrics.md say against what the command and the service have. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.js';
import { BIN, runCommand } from '../support/command.js';
import { everyMetric } from '../support/every-metric.js';
import { alertRules, dashboardQueries, metricsIn } from '../support/queries.js';
import { documentedCommands } from './documented-commands.js';
import { document, expectSection } from './section.js';

const MEANING: Record<keyof typeof EXIT, string> = {
  done: 'done; of an upload: every row is registered, or a large file is accepted and was not waited for',
  usage: 'wrong use, or something unexpected happened here',
  rowErrors: 'processed, and one or more rows were rejected',
  tryAgain: 'the service is away, busy or full: the same command may succeed later',
  refused: 'refused: the file cannot be understood, the token is not valid, there is no such thing',
  stopped: 'the plan of a standing sheet was stopped, by a ceiling or since its file is not whole: nothing was changed',
};

/** Commands that have commands. */
const GROUPS = ['token', 'account', 'audit', 'samples', 'profile'];

describe('docs/cli.md', () => {
  it('has the exit codes of the code', () => {
    const rows = Object.entries(EXIT).map(([name, code]) => `| ${code} | ${MEANING[name as keyof typeof EXIT]} |`);
    expectSection('docs/cli.md', 'exit codes', ['| code | meaning |', '|---|---|', ...rows].join('\n'));
  });

  it.skipIf(!existsSync(BIN) && process.env.CI !== 'true')(
    'names every command and option of the command, and no other',
    async () => {
      const text = document('docs/cli.md');
      const commandsOf = async (...path: string[]): Promise<string[]> => {
        const { stdout } = await runCommand([...path, '--help']);
        return [...stdout.matchAll(/^ {2}([a-z][a-z-]*)(?= |$)/gm)]
          .map(([, name]) => name as string)
          .filter((name) => name !== 'help');
      };
      const commands = await commandsOf();
      const [said = ''] = /^Exit codes: .*$/m.exec((await runCommand(['--help'])).stdout) ?? [];
      expect([...said.matchAll(/\d/g)].map(([code]) => Number(code))).toEqual(Object.values(EXIT));
      const nested = await Promise.all(
        GROUPS.map(async (group) => (await commandsOf(group)).map((name) => `${group} ${name}`)),
      );
      const all = [...commands.filter((name) => !GROUPS.includes(name)), ...nested.flat()];
      expect(documentedCommands().sort()).toEqual(all.sort());
      const { stdout } = await runCommand(['upload', '--help']);
      for (const [option] of stdout.matchAll(/--[a-z-]+/g)) expect(text, option).toContain(option);
    },
  );
});

describe('docs/metrics.md', () => {
  it('lists every metric of ours', async () => {
    const own = (await everyMetric())
      .filter(({ name }) => !/^(process|nodejs)_/.test(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const rows = own.map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help} |`);
    expectSection('docs/metrics.md', 'metrics', ['| metric | kind | meaning |', '|---|---|---|', ...rows].join('\n'));
  });

  it.each(['docs/grafana/dashboard.json', 'docs/grafana/alerts.yml'])(
    '%s asks for nothing that is not there',
    async (path) => {
      // Prometheus adds `up` itself.
      const known = ['up', ...(await everyMetric()).map(({ name }) => name)];
      const queries = path.endsWith('.json') ? dashboardQueries() : alertRules().map(({ expr }) => expr);
      expect(queries.length).toBeGreaterThan(5);
      for (const expression of queries) {
        const named = metricsIn(expression);
        expect(named.length, expression).toBeGreaterThan(0);
        for (const name of named) {
          expect(known, `${expression}: ${name}`).toContain(name.replace(/_(bucket|count|sum)$/, ''));
        }
      }
    },
  );
});
