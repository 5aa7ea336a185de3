/** What the caller's account decides about its own samples. */
import { Router } from 'express';
import { requireScope } from '../../auth/caller.js';
import { type AccountSettingsStore, accountSettingsSchema } from '../../registry/account-settings.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { parse } from '../parse.js';
import { send } from '../respond.js';

export function accountSettingsRoutes(context: HttpContext, settings: AccountSettingsStore): Router {
  const router = Router();
  address(router, '/', {
    get: context.briefly(async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const { account } = requireScope(await context.caller(request), 'read');
      send(request, response, 200, type, JSON.stringify(await settings.accountSettings(account)));
    }),
    put: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const { account } = requireScope(await context.caller(request), 'submit');
      const asked = await context.withJson(request, async (body) => {
        const given = parse(accountSettingsSchema, body);
        await settings.setAccountSettings(account, given, Date.now());
        return given;
      });
      send(request, response, 200, type, JSON.stringify(asked));
    },
  });
  return router;
}
