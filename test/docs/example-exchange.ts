/** One example of docs/api-examples.md on its way: the request as it is sent, the answer as it is printed. */
import { STATUS_CODES } from 'node:http';
import type { ApiExample } from '../../src/help/api-examples.js';
import type { Answer, CallOptions } from '../support/api-caller.js';

export const LEFT_OUT = '…';
const HOST = 'localhost:8080';
/** Dates that the examples give are older. */
const OF_THE_RUN = /\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** They hold times. */
const CURSOR = /("cursor": ?"|[?&]cursor=)[\w.%-]+/g;
const TIME = '2026-01-01T00:00:00.000Z';
/** Of submissions, exports, tokens and the like, and of resumable uploads and deliveries. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;
/** Headers that say something of this answer alone. */
const TELLING =
  /^(content-type|location|content-location|allow|idempotent-replayed|samples-count|submission-id|tus-|upload-offset|upload-length)/;
const SECRET = new Set(['token', 'secret', 'oneTimePassword']);
const TOKEN = /srt_[\w-]+/g;

/** Names of ids in the page and of the service that runs, both ways. */
export class Ids {
  readonly #printed = new Map<string, string>();
  readonly #real = new Map<string, string>();

  /** Ids that are new in the answer have, in their order, the names that the printed answer has for them, or the next free ones. */
  learn(answer: string, printed: string): void {
    const named = (printed.match(ID) ?? []).filter((id, at, all) => !this.#real.has(id) && all.indexOf(id) === at);
    for (const id of answer.match(ID) ?? []) {
      if (this.#printed.has(id) || this.#real.has(id)) continue;
      const name = named.shift() ?? this.#free(id.includes('-'));
      this.#printed.set(id, name);
      this.#real.set(name, id);
    }
  }

  #free(dashes: boolean): string {
    for (let number = 1; ; number++) {
      const plain = `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
      const name = dashes ? plain : plain.replaceAll('-', '');
      if (!this.#real.has(name)) return name;
    }
  }

  toPrinted = (text: string): string => text.replace(ID, (id) => this.#printed.get(id) ?? id);
  toReal = (text: string): string => text.replace(ID, (id) => this.#real.get(id) ?? id);
}

/** `words`: what stands for `TOKEN` and the like. */
export function readRequest(
  { request }: ApiExample,
  words: Readonly<Record<string, string>>,
): { path: string } & CallOptions {
  const { head, body } = split(request);
  const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(head[0] as string) ?? [];
  if (method === '') throw new Error(`No request line: ${head[0]}`);
  const filled = (text: string) =>
    text.replace(/\b(ADMIN_TOKEN|TOKEN|NEW-PASSWORD|PASSWORD)\b/g, (word) => words[word] ?? word);
  const headers = Object.fromEntries(head.slice(1).map((line) => line.split(': ', 2).map(filled) as [string, string]));
  // The parts of a form end as MIME has it.
  const form = headers['Content-Type']?.startsWith('multipart/');
  return {
    path,
    method,
    token: null,
    headers,
    ...(body === '' ? {} : { body: form ? body.replaceAll('\n', '\r\n') : filled(body) }),
  };
}

/** The answer as the page has it but for its length: the same from one run to another, up to numbers and checksums. */
export function settle(answer: Answer, url: string, ids: Ids, printed: string): { head: string[]; body: unknown } {
  const steady = (text: string) =>
    ids
      .toPrinted(text)
      .replaceAll(new URL(url).host, HOST)
      .replaceAll(OF_THE_RUN, TIME)
      .replaceAll(TOKEN, LEFT_OUT)
      .replaceAll(CURSOR, `$1${LEFT_OUT}`);
  const headers = [...answer.headers].filter(([name]) => TELLING.test(name));
  const text = isText(answer) ? answer.text : '';
  ids.learn([...headers.map(([, value]) => value), text].join('\n'), printed);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    ...headers.map(([name, value]) => `${titled(name)}: ${steady(value)}`),
  ];
  if (answer.bytes.length === 0) return { head, body: '' };
  if (!isText(answer)) return { head, body: `(a file of this type)` };
  const type = answer.headers.get('content-type') ?? '';
  return {
    head,
    body: /^application\/([a-z.+-]+\+)?json/.test(type) ? withoutSecrets(JSON.parse(steady(text))) : steady(text),
  };
}

/** As they are usually written. */
const titled = (header: string): string => header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

const isText = ({ headers }: Answer): boolean => /^text\/|json/.test(headers.get('content-type') ?? '');

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET.has(name) && typeof member === 'string' ? LEFT_OUT : withoutSecrets(member),
    ]),
  );
}

/** Status line and headers, and the body. */
export function split(message: string): { head: string[]; body: string } {
  const end = message.indexOf('\n\n');
  return end < 0
    ? { head: message.split('\n'), body: '' }
    : { head: message.slice(0, end).split('\n'), body: message.slice(end + 2) };
}
