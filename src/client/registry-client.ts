/** The service as a program sees it. Over 250 lines: a list of its operations, each a few lines. */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ExportFormat } from '../formats/names.js';
import {
  type EditRequest,
  type FacetsDocument,
  hasEnded,
  type ListedProfile,
  optionFields,
  type SampleDocument,
  type SheetProposal,
  type SubmissionDocument,
  type UploadOptions,
} from './documents.js';
import { multipartFile } from './multipart.js';
import { Requests } from './requests.js';
import { bodyOf, saveStream } from './save.js';
import { waitUntil } from './wait.js';

export interface UploadRequest {
  path: string;
  options?: UploadOptions;
  /** The same key and bytes are one submission, however often they are sent. */
  idempotencyKey?: string;
  fileName?: string;
  /** Bytes of the file handed to the connection so far; starts over when an attempt is repeated. */
  onBytes?: (sent: number, size: number) => void;
}

export interface Uploaded {
  submission: SubmissionDocument;
  /** True when the service had this upload already. */
  replayed: boolean;
}

/** Query of `GET /samples/export`. */
export interface ExportQuery {
  text?: string;
  filter?: string[];
  format: ExportFormat;
  applyCurations?: string;
}

/** Parts of a submission that can be fetched as files. */
export type SubmissionPart =
  | 'result'
  | 'mapping'
  | 'errors'
  | 'missing'
  | 'open-relationships'
  | 'original'
  | 'ro-crate';

/** Of the result tsv or xlsx, of the errors any. */
export type PartFormat = 'tsv' | 'json' | 'xlsx';

/**
 * The service, as a program sees it. Every method repeats itself while the service is away, within the retry policy.
 * @throws RefusedError, UnavailableError from every method
 */
export class RegistryClient extends Requests {
  /** Sends a file. Safe to repeat: every attempt carries the same idempotency key. */
  async upload(request: UploadRequest): Promise<Uploaded> {
    const key = request.idempotencyKey ?? randomUUID();
    const body = await multipartFile(request.path, optionFields(request.options ?? {}), request);
    const headers = { ...body.headers, accept: 'application/json', 'idempotency-key': key };
    return this.read({ method: 'POST', path: '/submissions', headers, body: body.open }, async (answer) => ({
      submission: await this.readSubmission(answer),
      replayed: answer.headers.get('idempotent-replayed') === 'true',
    }));
  }

  /** Changes many samples alike, or shows what that would do. Safe to repeat: every attempt carries the same idempotency key. */
  async edit(request: EditRequest, key: string = randomUUID()): Promise<SubmissionDocument> {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'idempotency-key': key };
    const sent = { method: 'POST', path: '/submissions/edits', headers, body: JSON.stringify(request) } as const;
    return this.read(sent, (answer) => this.readSubmission(answer));
  }

  status(id: string): Promise<SubmissionDocument> {
    return this.json<SubmissionDocument>({ path: submissionPath(id) });
  }

  /** Newest first. */
  submissions(limit: number): AsyncIterable<SubmissionDocument> {
    return this.listed<SubmissionDocument>('/submissions', 'submissions', {}, limit);
  }

  /** Samples that hold all words of `text` and pass every filter, newest first. */
  search(query: { text?: string; filter?: string[] }, limit: number): AsyncIterable<SampleDocument> {
    return this.listed<SampleDocument>('/samples', 'samples', query, limit);
  }

  /** Counts of all that a search finds: of these characteristics, separated by commas, or of the most frequent ones. */
  async facets(query: {
    text?: string;
    filter?: string[];
    facets: string;
    facetValues: string;
  }): Promise<FacetsDocument> {
    const page = await this.json<{ facets: FacetsDocument }>({ path: '/samples', query: { ...query, size: '1' } });
    return page.facets;
  }

  /** Carries out a dry run, or takes back what a submission did; resolves to the submission that does so. */
  async followUp(id: string, step: 'commit' | 'undo'): Promise<SubmissionDocument> {
    const headers = { accept: 'application/json' };
    const sent = { method: 'POST', path: `${submissionPath(id)}/${step}`, headers } as const;
    return this.read(sent, (answer) => this.readSubmission(answer));
  }

  /** Resolves when the submission has ended. */
  wait(id: string, onProgress?: (submission: SubmissionDocument) => void): Promise<SubmissionDocument> {
    return waitUntil(
      () => this.status(id),
      ({ submissionStatus }) => hasEnded(submissionStatus),
      { onProgress, signal: this.options.signal },
    );
  }

  /** Of the plan of a standing sheet that has carried itself out, its commit when that has ended; any other submission as it is. */
  async carriedOut(
    plan: SubmissionDocument,
    onProgress?: (submission: SubmissionDocument) => void,
  ): Promise<SubmissionDocument> {
    const commit = plan.standing?.commit;
    return commit === undefined ? plan : this.wait(commit, onProgress);
  }

  /** Asks for the submission to stop; what is registered stays. */
  async cancel(id: string): Promise<SubmissionDocument> {
    await this.request({ method: 'DELETE', path: submissionPath(id) });
    return this.status(id);
  }

  /** The bytes of one part; `format` of those that have several. */
  async part(id: string, part: SubmissionPart, format?: PartFormat): Promise<Readable> {
    return bodyOf(await this.request(partOf(id, part, format)));
  }

  /** Saves one part as a file: whole and durable, or not at all. A broken download begins anew. */
  async savePart(id: string, part: SubmissionPart, path: string, format?: PartFormat): Promise<void> {
    await this.repeat(async () => {
      const response = await this.once(partOf(id, part, format));
      await saveStream(bodyOf(response), path, this.options.baseUrl);
    });
  }

  sample(accession: string): Promise<unknown> {
    return this.json({ path: `/samples/${encodeURIComponent(accession)}` });
  }

  /** An empty sheet made for a checklist. */
  async template(checklist: string, format: 'tsv' | 'xlsx'): Promise<Readable> {
    const path = `/checklists/${encodeURIComponent(checklist)}/template`;
    return bodyOf(await this.request({ path, query: { format } }));
  }

  /** Existing samples as a sheet to edit and send again. */
  async sheet(query: { accession?: string; submission?: string }): Promise<Readable> {
    return bodyOf(await this.request({ path: '/samples/template', query }));
  }

  /** Everything that a search finds, as one file. */
  async export(query: ExportQuery): Promise<Readable> {
    return bodyOf(await this.request({ path: '/samples/export', query: { ...query } }));
  }

  /** The same as a file: whole and durable, or not at all. A broken download begins anew. */
  async saveExport(query: ExportQuery, path: string): Promise<void> {
    await this.repeat(async () => {
      const response = await this.once({ path: '/samples/export', query: { ...query } });
      await saveStream(bodyOf(response), path, this.options.baseUrl);
    });
  }

  /** How many samples that is. */
  async countExport(query: ExportQuery): Promise<number> {
    const response = await this.request({ method: 'HEAD', path: '/samples/export', query: { ...query } });
    return Number(response.headers.get('samples-count'));
  }

  /** Those of the account first, then shared ones, then those that ship. */
  async profiles(): Promise<ListedProfile[]> {
    const list = await this.json<{ _embedded: { profiles: ListedProfile[] } }>({ path: '/profiles' });
    return list._embedded.profiles;
  }

  /** The document of one. */
  profile(name: string, version?: number): Promise<unknown> {
    return this.json({ path: profilePath(name), query: version === undefined ? {} : { version: String(version) } });
  }

  keepProfile(name: string, document: unknown, shared?: boolean): Promise<ListedProfile> {
    return this.json<ListedProfile>({
      method: 'PUT',
      path: profilePath(name),
      query: shared === undefined ? {} : { shared: String(shared) },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(document),
    });
  }

  async deleteProfile(name: string): Promise<void> {
    await this.request({ method: 'DELETE', path: profilePath(name) });
  }

  /** What the columns of a file are taken for. Of text its first part is sent. */
  async proposeProfile(path: string, query: Record<string, string> = {}): Promise<SheetProposal> {
    const most = (await isPacked(path)) ? {} : { most: LOOKED_AT };
    const body = await multipartFile(path, {}, most);
    return this.json<SheetProposal>({
      method: 'POST',
      path: '/profile-proposals',
      query,
      headers: body.headers,
      body: body.open,
    });
  }

  /** Exchanges a password for a token. */
  async signIn(username: string, password: string): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const sent = {
      method: 'POST',
      path: '/auth/token',
      headers,
      body: JSON.stringify({ username, password }),
    } as const;
    return (await this.read(sent, (answer) => answer.text())).trim();
  }

  /** The status document in the answer, or, where the answer is the two-line table of a large upload, asked for. */
  private async readSubmission(response: Response): Promise<SubmissionDocument> {
    const type = response.headers.get('content-type') ?? '';
    if (/^application\/(\w+\+)?json/.test(type)) return (await response.json()) as SubmissionDocument;
    await response.body?.cancel();
    const id = response.headers.get('location')?.split('/').pop() ?? '';
    return this.status(id);
  }
}

export { hasEnded };

const profilePath = (name: string): string => `/profiles/${encodeURIComponent(name)}`;

/** Bytes of a text that the service looks at. */
const LOOKED_AT = 256 * 1024;

/** A workbook, a zip archive or gzip, by its first bytes: its table is found at its end, or after unpacking. */
async function isPacked(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && ['504b', '1f8b', 'd0cf'].includes(buffer.toString('hex'));
  } finally {
    await file.close();
  }
}

const submissionPath = (id: string): string => `/submissions/${encodeURIComponent(id)}`;

const partOf = (id: string, part: SubmissionPart, format?: PartFormat) => ({
  path: `${submissionPath(id)}/${part}`,
  query: format === undefined ? {} : { format },
});
