/** `GET /samples/export`: everything that a search finds, as one file. HEAD counts it. */
import { type Request, type Response, Router } from 'express';
import { fileOf } from '../../exports/formats.js';
import type { ExportRequest, SampleExports } from '../../exports/sample-exports.js';
import { EXPORT_FORMATS, type ExportFormat, isSheet } from '../../formats/names.js';
import { networkOf } from '../../limits/network.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { bestOf } from '../negotiate.js';
import { queryOf, trueOrFalse } from '../query.js';
import { attachment, stream } from '../respond.js';
import { readSearch } from './sample-list.js';

/** How many samples the result has. */
const COUNT = 'Samples-Count';

export function sampleExportRoutes(context: HttpContext, exports: SampleExports): Router {
  const router = Router();
  address(router, '/', {
    get: async (request: Request, response: Response) => {
      const asked = {
        ...readExport(queryOf(request), accepted(request)),
        registry: context.publicUrl(request),
      };
      const caller = await context.caller(request);
      const who = caller?.account ?? `network ${networkOf(request.ip ?? '')}`;
      response.setHeader('Cache-Control', caller ? 'private, no-store' : 'no-store');
      const { contentType, fileEnding } = fileOf(asked.format);
      if (request.method === 'HEAD') {
        response.setHeader(COUNT, await exports.count(asked, caller, who));
        response.setHeader('Content-Type', contentType);
        response.end();
        return;
      }
      const made = await exports.begin(asked, caller, who);
      try {
        if (response.destroyed) return;
        response.setHeader(COUNT, made.count);
        response.setHeader(
          'Content-Disposition',
          attachment(`samples-${new Date().toISOString().slice(0, 10)}.${fileEnding}`),
        );
        if (made.file.size !== undefined) response.setHeader('Content-Length', made.file.size);
        await stream(request, response, contentType, made.file.read());
      } finally {
        await made.end();
      }
    },
  });
  return router;
}

export const EXPORT_PARAMETERS = 'text, filter, format and applyCurations';

/** What of an address says which whole result is meant, in the format `otherwise` where it names none. @throws RegistryError request.invalid */
export function readExport(
  query: URLSearchParams,
  otherwise: ExportFormat = 'tsv',
): Omit<ExportRequest, 'registry'> & { format: ExportFormat } {
  const format = formatOf(query) ?? otherwise;
  for (const name of ['page', 'cursor', 'size']) {
    if (query.has(name)) {
      throw new RegistryError(
        'request.invalid',
        `${name}= has no meaning here: an export is the whole result. Leave it out.`,
      );
    }
  }
  const curated = trueOrFalse(query, 'applyCurations', !isSheet(format));
  if (curated && isSheet(format)) {
    throw new RegistryError(
      'request.invalid',
      'applyCurations=true is for ndjson and the formats of others: a sheet is made to be edited and sent back, which would make others’ curations part of your samples.',
    );
  }
  return { ...readSearch(query), format, curated };
}

/** Formats whose media type no other has. */
const BY_MEDIA_TYPE = new Map(
  (['tsv', 'csv', 'xlsx', 'ndjson', 'jsonld'] as const).map((format) => [
    fileOf(format).contentType.replace(/;.*/, ''),
    format,
  ]),
);
const [FIRST, ...OTHERS] = [...BY_MEDIA_TYPE.keys()] as [string, ...string[]];

/** The format that the client accepts; undefined where it takes none of them, as clients that say JSON with every request do. */
const accepted = ({ headers }: Request): ExportFormat | undefined =>
  BY_MEDIA_TYPE.get(bestOf(headers.accept, [FIRST, ...OTHERS]) ?? '');

function formatOf(query: URLSearchParams): ExportFormat | undefined {
  const given = query.get('format');
  if (given === null) return undefined;
  const format = EXPORT_FORMATS.find((each) => each === given);
  if (format !== undefined) return format;
  throw new RegistryError(
    'request.invalid',
    `format=${given.slice(0, 40)} must be one of ${EXPORT_FORMATS.join(', ')}.`,
  );
}
