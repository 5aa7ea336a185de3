/** The help at /help: its pages and a search over them. Nobody needs an account for it. */
import { Router } from 'express';
import type { Help } from '../../help/help.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { HELP_POLICY, type HelpAddresses, helpFound, helpIndex, helpPage } from '../help-page.js';
import { address } from '../methods.js';
import { queryOf } from '../query.js';
import { send } from '../respond.js';
import { PAGE_PATH } from './page.js';

export function helpRoutes({ config }: HttpContext, help: Help): Router {
  const base = config.BASE_PATH;
  const addresses: HelpAddresses = {
    help: `${base}/help`,
    docs: `${base}/docs`,
    page: `${base}${PAGE_PATH}/`,
    stylesheet: `${base}/docs/style.css`,
  };
  const router = Router();
  const pageAt = (id: string): string => {
    const page = help.page(id);
    if (page === undefined) {
      throw new RegistryError('not-found', `The help has no page "${id.slice(0, 100)}"; ${base}/help lists all.`);
    }
    return helpPage(page.title, page.html, addresses);
  };
  address(router, '/help', {
    get: (request, response) => {
      const question = queryOf(request).get('q')?.trim() ?? '';
      const html =
        question === '' ? helpIndex(help.groups(), addresses) : helpFound(question, help.find(question), addresses);
      response.setHeader('Content-Security-Policy', HELP_POLICY);
      send(request, response, 200, 'text/html;charset=UTF-8', html);
    },
  });
  address(router, '/help/:page', {
    get: (request, response) => {
      const html = pageAt(request.params.page as string);
      response.setHeader('Content-Security-Policy', HELP_POLICY);
      send(request, response, 200, 'text/html;charset=UTF-8', html);
    },
  });
  address(router, '/help/decisions/:record', {
    get: (request, response) => {
      const html = pageAt(`decisions/${request.params.record}`);
      response.setHeader('Content-Security-Policy', HELP_POLICY);
      send(request, response, 200, 'text/html;charset=UTF-8', html);
    },
  });
  return router;
}
