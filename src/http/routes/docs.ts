/** The interface description: for programs at /openapi.json, for people at /docs. */
import { Router } from 'express';
import { EXAMPLES_PAGE, readApiExamples } from '../../help/api-examples.js';
import type { Help } from '../../help/help.js';
import type { HttpContext } from '../context.js';
import { DOCS_POLICY, DOCS_STYLE, docsPage } from '../docs-page.js';
import { address } from '../methods.js';
import { negotiate } from '../negotiate.js';
import { describeInterface, type OpenApiDocument } from '../openapi/openapi.js';
import { send } from '../respond.js';

export function docsRoutes(context: HttpContext, help: Help): Router {
  const { BASE_PATH, ACCOUNT_FIELD_ALIAS } = context.config;
  const router = Router();
  /** Nearly all ask at the same address, and making either takes a tenth of a second of the processor. */
  let last: Printed | undefined;
  const printed = (url: string): Printed => {
    if (last?.url !== url) {
      const document = describeInterface({ url, accountFieldAlias: ACCOUNT_FIELD_ALIAS });
      last = { url, document, json: JSON.stringify(document) };
    }
    return last;
  };
  const printPage = (document: OpenApiDocument): string =>
    docsPage(document, {
      stylesheet: `${BASE_PATH}/docs/style.css`,
      examples: readApiExamples(help.source(EXAMPLES_PAGE)),
      examplesPage: `${BASE_PATH}/help/${EXAMPLES_PAGE}`,
    });

  address(router, '/openapi.json', {
    get: (request, response) => {
      const type = negotiate(request.headers.accept, ['application/json', 'application/openapi+json']);
      send(request, response, 200, type, printed(context.publicUrl(request)).json);
    },
  });
  address(router, '/docs', {
    get: (request, response) => {
      response.setHeader('Content-Security-Policy', DOCS_POLICY);
      const of = printed(context.publicUrl(request));
      of.page ??= printPage(of.document);
      send(request, response, 200, 'text/html;charset=UTF-8', of.page);
    },
  });
  address(router, '/docs/style.css', {
    get: (request, response) => {
      response.setHeader('Cache-Control', 'public, max-age=3600');
      send(request, response, 200, 'text/css;charset=UTF-8', DOCS_STYLE);
    },
  });
  return router;
}

/** The description as it stands for an address, in whole. */
interface Printed {
  url: string;
  document: OpenApiDocument;
  json: string;
  page?: string;
}
