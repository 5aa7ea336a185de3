/** Files that the service prints, where a plain link will not do: asked for by POST, or after the session has ended. */
import { address, inSession, problemOf, requestOnce, ServerAway } from './request.js';

export interface PrintedFile {
  name: string;
  blob: Blob;
}

/** A file in answer to a POST. @throws ApiProblem, ServerAway */
export const printFile = (path: string, json: unknown): Promise<PrintedFile> => inSession(() => printOnce(path, json));

async function printOnce(path: string, json: unknown): Promise<PrintedFile> {
  const response = await fetch(address(path), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(json),
  }).catch(() => {
    throw new ServerAway();
  });
  if (!response.ok) throw problemOf(response.status, await response.text());
  const name = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  return { name: name ?? 'samples.tsv', blob: await response.blob() };
}

/** Resolves once the session holds: a browser that saves a file shows nothing of a refusal. @throws ApiProblem, ServerAway */
export const sessionHolds = async (): Promise<void> => {
  await inSession(() => requestOnce('/me'));
};

/** Saves it as the browser does with a link. */
export function saveFile({ name, blob }: PrintedFile): void {
  const href = URL.createObjectURL(blob);
  saveAddress(href, name);
  // The browser has read it by then; kept any longer, it would be kept as long as the page.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export function saveAddress(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
