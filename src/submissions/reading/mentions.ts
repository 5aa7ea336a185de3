/** The bytes as they come, and whether they hold a word: found without reading what it stands in. */
export interface Watched {
  bytes: AsyncIterable<Buffer>;
  /** Among the bytes that have passed. */
  seen(): boolean;
}

export function watchFor(source: AsyncIterable<Buffer>, word: string): Watched {
  let seen = false;
  async function* pass(): AsyncGenerator<Buffer> {
    let tail: Buffer = Buffer.alloc(0);
    for await (const block of source) {
      seen ||= block.includes(word) || Buffer.concat([tail, block.subarray(0, word.length)]).includes(word);
      // A block may be shorter than the word.
      tail = Buffer.concat([tail, block.subarray(-word.length)]).subarray(-word.length);
      yield block;
    }
  }
  return { bytes: pass(), seen: () => seen };
}
