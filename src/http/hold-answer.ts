/** Keeps an answer back, from its first byte on, until what it tells of is certain. */
import type { Response } from 'express';

type Given = Parameters<Response['end']>;

/** `until` is asked once, when the answer begins; with undefined, and when it fails, the answer goes out. */
export function holdAnswer(response: Response, until: () => Promise<void> | undefined): void {
  const write = response.write.bind(response) as (...given: Given) => boolean;
  const end = response.end.bind(response) as (...given: Given) => Response;
  const held: (() => unknown)[] = [];
  let state: 'not begun' | 'held' | 'free' = 'not begun';
  const release = (): void => {
    state = 'free';
    let flowing: unknown = true;
    for (const call of held) flowing = call();
    if (flowing === true) response.emit('drain');
  };
  /** True when what is to be sent now goes out by itself. */
  const isFree = (): boolean => {
    if (state !== 'not begun') return state === 'free';
    const certain = until();
    state = certain === undefined ? 'free' : 'held';
    void certain?.then(release, release);
    return state === 'free';
  };
  response.write = ((...given: Given) => {
    if (isFree()) return write(...given);
    held.push(() => write(...given));
    return false;
  }) as typeof response.write;
  response.end = ((...given: Given) => {
    if (isFree()) return end(...given);
    held.push(() => end(...given));
    return response;
  }) as typeof response.end;
}
