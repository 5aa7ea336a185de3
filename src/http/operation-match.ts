/**
 * Which operation of the interface description an address belongs to, found as express routes it: words in any letter
 * case. Names in metrics and in the audit log, and the kind of a request for its limits, all come from here.
 */
import type { RequestKind } from '../limits/policy.js';
import { isRead } from './methods.js';
import { OPERATIONS } from './openapi/openapi.js';
import type { Operation } from './openapi/operation.js';
import { tidyPath } from './tidy-address.js';

interface Step {
  words: Map<string, Step>;
  parameter?: Step;
  /** Whatever lies below belongs to it too. */
  whole?: true;
  /** As it is shown; absent: nothing is answered here. */
  name?: string;
  methods: Map<string, Operation>;
}

const UNKNOWN = 'other';

const ROOT = readOperations(OPERATIONS);

/** `path` is below the base path, without the query: `/samples/SAMR1/curationlinks` → `/samples/:id/curationlinks`. */
export const routeOf = (path: string): string => find(path)?.name ?? UNKNOWN;

/** The same of a path with the base path in front. */
export function routeBelow(basePath: string, path: string): string {
  const within =
    path.slice(0, basePath.length).toLowerCase() === basePath.toLowerCase() &&
    /^(?:\/|$)/.test(path.slice(basePath.length));
  return within ? routeOf(path.slice(basePath.length)) : UNKNOWN;
}

export function kindOf(method: string, path: string): RequestKind {
  if (isRead(method)) return 'read';
  return operationOf(method, path)?.limit ?? 'write';
}

/** The described operation of a request, where there is one. */
export const operationOf = (method: string, path: string): Operation | undefined =>
  find(path)?.methods.get(method.toLowerCase());

/** What an operation is called: its address with `:id` for every parameter. */
export function nameOf({ path }: Pick<Operation, 'path'>): string {
  return path.length > 1 ? path.replace(/\{\w+\}/g, ':id').replace(/\/$/, '') : path;
}

function find(path: string): Step | undefined {
  return descend(
    ROOT,
    tidyPath(path)
      .split('/')
      .filter((word) => word !== ''),
    0,
  );
}

/** Words before parameters: /samples/accession is no accession, /samples/accession/history is one's. */
function descend(step: Step, words: readonly string[], at: number): Step | undefined {
  const word = words[at];
  if (word === undefined || step.whole) return step.name === undefined ? undefined : step;
  const named = step.words.get(word) ?? step.words.get(word.toLowerCase());
  return (named && descend(named, words, at + 1)) ?? (step.parameter && descend(step.parameter, words, at + 1));
}

function readOperations(operations: readonly Operation[]): Step {
  const empty = (): Step => ({ words: new Map(), methods: new Map() });
  const root = empty();
  for (const operation of operations) {
    let step = root;
    for (const word of operation.path.split('/')) {
      if (word === '') continue;
      if (word.startsWith('{')) {
        step.parameter ??= empty();
        step = step.parameter;
      } else {
        const next = step.words.get(word) ?? empty();
        step.words.set(word, next);
        step = next;
      }
    }
    step.name = nameOf(operation);
    step.methods.set(operation.method, operation);
    if (operation.path !== '/' && operation.path.endsWith('/')) step.whole = true;
  }
  return root;
}
