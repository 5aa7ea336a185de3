/** The help at /help: its pages and a search over them. Nobody needs an account for it. */
import { type Request, Router } from 'express';
import { DECISIONS } from '../../help/contents.js';
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
  const show = (path: string, html: (request: Request) => string | Promise<string>): void =>
    address(router, path, {
      get: async (request, response) => {
        const text = await html(request);
        response.setHeader('Content-Security-Policy', HELP_POLICY);
        send(request, response, 200, 'text/html;charset=UTF-8', text);
      },
    });
  const pageAt = (id: string): string => {
    const page = help.page(id);
    if (page === undefined) {
      throw new RegistryError('not-found', `The help has no page "${id.slice(0, 100)}"; ${base}/help lists all.`);
    }
    return helpPage(page.title, page.html, addresses);
  };
  show('/help', async (request) => {
    const question = queryOf(request).getAll('q').join(' ').trim();
    if (question === '') return helpIndex(help.groups(), addresses);
    return helpFound(question, await help.find(question), addresses);
  });
  show('/help/:page', ({ params }) => pageAt(params.page as string));
  show('/help/decisions/:record', ({ params }) => pageAt(`${DECISIONS}/${params.record}`));
  return router;
}
