/** Calls on a running registry, as a client makes them: over HTTP, with a bearer token. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts, IssueGroup, SubmissionState } from '../../src/submissions/submission.js';
import { logged } from './call-log.js';

export interface CallOptions {
  method?: string;
  /** The administrator's token by default; null sends none. */
  token?: string | null;
  headers?: Record<string, string>;
  body?: RequestInit['body'];
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The body's bytes. */
  bytes: Buffer;
  /** The body as UTF-8 text. */
  text: string;
  /** The body as JSON; the caller names the shape it expects. */
  json<T = Record<string, unknown>>(): T;
}

export interface UploadCall {
  /** File name as the browser sends it. */
  name?: string;
  /** Option fields, e.g. `{ releaseDate: '2024-01-01' }`. */
  options?: Record<string, string>;
  token?: string | null;
  headers?: Record<string, string>;
  /** Sends the file as the body itself, of this media type, with the options in the query; otherwise multipart. */
  raw?: string;
}

/** The parts of a status document that tests look at (the contract has more). */
export interface StatusDocument {
  submissionId: string;
  submissionStatus: SubmissionState;
  phase: string;
  fileName: string;
  fileSize: number;
  counts: Counts;
  becomePublic: number;
  createdPublic: number;
  issues: IssueGroup[];
  attempts: number;
  worker?: string;
  setbacks?: { workersLost: number; failures: number; nextTry: string; message: string };
  problem?: { code: string; message: string };
  _links: Record<string, { href: string }>;
}

export interface Mapping {
  submissionId: string;
  sampleNameAccessionPairs: { sampleName: string; sampleAccession: string }[];
}

/** The proof's files are larger by a factor of 50. */
const SETTLED_MS = process.env.PROOF === '1' ? 20 * 60_000 : 600_000;

/** Between two questions for the end: each takes 5 ms of processor from the work that is waited for, so long work is asked about less often. */
const FIRST_LOOK_MS = 25;
const MOST_BETWEEN_LOOKS_MS = 400;
const SHARE_OF_WAIT = 1 / 8;

export class ApiCaller {
  constructor(
    /** Without a slash at the end. */
    readonly url: string,
    readonly adminToken: string,
    /** What it is a process of: processes over one store have the same. */
    readonly storeName = url,
  ) {}

  call(path: string, options: CallOptions = {}): Promise<Answer> {
    const { token = this.adminToken } = options;
    return logged(this.storeName, path, { ...options, token }, () => this.#make(path, { ...options, token }));
  }

  async #make(path: string, { method = 'GET', token, headers = {}, body }: CallOptions): Promise<Answer> {
    const answer = await fetch(path.startsWith('http') ? path : `${this.url}${path}`, {
      method,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString('utf8');
    return { status: answer.status, headers: answer.headers, bytes, text, json: <T>() => JSON.parse(text) as T };
  }

  get(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call(path, options);
  }

  /** Sends a value as a JSON body. */
  send(method: string, path: string, value: unknown, options: CallOptions = {}): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...options.headers };
    return this.call(path, { ...options, method, headers, body: JSON.stringify(value) });
  }

  /** A new token of an account, which is made when it is new. */
  async token(account: string, scopes: string[] = ['read', 'submit']): Promise<string> {
    const answer = await this.send('POST', '/tokens', {
      account,
      name: `test of ${account}`,
      scopes,
      expiresInDays: 1,
      createAccount: true,
    });
    if (answer.status !== 201) throw new Error(`POST /tokens answered ${answer.status}: ${answer.text}`);
    return answer.json<{ token: string }>().token;
  }

  upload(
    file: string | Uint8Array,
    { name = 'samples.tsv', options = {}, token, headers = {}, raw }: UploadCall = {},
  ): Promise<Answer> {
    const bytes = new Uint8Array(Buffer.from(file as string));
    const common = { method: 'POST', ...(token === undefined ? {} : { token }) };
    if (raw !== undefined) {
      const query = new URLSearchParams(options).toString();
      return this.call(`/submissions?${query}`, {
        ...common,
        headers: { 'content-type': raw, ...headers },
        body: bytes,
      });
    }
    const form = new FormData();
    for (const [option, value] of Object.entries(options)) form.append(option, value);
    form.append('file', new File([bytes], name));
    return this.call('/submissions', { ...common, headers, body: form });
  }

  /** What the columns of a file are taken for. */
  propose(
    file: string | Uint8Array,
    {
      name = 'theirs.tsv',
      query = {},
      token,
    }: { name?: string; query?: Record<string, string>; token?: string | null } = {},
  ): Promise<Answer> {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(Buffer.from(file as string))], name));
    const path = `/profile-proposals?${new URLSearchParams(query)}`;
    return this.call(path, { method: 'POST', ...(token === undefined ? {} : { token }), body: form });
  }

  /** Uploads, waits for the end and resolves to the upload's answer, the status document and the submission's id. */
  async uploadAndSettle(
    file: string | Uint8Array,
    call: UploadCall = {},
  ): Promise<{ answer: Answer; id: string; status: StatusDocument }> {
    const answer = await this.upload(file, call);
    if (![200, 201, 202].includes(answer.status)) {
      throw new Error(`POST /submissions answered ${answer.status}: ${answer.text.slice(0, 2000)}`);
    }
    const id = submissionIdOf(answer);
    return { answer, id, status: await this.settled(id, call.token) };
  }

  async status(id: string, token?: string | null): Promise<StatusDocument> {
    const answer = await this.get(`/submissions/${id}`, token === undefined ? {} : { token });
    return answered(`/submissions/${id}`, answer).json<StatusDocument>();
  }

  /** The status document once the submission has ended; throws with the last one seen when it does not. */
  async settled(id: string, token?: string | null, timeoutMs = SETTLED_MS): Promise<StatusDocument> {
    const began = performance.now();
    for (;;) {
      const status = await this.status(id, token);
      if (status.submissionStatus !== 'ACTIVE') return status;
      const waited = performance.now() - began;
      if (waited > timeoutMs) throw new Error(`Submission ${id} has not ended: ${JSON.stringify(status)}`);
      await sleep(Math.min(FIRST_LOOK_MS + waited * SHARE_OF_WAIT, MOST_BETWEEN_LOOKS_MS));
    }
  }

  async mapping(id: string, token?: string | null): Promise<Mapping> {
    const path = `/submissions/${id}/mapping`;
    return answered(path, await this.get(path, token === undefined ? {} : { token })).json<Mapping>();
  }

  async result(id: string, token?: string | null): Promise<string> {
    const path = `/submissions/${id}/result`;
    return answered(path, await this.get(path, token === undefined ? {} : { token })).text;
  }
}

/** The service answered with another status than 200. */
export class NotAnswered extends Error {
  constructor(
    path: string,
    readonly status: number,
    text: string,
  ) {
    super(`GET ${path} answered ${status}: ${text.slice(0, 2000)}`);
  }
}

function answered(path: string, answer: Answer): Answer {
  if (answer.status !== 200) throw new NotAnswered(path, answer.status, answer.text);
  return answer;
}

/** The id in an upload's `Location: …/submissions/{id}`. */
export function submissionIdOf(answer: Answer): string {
  const id = /\/submissions\/([^/?#]+)$/.exec(answer.headers.get('location') ?? '')?.[1];
  if (!id) throw new Error(`No submission in the answer ${answer.status}: ${answer.text.slice(0, 2000)}`);
  return id;
}
