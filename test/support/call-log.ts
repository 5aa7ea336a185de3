/** What clients of a test asked over HTTP, when, and what they were answered: for the checker (check-calls.ts). */
import { createHash } from 'node:crypto';
import type { SubmissionState } from '../../src/submissions/submission.js';

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  token?: string | null;
}

interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

/** One sample, as it was answered. */
export interface SeenSample {
  accession: string;
  /** Milliseconds since 1970, of its last change: they order its versions. */
  update: number;
  tag: string;
  /** Of all that was answered. */
  digest: string;
}

export interface LoggedCall {
  /** Which service's: calls on several processes over one store have the same. */
  store: string;
  /** Of whoever asked. */
  token: string;
  /** As a request: `PUT /samples/SAMR1`. */
  asked: string;
  /** Milliseconds, of one clock. */
  start: number;
  end: number;
  /** 0: the answer was lost. */
  status: number;
  ifMatch?: string;
  /** What asks for the same thing again: an Idempotency-Key, a commit, an undo. */
  repeats?: string;
  sample?: SeenSample;
  /** Of an answer that names one as its place. */
  submissionId?: string;
  submission?: { id: string; state: SubmissionState; rows: number };
  /** Submissions of a list that has all. */
  listed?: string[];
}

/** Calls that are kept, or nothing is: a file of tests that wants them says so (histories.ts). */
let calls: LoggedCall[] | undefined;

export function beginLog(): void {
  calls = [];
}

/** The calls since the log was begun. */
export function endLog(): LoggedCall[] {
  const taken = calls ?? [];
  calls = undefined;
  return taken;
}

/** Makes the call, and logs it whether it is answered or not. */
export async function logged<Answer extends Answered>(
  store: string,
  url: string,
  { method = 'GET', headers = {}, token }: Asked,
  make: () => Promise<Answer>,
): Promise<Answer> {
  if (calls === undefined) return make();
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  const call: LoggedCall = {
    store,
    token: String(token),
    asked: `${method} ${path}`,
    start: performance.now(),
    end: Number.POSITIVE_INFINITY,
    status: 0,
    ...repetition(method, path, headers),
    ...(headers['if-match'] === undefined ? {} : { ifMatch: headers['if-match'] }),
  };
  calls.push(call);
  const answer = await make();
  call.end = performance.now();
  call.status = answer.status;
  if (answer.status >= 300) return answer;
  const [, submissionId] = /\/submissions\/([^/?#]+)$/.exec(answer.headers.get('location') ?? '') ?? [];
  Object.assign(call, seenIn(call.asked, answer), submissionId === undefined ? {} : { submissionId });
  return answer;
}

function repetition(method: string, path: string, headers: Record<string, string>): Pick<LoggedCall, 'repeats'> {
  const key = headers['idempotency-key'];
  if (method !== 'POST') return {};
  if (key !== undefined) return { repeats: `key ${key}` };
  return /^\/submissions\/[^/]+\/(commit|undo)$/.test(path) ? { repeats: path } : {};
}

/** What the answer says of one sample, of one submission or of all of them. */
function seenIn(asked: string, { text, headers }: Answered): Partial<LoggedCall> {
  if (!/^\w+ \/(samples|submissions)(\/[^/?]+(\/(commit|undo|cancel|retry))?)?$/.test(asked)) return {};
  // HEAD has no body.
  if (text === '' || !/[/+]json\b/.test(headers.get('content-type') ?? '')) return {};
  const body = JSON.parse(text) as Record<string, unknown>;
  const tag = headers.get('etag') ?? '';
  if (typeof body.accession === 'string' && typeof body.update === 'string') {
    const { _links, ...document } = body;
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64');
    return { sample: { accession: body.accession, update: Date.parse(body.update), tag, digest } };
  }
  if (typeof body.submissionId === 'string') {
    const { rows } = body.counts as { rows: number };
    return { submission: { id: body.submissionId, state: body.submissionStatus as SubmissionState, rows } };
  }
  const { submissions } = (body._embedded ?? {}) as { submissions?: { submissionId: string }[] };
  if (submissions === undefined || (body._links as Record<string, unknown>).next !== undefined) return {};
  return { listed: submissions.map(({ submissionId }) => submissionId) };
}
