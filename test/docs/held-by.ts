/** Whether a test that a document names runs: a skipped one holds nothing. */

/** Skipped for what is missing here counts where CI fails without it, as all of these do (test/support/services.ts). */
const SKIPPED = /\.(skip|todo)\b|\.(skipIf|runIf)\((?!(without|lacks\w*)\()/;
const CALL = /^(\s*)(?:export )?(it|test|describe)\b(.*)$/;

interface Block {
  indent: number;
  /** From the word to its title, over all its lines. */
  head: string;
}

/**
 * Undefined when the test is there and runs in every run that has its services; else why not.
 * @param text of the test file
 * @param name part of the test's title
 */
export function notHeld(text: string, name: string): string | undefined {
  const lines = text.split('\n');
  const open: Block[] = [];
  let found: string | undefined = `has no test ${JSON.stringify(name)}`;
  for (const [at, line] of lines.entries()) {
    const [, space = '', word] = CALL.exec(line) ?? [];
    if (word === undefined) continue;
    const indent = space.length;
    while (open.length > 0 && (open.at(-1) as Block).indent >= indent) open.pop();
    const head = headOf(lines, at);
    open.push({ indent, head });
    if (word === 'describe' || !head.includes(name)) continue;
    const skipping = open.find((block) => SKIPPED.test(block.head.split(name)[0] as string));
    if (!skipping) return undefined;
    found = `skips the test ${JSON.stringify(name)}: ${skipping.head.trim().slice(0, 80)}`;
  }
  return found;
}

/** A call's lines up to its function: modifiers, table of cases and title. */
function headOf(lines: readonly string[], from: number): string {
  const first = lines[from] as string;
  const indent = /^\s*/.exec(first)?.[0] ?? '';
  // A table of cases ends where its bracket stands below the call.
  const table = first.endsWith('[') ? lines.findIndex((line, at) => at > from && line.startsWith(`${indent}]`)) : from;
  const end = lines.findIndex((line, at) => at >= table && line.includes('=>'));
  return lines.slice(from, Math.max(from, end) + 1).join('\n');
}
