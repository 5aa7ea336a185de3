/**
 * Lines that stand alike in files of the same name in two folders of adapters. SQL, imports, the heads of functions and
 * methods, their parameters and the members of types are rightly twice and do not count; `await`, `async`, promises and
 * the names of the handles are taken away first.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface AlikeLine {
  file: string;
  text: string;
}

export function linesAlike(one: string, other: string): AlikeLine[] {
  const others = new Set(readdirSync(other));
  return readdirSync(one)
    .filter((file) => file.endsWith('.ts') && others.has(file))
    .flatMap((file) => {
      const left = new Map<string, number>();
      for (const text of rulesOf(join(other, file))) left.set(text, (left.get(text) ?? 0) + 1);
      return rulesOf(join(one, file))
        .filter((text) => {
          const count = left.get(text) ?? 0;
          left.set(text, count - 1);
          return count > 0;
        })
        .map((text) => ({ file, text }));
    });
}

const SQL = /^\s*(with|select|insert|update|delete|from|where|and|or|values|coalesce|case)\b|\b(select|from|where) /i;
const HEAD =
  /^(export )?(default )?(function|class|interface|type)\b|^(readonly |private )?[\w.]+\??: .*(=>|=> \{|\($)$|^const \w+ = .*(=>|=> \{)$|\{$/;
const PARAMETER =
  /^(readonly |private |\| )?['\w{}, :]+\??: [^()]*[,;]$|^\| '|^\): |^now: \(\) => number,$|^constructor\(/;

function rulesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replace(/^import [\s\S]*?;$/gm, '')
    .replace(/`[^`]*`|'[^'\n]*'/g, (text) => (SQL.test(text.slice(1)) ? "''" : text))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !PARAMETER.test(line) && !(HEAD.test(line) && !/^(if|for|while|\} else)\b/.test(line)))
    .map(bare)
    .filter((line) => /\w{3,}.*\w{3,}/.test(line) && !/^const [A-Z_]+ = ''$|^store\.\w+\($/.test(line));
}

const bare = (line: string): string =>
  line
    .replace(/\b(await|async) /g, '')
    .replace(/\bPromise<(.*)>/g, '$1')
    .replace(/\b(database|session|reader)\b/g, 'store')
    .replace(/\b(sqlite|postgres)(?=[A-Z])/g, '')
    .replace(/\b(Sqlite|Postgres)?(Database|Session)\b/g, 'Store')
    .replace(/[\s;,]+/g, ' ')
    .trim();
