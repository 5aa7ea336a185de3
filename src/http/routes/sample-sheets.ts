/** `/samples/template`: existing samples as a sheet ready to edit and upload; POST for more than an address holds. */
import { type Request, type Response, Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import { RegistryError } from '../../registry/errors.js';
import type { PrintedSheet, SampleSheets, SheetFormat } from '../../submissions/results/sample-sheets.js';
import type { Uploads } from '../../submissions/uploads/uploads.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { parse } from '../parse.js';
import { queryOf } from '../query.js';
import { attachment } from '../respond.js';
import { SAMPLE_SHEET_REQUEST } from '../schemas/schemas-of-sheets.js';
import { submissionId } from '../submission-address.js';

export interface SampleSheetParts {
  sheets: SampleSheets;
  uploads: Uploads;
}

export function sampleSheetRoutes(context: HttpContext, { sheets, uploads }: SampleSheetParts): Router {
  const router = Router();
  address(router, '/', {
    get: async (request, response) => send(request, response, await sheetFor(request)),
    post: async (request, response) => {
      const caller = await context.caller(request);
      const { accessions, format } = parse(SAMPLE_SHEET_REQUEST, await context.json(request));
      send(request, response, await sheets.ofAccessions(accessions, caller, format));
    },
  });

  const send = (request: Request, response: Response, file: PrintedSheet) => {
    response.setHeader('Content-Type', file.contentType);
    response.setHeader('Content-Disposition', attachment(file.fileName));
    response.setHeader('Content-Length', file.bytes.length);
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  };

  const sheetFor = async (request: Request) => {
    const query = queryOf(request);
    const format = formatOf(query);
    const accessions = query
      .getAll('accession')
      .flatMap((list) => list.split(/[\s,]+/))
      .filter(Boolean);
    const submission = query.get('submission');
    const caller = await context.caller(request);
    if (submission !== null) {
      if (accessions.length > 0) throw new RegistryError('request.invalid', 'Give accession or submission, not both.');
      const known = requireScope(caller, 'read');
      const reader = { account: known.account, admin: known.admin };
      return sheets.ofSubmission(await uploads.find(submissionId(submission), reader), known, format);
    }
    if (accessions.length === 0) {
      throw new RegistryError('request.invalid', 'Say which samples: accession=…,… or submission=… with its id.');
    }
    return sheets.ofAccessions(accessions, caller, format);
  };
  return router;
}

function formatOf(query: URLSearchParams): SheetFormat {
  const format = query.get('format') ?? 'tsv';
  if (format === 'tsv' || format === 'xlsx') return format;
  throw new RegistryError('request.invalid', `format=${format.slice(0, 40)} must be tsv or xlsx.`);
}
