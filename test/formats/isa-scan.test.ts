/** Finding the sources and samples of an ISA-JSON document in its bytes, wherever a block of them ends. */
import { describe, expect, it } from 'vitest';
import type { Part } from '../../src/submissions/isa-json/parts.js';
import { isaPieces, isIsaJson } from '../../src/submissions/isa-json/scan.js';
import { isaDocument } from '../support/isa-document.js';
import { Random } from '../support/random.js';

const DOCUMENT = isaDocument({
  title: 'Ein "Titel" mit \\ und ä😀 ]}',
  sources: [{ name: 'q "]}', values: [{ name: 'organism', text: 'x', unit: 'week' }] }],
  samples: [{ name: 's1' }, { name: 's2 ☃' }],
});

async function read(text: string | Buffer, size: number | Random): Promise<{ whole: string; parts: Part[] }> {
  const bytes = Buffer.from(text as string);
  async function* blocks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; ) {
      const length = typeof size === 'number' ? size : 1 + size.below(40);
      yield bytes.subarray(at, at + length);
      at += length;
    }
  }
  const parts: Part[] = [];
  const all: Buffer[] = [];
  for await (const piece of isaPieces(blocks())) {
    if (piece instanceof Uint8Array) all.push(piece);
    else {
      parts.push(piece);
      all.push(Buffer.from(piece.text));
    }
  }
  return { whole: Buffer.concat(all).toString('utf8'), parts };
}

describe('the parts of a document', () => {
  it.each([0, 1, 3])(
    'are the same whatever the blocks, and every byte is in one of the pieces (indent %i)',
    async (indent) => {
      const text = JSON.stringify(DOCUMENT, null, indent);
      const { parts } = await read(text, 1_000_000);
      const study = (DOCUMENT as { investigation: { studies: Record<string, unknown>[] } }).investigation.studies[0];
      const { materials } = study as { materials: { sources: object[]; samples: object[] } };
      const found = (kind: string) =>
        parts.filter((part) => part.kind === kind).map(({ text: part }) => JSON.parse(part) as object);
      expect(found('source')).toEqual(materials.sources);
      expect(found('sample')).toEqual(materials.samples);
      expect(found('category')).toEqual(study?.characteristicCategories);
      expect(found('study')).toContain(study?.title);
      const random = new Random(5);
      for (const size of [1, 2, 7, ...Array.from({ length: 30 }, () => random)]) {
        const cut = await read(text, size);
        expect(cut.whole).toBe(text);
        expect(cut.parts).toEqual(parts);
      }
    },
  );

  it('are not looked for in assays, or anywhere else of the same name', async () => {
    const other = {
      samples: [{ name: 'no' }],
      materials: { samples: [{ name: 'no' }] },
      studies: [{ assays: [{ materials: { samples: [{}] } }] }],
    };
    expect((await read(JSON.stringify(other), 3)).parts).toEqual([]);
  });

  it('of what is no document, or only a part of one, are an error and never an end', async () => {
    const text = JSON.stringify(DOCUMENT);
    for (let at = 1; at < text.length; at += 13)
      await expect(read(text.slice(0, at), 100), `${at}`).rejects.toThrow('cut off');
    for (const broken of [
      `${text}]`,
      `${text}{}`,
      text.replace(':', ' '),
      text.replace('[', '{'),
      `[${text}]`,
      '"x"',
    ]) {
      await expect(read(broken, 9), broken.slice(0, 30)).rejects.toThrow('stands where it cannot');
    }
    await expect(read('{"a":'.repeat(200), 9)).rejects.toThrow('levels deep');
    const wrong = Buffer.from(text.replace('s2 ☃', 's2 ?')).map((byte) => (byte === 63 ? 0xff : byte));
    await expect(read(Buffer.from(wrong), 50)).rejects.toThrow('UTF-8');
    const long = isaDocument({ samples: [{ name: 'x'.repeat(5_000_000) }] });
    await expect(read(JSON.stringify(long), 60_000)).rejects.toThrow('more than 4194304 bytes');
  });

  it('tell an ISA-JSON document from other JSON', () => {
    const is = (value: unknown) => isIsaJson(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
    expect([DOCUMENT, { studies: [] }, ` \n{"title":"x","studies":[{`].map(is)).toEqual([true, true, true]);
    const others = [
      { name: 's', release: '2020-01-01' },
      [{ studies: [] }],
      { name: '"studies":[' },
      { a: { studies: [] } },
      { studies: 5 },
      '',
    ];
    expect(others.map(is)).toEqual(others.map(() => false));
  });
});
