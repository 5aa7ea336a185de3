/** What docs/cli.md promises of the command: its commands, options and exit codes, read from the tables. */
import { document, tableRows } from './section.js';

const rows = (): string[][] => tableRows(document('docs/cli.md'));
const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);

/** `upload`, `token create`, … as the first cells name them, without their arguments. */
export const documentedCommands = (): string[] =>
  rows()
    .flatMap(([first]) => codeIn(first))
    .map((code) =>
      code
        .split(' ')
        .filter((word) => /^[a-z][a-z-]*$/.test(word))
        .join(' '),
    )
    .filter((name) => name !== '');

/** `--wait`, `-o`, … of the tables, and those that every command takes. */
export function documentedOptions(): string[] {
  const everywhere = /^Every one of them takes(.*?)\. /ms.exec(document('docs/cli.md'))?.[1] ?? '';
  const named = [...rows().flat(), everywhere]
    .flatMap(codeIn)
    .flatMap((code) => code.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []);
  return [...new Set(named)];
}

export const documentedExitCodes = (): number[] =>
  rows().flatMap(([code = '']) => (/^\d$/.test(code) ? [Number(code)] : []));
