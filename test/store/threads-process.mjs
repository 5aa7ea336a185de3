/** Starts threads that each write a row with a connection of their own: `node threads-process.mjs FILE COUNT`. Every second one is stopped from outside, its connection open. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import Database from '../../dist/src/store/sqlite/driver.js';

if (isMainThread) {
  const [, program, file, count] = process.argv;
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec('create table entry (id integer primary key)');
  const threads = Array.from({ length: Number(count) }, async (_, id) => {
    const thread = new Worker(new URL(`file://${program}`), { workerData: { file, id } });
    const ended = once(thread, 'exit');
    await once(thread, 'message');
    if (id % 2 === 0) thread.postMessage('end');
    else await thread.terminate();
    await ended;
  });
  await Promise.all(threads);
  const { n } = database.prepare('select count(*) as n from entry').get();
  console.log(`${threads.length} threads ended, ${n} rows`);
} else {
  const database = new Database(workerData.file, { timeout: 30_000 });
  database.function('one', () => 1);
  database.prepare('insert into entry (id) values (? * one())').run(workerData.id);
  parentPort.once('message', () => {});
  parentPort.postMessage('written');
}
