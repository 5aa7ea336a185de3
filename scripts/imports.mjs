/** Which file imports which, and what of it is against a set of rules. Paths are relative to the folder, with slashes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { parseSync } from '@swc/core';

/** What of a tree is ours. */
const ROOMS = ['src', 'workers', 'web/src', 'test', 'bench', 'scripts'];

/**
 * @param {string} folder a tree of the shape of this one
 * @returns {{files: number, breaches: string[]}} how many files were read, and each breach in words
 */
export function checkImports(folder, rules) {
  const imports = importsOf(folder, ROOMS);
  const breaches = [
    ...breachesOf(imports, rules).map(({ rule, from, to }) => `${from} → ${to}\n    against: ${rule}`),
    ...cyclesOf(imports).map((files) => `${files.join(' → ')}\n    against: no cycles between files`),
  ];
  return { files: imports.size, breaches };
}

/**
 * @param {string} folder
 * @param {readonly string[]} rooms folders in it that are read
 * @returns {Map<string, string[]>} file → what it imports; what leads nowhere stays as it is written, with `?` before it
 */
export function importsOf(folder, rooms) {
  const files = rooms
    .filter((room) => existsSync(join(folder, room)))
    .flatMap((room) =>
      readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    );
  return new Map(
    files
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts'))
      .map((file) => [file, read(join(folder, file)).map((specifier) => resolved(folder, file, specifier))]),
  );
}

function read(path) {
  const program = parseSync(readFileSync(path, 'utf8'), {
    syntax: 'typescript',
    tsx: path.endsWith('.tsx'),
    decorators: true,
  });
  return [...new Set(specifiers(program))];
}

/** Imports of types and imports at run time count like all others. */
function* specifiers(node) {
  if (node === null || typeof node !== 'object') return;
  if (/^(Import|Export\w*)Declaration$/.test(node.type ?? '') && node.source) yield node.source.value;
  if (node.type === 'TsImportType') yield node.argument.value;
  if (node.type === 'CallExpression' && node.callee.type === 'Import') {
    const [{ expression }] = node.arguments;
    if (expression.type === 'StringLiteral') yield expression.value;
  }
  for (const part of Object.values(node)) yield* specifiers(part);
}

function resolved(folder, file, specifier) {
  const [bare] = specifier.split('?');
  if (bare.startsWith('.')) {
    const path = posix.join(posix.dirname(file), bare);
    const stem = path.replace(/\.js$/, '');
    const found = [path, `${stem}.ts`, `${stem}.tsx`, `${stem}.d.ts`, `${path}.ts`].find((one) =>
      existsSync(join(folder, one)),
    );
    // What is built may not be there yet.
    return found ?? (/(^|\/)dist\//.test(path) ? path : `?${specifier}`);
  }
  const name = bare.split('/', bare.startsWith('@') ? 2 : 1).join('/');
  if (isBuiltin(bare) || installed(folder, name) || installed(folder, `@types/${name}`)) return bare;
  return `?${specifier}`;
}

/** From the folder upwards, as Node looks. */
function installed(folder, name) {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name))) return true;
    if (at === dirname(at)) return false;
  }
}

/** @returns {{ rule: string, from: string, to: string }[]} */
export function breachesOf(imports, rules) {
  const breaches = [];
  for (const [from, all] of imports) {
    for (const { name, from: where, to: what } of rules) {
      if (!matches(from, where)) continue;
      const against = what === undefined ? all.slice(0, 1) : all.filter((to) => matches(to, what));
      breaches.push(...against.map((to) => ({ rule: name, from, to })));
    }
  }
  return breaches;
}

const matches = (path, { path: yes = [], pathNot = [] }) =>
  [yes].flat().some((pattern) => compiled(pattern).test(path)) &&
  ![pathNot].flat().some((pattern) => compiled(pattern).test(path));

const patterns = new Map();

function compiled(pattern) {
  const known = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, known);
  return known;
}

/** One way round for each cycle that there is. @returns {string[][]} */
export function cyclesOf(imports) {
  const cycles = [];
  const done = new Set();
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0) return cycles.push([...path.slice(at), file]);
    if (done.has(file)) return undefined;
    for (const to of imports.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}
