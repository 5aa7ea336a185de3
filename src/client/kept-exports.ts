/**
 * Whole results that the service makes and keeps (`/samples/exports`): a download that broke goes on where it stopped, also
 * tomorrow, from another run of the program.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../durable-names.js';
import { RefusedError, UnavailableError } from './failures.js';
import type { ExportQuery, RegistryClient } from './registry-client.js';
import { bodyOf, readOrFail } from './save.js';
import { waitUntil } from './wait.js';

export interface KeptExportDocument {
  exportId: string;
  state: 'ACTIVE' | 'COMPLETED' | 'FAILED';
  samples?: number;
  bytes?: number;
  sha256?: string;
  problem?: { message: string };
  expires: string;
}

/** What was begun, beside the file: whoever asks for the same into the same file goes on with it. */
interface Begun {
  url: string;
  query: ExportQuery;
  exportId: string;
}

type Finished = KeptExportDocument & Required<Pick<KeptExportDocument, 'bytes' | 'sha256'>>;

/**
 * Saves everything that a search finds as a file: whole, compared with its checksum and durable, or what came so far under
 * the name with `.part`, with which the next call goes on. The service's copy goes once the file is there.
 * @throws RefusedError, UnavailableError
 */
export async function saveKeptExport(
  client: RegistryClient,
  query: ExportQuery,
  path: string,
  onBegun: (document: KeptExportDocument) => void,
): Promise<void> {
  const partial = `${path}.part`;
  const note = `${partial}.json`;
  const document = (await resumed(client, query, note)) ?? (await begun(client, query, { partial, note }));
  const address = addressOf(document.exportId);
  onBegun(document);
  const ended = await waitUntil(
    () => client.json<KeptExportDocument>({ path: address }),
    ({ state }) => state !== 'ACTIVE',
  );
  if (!isFinished(ended)) {
    await rm(note, { force: true });
    throw new RefusedError({
      status: 409,
      detail: ended.problem?.message ?? `Export ${ended.exportId} has no file; ask again.`,
    });
  }
  while ((await sizeOf(partial)) < ended.bytes) await client.repeat(() => fetchRest(client, ended, partial));
  if ((await sha256Of(partial)) !== ended.sha256) {
    await rm(partial, { force: true });
    throw new UnavailableError(`What came of export ${ended.exportId} is not what the service keeps; ask again.`);
  }
  await rename(partial, path);
  // Before the note goes, with which what came so far is found again.
  await syncFolder(dirname(path));
  await rm(note, { force: true });
  await client.request({ method: 'DELETE', path: address });
}

const addressOf = (id: string): string => `/samples/exports/${encodeURIComponent(id)}`;
const isFinished = (one: KeptExportDocument): one is Finished => one.bytes !== undefined && one.sha256 !== undefined;

/** That of an earlier call that asked for the same, if the service still has it. */
async function resumed(
  client: RegistryClient,
  query: ExportQuery,
  note: string,
): Promise<KeptExportDocument | undefined> {
  const earlier = await readNote(note);
  if (earlier?.url !== client.baseUrl || JSON.stringify(earlier.query) !== JSON.stringify(query)) return undefined;
  try {
    return await client.json<KeptExportDocument>({ path: addressOf(earlier.exportId) });
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return undefined;
    throw error;
  }
}

async function begun(
  client: RegistryClient,
  query: ExportQuery,
  { partial, note }: { partial: string; note: string },
): Promise<KeptExportDocument> {
  await rm(partial, { force: true });
  const document = await client.json<KeptExportDocument>({
    method: 'POST',
    path: '/samples/exports',
    query: { ...query },
  });
  const noted: Begun = { url: client.baseUrl, query, exportId: document.exportId };
  const file = await open(note, 'w');
  try {
    await file.writeFile(`${JSON.stringify(noted)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(note));
  return document;
}

/** A note that cannot be read is none. */
async function readNote(path: string): Promise<Begun | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Begun;
  } catch {
    return undefined;
  }
}

/** Appends what is missing. One that breaks after some bytes has got further, and is no failure. */
async function fetchRest(client: RegistryClient, { exportId, sha256 }: Finished, partial: string): Promise<void> {
  const from = await sizeOf(partial);
  const headers = from === 0 ? {} : { range: `bytes=${from}-`, 'if-range': `"${sha256}"` };
  const response = await client.once({ path: `${addressOf(exportId)}/file`, headers });
  const body = bodyOf(response);
  try {
    const file = await open(partial, response.status === 206 ? 'a' : 'w');
    try {
      await writeFile(file, readOrFail(body, client.baseUrl));
    } finally {
      await file.sync();
      await file.close();
    }
  } catch (error) {
    body.destroy();
    if (!(error instanceof UnavailableError) || (await sizeOf(partial)) <= from) throw error;
  }
}

const sizeOf = async (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 0;
      throw error;
    },
  );

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
