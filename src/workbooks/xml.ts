/** XML of a workbook part, as it streams by. Entities of a DTD are how documents reach out or blow up: one with a DTD is refused. */
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { RegistryError } from '../registry/errors.js';
import { LIMITS } from './limits.js';
import { broken, tooLarge } from './refusal.js';

export interface XmlHandler {
  /** Local name, without prefix. */
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text?(text: string): void;
}

/** What is done after each piece that was read. */
export type AfterPiece = () => undefined | 'stop' | Promise<undefined | 'stop'>;

const MAX_DEPTH = 64;

/**
 * Calls the handler as the part is read; after each piece, `after` may pause it or, with `stop`, end it.
 * @throws RegistryError file.not-understood, file.too-large
 */
export async function readXml(
  part: string,
  bytes: AsyncIterable<Buffer>,
  handler: XmlHandler,
  after?: AfterPiece,
): Promise<void> {
  const feed = createFeed(part, handler);
  for await (const chunk of bytes) {
    feed.write(chunk);
    if (after && (await after()) === 'stop') return;
  }
  feed.end();
}

/** A small part that was read whole. */
export function parseXml(part: string, text: string, handler: XmlHandler): void {
  const feed = createFeed(part, handler);
  feed.write(Buffer.from(text));
  feed.end();
}

/** A part that comes in pieces. */
export interface XmlFeed {
  /** @throws RegistryError file.not-understood, file.too-large */
  write(chunk: Buffer): void;
  end(): void;
}

export function createFeed(part: string, handler: XmlHandler): XmlFeed {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let sinceToken = 0;
  let depth = 0;
  let encoding: BufferEncoding | undefined;
  let decoder: StringDecoder | undefined;
  parser.on('doctype', () => {
    throw broken(`The workbook's part ${part} has a document type declaration, which no spreadsheet program writes.`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceToken = 0;
    if (++depth > MAX_DEPTH) throw broken(`The workbook's part ${part} is nested more than ${MAX_DEPTH} deep.`);
    handler.open(local(name), attributes as Record<string, string>);
  });
  parser.on('closetag', ({ name }) => {
    sinceToken = 0;
    depth--;
    handler.close(local(name));
  });
  // Comments do not count as progress: the parser keeps the text around them together.
  const onText = (text: string): void => {
    sinceToken = 0;
    handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  const guard = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      throw broken(`The workbook's part ${part} is not well-formed XML (${(error as Error).message.split('\n')[0]}).`);
    }
  };
  return {
    write: (chunk) => {
      encoding ??= encodingOf(chunk);
      decoder ??= new StringDecoder(encoding);
      sinceToken += chunk.length;
      guard(() => parser.write((decoder as StringDecoder).write(chunk)));
      if (sinceToken > LIMITS.token) {
        throw tooLarge(
          `The workbook's part ${part} has a single text or tag of more than ${LIMITS.token / 1024 / 1024} MiB.`,
        );
      }
    },
    end: () => guard(() => parser.close()),
  };
}

const encodingOf = (head: Buffer): BufferEncoding => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf16le';
  if (head[0] === 0xfe && head[1] === 0xff)
    throw broken('A part of the workbook is in an encoding (UTF-16 BE) that is not read.');
  return 'utf8';
};

const local = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
};
