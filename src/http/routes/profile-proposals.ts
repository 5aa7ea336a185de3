/** What the columns of a file are taken for: a form with one file in, a proposal out; nothing is kept. */
import { Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import type { SheetProposals } from '../../profiles/proposals.js';
import { RegistryError } from '../../registry/errors.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf, trueOrFalse, wholeNumber } from '../query.js';
import { send } from '../respond.js';
import { cleanName } from '../uploads/file-names.js';
import { readUploadForm } from '../uploads/upload-form.js';

const TEXT = 255;
const LAST_HEADER_LINE = 1000;

export function profileProposalRoutes(context: HttpContext, proposals: SheetProposals): Router {
  const router = Router();
  address(router, '/', {
    post: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const { account } = requireScope(await context.caller(request), 'submit');
      const query = queryOf(request);
      const sheet = textOf(query, 'sheet');
      const encoding = textOf(query, 'encoding');
      const headerLine = wholeNumber(query, 'headerLine', { min: 1, max: LAST_HEADER_LINE, default: 0 });
      const withText = trueOrFalse(query, 'text', false);
      const proposal = await readUploadForm(request, response, ({ fileName, source }) =>
        proposals.propose({
          account,
          fileName: cleanName(fileName),
          source,
          withText,
          ...(sheet === undefined ? {} : { sheet }),
          ...(encoding === undefined ? {} : { encoding }),
          ...(headerLine === 0 ? {} : { headerLine }),
        }),
      );
      send(request, response, 200, type, JSON.stringify(proposal));
    },
  });
  return router;
}

function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length <= TEXT) return text;
  throw new RegistryError('request.invalid', `${name} must have at most ${TEXT} characters.`);
}
