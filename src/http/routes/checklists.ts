/** Checklists, and sheets to fill that follow from them. Public: nobody needs an account to learn what is asked for. */
import { type Request, Router } from 'express';
import type { ChecklistRules } from '../../registry/checklist.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf } from '../query.js';
import { attachment, send } from '../respond.js';

export interface TemplateFile {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** Makes sheets to fill. `fields`: these characteristics only, besides the required ones. */
export type ChecklistTemplate = (
  id: string,
  options: { format: 'tsv' | 'xlsx'; fields?: string[] },
) => Promise<TemplateFile>;

export interface ChecklistParts {
  checklists: ChecklistRules;
  template?: ChecklistTemplate | undefined;
}

/** Characteristics that a sheet to fill may be asked for: each is looked up in the checklist, with an example of its own. */
const MAX_FIELDS = 1_000;

export function checklistRoutes(context: HttpContext, { checklists, template }: ChecklistParts): Router {
  const router = Router();
  const linksOf = (request: Request, id: string) => {
    const self = `${context.publicUrl(request)}/checklists/${encodeURIComponent(id)}`;
    return {
      self: { href: self },
      schema: { href: `${self}/schema` },
      ...(template ? { template: { href: `${self}/template{?format,fields}`, templated: true } } : {}),
    };
  };

  address(router, '/', {
    get: (request, response) => {
      const listed = checklists.list().map((summary) => ({ ...summary, _links: linksOf(request, summary.id) }));
      const body = {
        ...(listed.length > 0 ? { _embedded: { checklists: listed } } : {}),
        _links: { self: { href: `${context.publicUrl(request)}/checklists` } },
      };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    },
  });

  address(router, '/:id', {
    get: (request, response) => {
      const id = String(request.params.id);
      const { schema, fields } = found(() => ({ schema: checklists.get(id), fields: checklists.fields(id) }));
      const summary = checklists.list().find((one) => checklists.get(one.id) === schema) ?? { id, title: id };
      const body = { ...summary, fields, _links: linksOf(request, summary.id) };
      send(request, response, 200, negotiateJson(request.headers.accept), JSON.stringify(body));
    },
  });

  address(router, '/:id/schema', {
    get: (request, response) => {
      const schema = found(() => checklists.get(String(request.params.id)));
      send(request, response, 200, 'application/schema+json', JSON.stringify(schema));
    },
  });

  if (template) {
    address(router, '/:id/template', {
      get: async (request, response) => {
        const id = String(request.params.id);
        found(() => checklists.get(id));
        const query = queryOf(request);
        const format = query.get('format') ?? 'tsv';
        if (format !== 'tsv' && format !== 'xlsx') {
          throw new RegistryError('request.invalid', `format=${format.slice(0, 40)} must be tsv or xlsx.`);
        }
        const fields = query
          .getAll('fields')
          .flatMap((list) => list.split(','))
          .map((name) => name.trim())
          .filter(Boolean);
        if (fields.length > MAX_FIELDS) {
          throw new RegistryError(
            'request.invalid',
            `fields= names ${fields.length} characteristics; name ${MAX_FIELDS} at most, and add columns to the sheet yourself.`,
          );
        }
        const file = await template(id, { format, ...(fields.length > 0 ? { fields } : {}) });
        response.setHeader('Content-Type', file.contentType);
        response.setHeader('Content-Disposition', attachment(file.fileName));
        response.setHeader('Content-Length', file.bytes.length);
        response.end(request.method === 'HEAD' ? undefined : file.bytes);
      },
    });
  }
  return router;
}

/** An unknown checklist in a sample is invalid content; in an address it is an address with nothing there. */
function found<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'checklist.unknown')
      throw new RegistryError('not-found', error.message);
    throw error;
  }
}
