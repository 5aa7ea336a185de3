/** What processes did to the files of a folder, from the system calls that strace saw: writes, syncs and changes of names, in order. */
import { readFileSync } from 'node:fs';

export type Operation =
  | { kind: 'write'; path: string; offset: number | 'end'; data: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'create' | 'mkdir' | 'remove'; path: string }
  | { kind: 'rename'; path: string; to: string }
  /** Of what was done before `begun`, a number of operations. */
  | { kind: 'sync'; path: string; begun: number; call: 'fsync' | 'fdatasync' };

export type Done = Operation & {
  /** When it was over, microseconds since 1970. */
  at: number;
  /** Which of the recorded programs did it. */
  by: string;
};

/** The recording of one program. */
export interface Trace {
  by: string;
  file: string;
}

/** Arguments that have strace say what `readTraces` reads, into the file. */
export const straceArguments = (file: string): string[] => [
  ...['-f', '-ttt', '-y', '-xx', '-s', '100000000', '-o', file],
  ...['-e', `trace=${[...Object.keys(CALLS), ...UNREAD].join(',')}`, '-e', 'signal=none'],
];

type Arguments = string[];
const CALLS: Record<string, (given: Arguments, answer: string, begun: number) => Operation[]> = {
  openat: ([, , flags = ''], answer) => [
    ...(flags.includes('O_CREAT') ? [{ kind: 'create' as const, path: pathIn(answer) }] : []),
    ...(flags.includes('O_TRUNC') ? [{ kind: 'truncate' as const, path: pathIn(answer), size: 0 }] : []),
  ],
  write: ([file = '', data = '']) => [{ kind: 'write', path: pathIn(file), offset: 'end', data: bytes(data) }],
  pwrite64: ([file = '', data = '', , offset]) => [
    { kind: 'write', path: pathIn(file), offset: Number(offset), data: bytes(data) },
  ],
  ftruncate: ([file = '', size]) => [{ kind: 'truncate', path: pathIn(file), size: Number(size) }],
  fsync: ([file = ''], _, begun) => [{ kind: 'sync', path: pathIn(file), begun, call: 'fsync' }],
  fdatasync: ([file = ''], _, begun) => [{ kind: 'sync', path: pathIn(file), begun, call: 'fdatasync' }],
  rename: ([from = '', to = '']) => [{ kind: 'rename', path: text(from), to: text(to) }],
  unlink: ([path = '']) => [{ kind: 'remove', path: text(path) }],
  rmdir: ([path = '']) => [{ kind: 'remove', path: text(path) }],
  mkdir: ([path = '']) => [{ kind: 'mkdir', path: text(path) }],
};
/** Would change files, too: the programs have no need of them, and the trace says when that is over. */
const UNREAD = [
  'truncate',
  'pwritev',
  'pwritev2',
  'writev',
  'renameat',
  'renameat2',
  'unlinkat',
  'mkdirat',
  'link',
  'linkat',
  'symlink',
  'symlinkat',
  'fallocate',
  'copy_file_range',
  'sendfile',
  'splice',
];

/** Operations on what is below the folder, of all programs in the order of time. */
export function readTraces(traces: readonly Trace[], folder: string): Done[] {
  const done: Done[] = [];
  const unfinished = new Map<string, { call: string; begun: number }>();
  for (const { by, pid, time, rest } of inOrder(traces.map(linesOf))) {
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(pid, { call: rest.slice(0, -'<unfinished ...>'.length).trimEnd(), begun: done.length });
      continue;
    }
    const [, resumed] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const before = resumed === undefined ? undefined : unfinished.get(pid);
    if (resumed !== undefined && before === undefined) continue;
    const operations = operationsIn(before ? before.call + resumed : rest, before?.begun ?? done.length, folder);
    for (const one of operations) if (isBelow(one, folder)) done.push({ ...one, at: time * 1e6, by });
  }
  return done;
}

interface Line {
  by: string;
  pid: string;
  time: number;
  rest: string;
}

const linesOf = ({ by, file }: Trace): Line[] =>
  readFileSync(file, 'latin1')
    .split('\n')
    .map((line) => {
      const [, pid = '', time = '', rest = ''] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? [];
      return { by, pid, time: Number(time), rest };
    });

/** Those of each file as they stand in it. */
function* inOrder(files: Line[][]): Generator<Line> {
  const next = files.map(() => 0);
  for (;;) {
    let first: number | undefined;
    for (const [file, at] of next.entries()) {
      const time = files[file]?.[at]?.time;
      if (time !== undefined && (first === undefined || time < (files[first]?.[next[first] as number]?.time as number)))
        first = file;
    }
    if (first === undefined) return;
    yield files[first]?.[next[first] as number] as Line;
    next[first] = (next[first] as number) + 1;
  }
}

const isBelow = ({ path }: Operation, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function operationsIn(call: string, begun: number, folder: string): Operation[] {
  const [, name = '', given = '', answer = ''] = /^(\w+)\((.*)\) += (.*)$/.exec(call) ?? [];
  if (answer.startsWith('-1') || answer.startsWith('?')) return [];
  if (UNREAD.includes(name) && given.includes(escaped(folder)))
    throw new Error(`A change of files that the trace does not read: ${name}`);
  return CALLS[name]?.(given.split(', '), answer, begun) ?? [];
}

/** Of `21<\x2f\x74…>`. */
const pathIn = (file: string): string => text(/<([^>]*)>/.exec(file)?.[1] ?? '');
const text = (printed: string): string => bytes(printed).toString('utf8');
const bytes = (printed: string): Buffer => Buffer.from(printed.replace(/^"|"$|\\x/g, ''), 'hex');
const escaped = (path: string): string =>
  Array.from(Buffer.from(path), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
