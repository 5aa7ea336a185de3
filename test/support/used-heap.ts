/** Bytes of what is alive in this process, after a whole collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export function usedHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
