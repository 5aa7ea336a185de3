import type { Command } from 'commander';

/** Built files that run until they are asked to stop, each in the process of its command, so that signals reach it. */
const PROCESSES = [
  [
    'serve',
    'Serves the interface and the page; without other engines set, with workers and the search index.',
    '../../server.js',
  ],
  ['worker', 'A worker that registers samples, beside services on a PostgreSQL store.', '../../../workers/ingest.js'],
  ['indexer', 'The process that keeps the search index of a PostgreSQL store.', '../../../workers/indexer.js'],
] as const;

/** `serve`, `worker` and `indexer`. */
export function addProcessCommands(program: Command): void {
  for (const [name, description, file] of PROCESSES) {
    program
      .command(name)
      .description(description)
      .action(() => import(new URL(file, import.meta.url).href));
  }
}
