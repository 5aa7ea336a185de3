/** What processes did to the files of a folder, from the system calls that strace saw: writes, syncs and changes of names, in order. */
import { readFileSync } from 'node:fs';

export type Operation =
  | { kind: 'write'; path: string; offset: number | 'end'; data: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'create' | 'mkdir' | 'remove'; path: string }
  | { kind: 'rename'; path: string; to: string }
  /** Of what was done before `begun`, a number of operations. */
  | { kind: 'sync'; path: string; begun: number };

export type Done = Operation & {
  /** When it was over, microseconds since 1970. */
  at: number;
};

/** Arguments that have strace say what `readTrace` reads, into the file. */
export const straceArguments = (file: string): string[] => [
  ...['-f', '-ttt', '-y', '-xx', '-s', '100000000', '-o', file],
  ...['-e', `trace=${[...Object.keys(CALLS), ...UNREAD].join(',')}`, '-e', 'signal=none'],
];

type Arguments = string[];
const CALLS: Record<string, (given: Arguments, answer: string, begun: number) => Operation | undefined> = {
  openat: ([, , flags = ''], answer, _) =>
    flags.includes('O_CREAT') ? { kind: 'create', path: pathIn(answer) } : undefined,
  write: ([file = '', data = '']) => ({ kind: 'write', path: pathIn(file), offset: 'end', data: bytes(data) }),
  pwrite64: ([file = '', data = '', , offset]) => ({
    kind: 'write',
    path: pathIn(file),
    offset: Number(offset),
    data: bytes(data),
  }),
  ftruncate: ([file = '', size]) => ({ kind: 'truncate', path: pathIn(file), size: Number(size) }),
  fsync: ([file = ''], _, begun) => ({ kind: 'sync', path: pathIn(file), begun }),
  fdatasync: ([file = ''], _, begun) => ({ kind: 'sync', path: pathIn(file), begun }),
  rename: ([from = '', to = '']) => ({ kind: 'rename', path: text(from), to: text(to) }),
  unlink: ([path = '']) => ({ kind: 'remove', path: text(path) }),
  rmdir: ([path = '']) => ({ kind: 'remove', path: text(path) }),
  mkdir: ([path = '']) => ({ kind: 'mkdir', path: text(path) }),
};
/** Would change files, too: the service has no need of them, and the trace says when that is over. */
const UNREAD = [
  'pwritev',
  'pwritev2',
  'writev',
  'renameat',
  'renameat2',
  'unlinkat',
  'mkdirat',
  'fallocate',
  'copy_file_range',
];

/** Operations on what is below the folder. */
export function readTrace(file: string, folder: string): Done[] {
  const done: Done[] = [];
  const unfinished = new Map<string, { call: string; begun: number }>();
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const [, pid = '', time = '', rest = ''] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(pid, { call: rest.slice(0, -'<unfinished ...>'.length).trimEnd(), begun: done.length });
      continue;
    }
    const [, resumed] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const before = resumed === undefined ? undefined : unfinished.get(pid);
    if (resumed !== undefined && before === undefined) continue;
    const operation = operationIn(before ? before.call + resumed : rest, before?.begun ?? done.length, folder);
    if (operation && isBelow(operation, folder)) done.push({ ...operation, at: Number(time) * 1e6 });
  }
  return done;
}

const isBelow = ({ path }: Operation, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function operationIn(call: string, begun: number, folder: string): Operation | undefined {
  const [, name = '', given = '', answer = ''] = /^(\w+)\((.*)\) += (.*)$/.exec(call) ?? [];
  if (UNREAD.includes(name) && given.includes(escaped(folder)))
    throw new Error(`A change of files that the trace does not read: ${name}`);
  if (answer.startsWith('-1') || answer.startsWith('?')) return undefined;
  return CALLS[name]?.(given.split(', '), answer, begun);
}

/** Of `21<\x2f\x74…>`. */
const pathIn = (file: string): string => text(/<([^>]*)>/.exec(file)?.[1] ?? '');
const text = (printed: string): string => bytes(printed).toString('utf8');
const bytes = (printed: string): Buffer => Buffer.from(printed.replace(/^"|"$|\\x/g, ''), 'hex');
const escaped = (path: string): string =>
  Array.from(Buffer.from(path), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
