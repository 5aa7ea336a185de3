/**
 * The page at the address of one sample, `/page/?sample=SAMR1`: for crawlers, its HTML says what the sample is, as JSON-LD in
 * a block of data that no browser runs. What anybody may read is said; of every other accession the page says nothing.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request, RequestHandler } from 'express';
import { bioschemas } from '../formats/bioschemas.js';
import { escapeXml } from '../formats/xml.js';
import { isNotReadable } from '../registry/errors.js';
import type { Registry, SampleView } from '../registry/registry.js';
import { answeredFromTag } from './conditional.js';
import type { HttpContext } from './context.js';
import { queryOf } from './query.js';
import { formatted } from './read-sample.js';
import { send } from './respond.js';

/** Of the block; a sample that says more is on the page like any other. */
const MAX_BLOCK = 256 * 1024;
const TITLE = /<title>[^<]*<\/title>/;

/** Passes on every request that names no sample which anybody may read. */
export function samplePage(distFolder: string, context: HttpContext, registry: Registry): RequestHandler {
  return async (request, response, next) => {
    const [accession, ...others] = queryOf(request).getAll('sample');
    const one = accession !== undefined && others.length === 0;
    const sample = one ? await readAsAnybody(registry, accession) : undefined;
    const data = sample && dataOf(context.publicUrl(request), sample);
    if (!sample || data === undefined) return next();
    const html = await readFile(join(distFolder, 'index.html'), 'utf8').catch(() => undefined);
    if (html === undefined) return next();
    response.set('Cache-Control', 'no-cache');
    if (answeredFromTag(request, response, `${sample.etag.slice(0, -1)}-${digest(html)}"`)) return;
    send(request as Request, response, 200, 'text/html;charset=UTF-8', withData(html, sample.document.name, data));
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

async function readAsAnybody(registry: Registry, accession: string): Promise<SampleView | undefined> {
  try {
    return await registry.read(accession, undefined, {});
  } catch (error) {
    if (isNotReadable(error)) return undefined;
    throw error;
  }
}

function dataOf(publicUrl: string, sample: SampleView): string | undefined {
  const data = bioschemas.one(formatted(publicUrl, sample.accession, sample)).trimEnd();
  return data.length > MAX_BLOCK ? undefined : data;
}

/** No value ends the block or begins a comment in it: JSON has another spelling for `<`. */
export const withData = (html: string, name: string, json: string): string =>
  html
    .replace(TITLE, () => `<title>${escapeXml(name)} · Sample registry</title>`)
    .replace(
      '</head>',
      () => `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>\n  </head>`,
    );
