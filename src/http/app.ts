/** Every middleware and router of the service on one page, in the order in which a request meets them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { AccountStore } from '../auth/account-store.js';
import type { Authenticate } from '../auth/authenticate.js';
import type { SignIn } from '../auth/sign-in.js';
import type { Tokens } from '../auth/tokens.js';
import type { Config } from '../config.js';
import type { KeptExports } from '../exports/kept-exports.js';
import type { SampleExports } from '../exports/sample-exports.js';
import type { Help } from '../help/help.js';
import type { InPlace } from '../limits/sample-places.js';
import type { Logger } from '../observability/log.js';
import type { Profiles } from '../profiles/profiles.js';
import type { SheetProposals } from '../profiles/proposals.js';
import type { AccountSettingsStore } from '../registry/account-settings.js';
import type { SampleFeed } from '../registry/changes/sample-feed.js';
import type { ChecklistRules } from '../registry/checklist.js';
import { RegistryError } from '../registry/errors.js';
import type { Lineage } from '../registry/lineage/lineage.js';
import type { Registry } from '../registry/registry.js';
import type { SampleSearch } from '../registry/search/sample-search.js';
import type { SampleSheets } from '../submissions/results/sample-sheets.js';
import { createContext, type HttpContext } from './context.js';
import { cors, createAllowOrigin } from './cors.js';
import { askedBy } from './held-room.js';
import { address } from './methods.js';
import { sendProblem } from './problem.js';
import { createReadSample, readAccession } from './read-sample.js';
import type { HealthChecks } from './readiness.js';
import { requestLog } from './request-log.js';
import { accountSettingsRoutes } from './routes/account-settings.js';
import { accountRoutes } from './routes/accounts.js';
import { changeRoutes } from './routes/changes.js';
import { type ChecklistTemplate, checklistRoutes } from './routes/checklists.js';
import { curationRoutes } from './routes/curations.js';
import { docsRoutes } from './routes/docs.js';
import { helpRoutes } from './routes/help.js';
import { keptExportRoutes } from './routes/kept-exports.js';
import { lineageRoutes } from './routes/lineage.js';
import { PAGE_PATH, pageRouter } from './routes/page.js';
import { profileProposalRoutes } from './routes/profile-proposals.js';
import { profileRoutes } from './routes/profiles.js';
import { rootRoutes } from './routes/root.js';
import { sampleExportRoutes } from './routes/sample-export.js';
import { sampleSheetRoutes } from './routes/sample-sheets.js';
import { createValidate, sampleRoutes } from './routes/samples.js';
import { sampleKeyRoutes } from './routes/samples-by-key.js';
import { samplesV2Routes } from './routes/samples-v2.js';
import { signInRoutes } from './routes/sign-in.js';
import { structuredDataRoutes } from './routes/structured-data.js';
import { type SubmissionParts, submissionRoutes } from './routes/submissions.js';
import { tokenRoutes } from './routes/tokens.js';
import { samplePage } from './sample-page.js';
import { tidyAddress, withoutOrigin } from './tidy-address.js';
import { endUnread } from './uploads/unread-body.js';

export interface AppParts extends SubmissionParts {
  config: Config;
  log: Logger;
  authenticate: Authenticate;
  accounts: AccountStore;
  tokens: Tokens;
  signIn: SignIn;
  registry: Registry;
  feed: SampleFeed;
  settings: AccountSettingsStore;
  profiles: Profiles;
  proposals: SheetProposals;
  health: HealthChecks;
  /** Aborted once the service is about to end; it answers until then. */
  leaving: AbortSignal;
  search?: Pick<SampleSearch, 'search'> | undefined;
  lineage: Pick<Lineage, 'graph'>;
  checklists?: ChecklistRules | undefined;
  template?: ChecklistTemplate | undefined;
  sheets?: SampleSheets | undefined;
  exports?: SampleExports | undefined;
  keptExports: KeptExports;
  help: Help;
  /** Folder of the page's built files. */
  pageFolder?: string | undefined;
  inPlace: InPlace;
  /** Sees each read of a single sample first; must be quick. Those reads pass no guard. */
  beforeRead?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** See every other request before its route; for limits. */
  guards?: readonly ((context: HttpContext) => RequestHandler)[] | undefined;
  /** Routers of other rooms, below the base path, before our own. */
  extensions?: readonly { path: string; router: (context: HttpContext) => Router | RequestHandler }[] | undefined;
}

export function createApp(parts: AppParts): RequestListener {
  const { config, log, registry } = parts;
  const base = config.BASE_PATH;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies(config.TRUST_PROXY));
  const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  /** The client's, as trusted proxies say it. */
  const addressOf = ({ socket, headers }: IncomingMessage): string =>
    (Object.assign(Object.create(app.request), { socket, headers }) as Request).ip ?? '';
  const context = createContext({
    config,
    log,
    authenticate: parts.authenticate,
    tokens: parts.tokens,
    trusted: (request) => config.TRUST_PROXY !== '' && trust(request.socket.remoteAddress ?? '', 0),
    inPlace: parts.inPlace,
  });
  const allowOrigin = createAllowOrigin(config.CORS_ORIGIN);

  app.use(requestLog(log), securityHeaders, cors(allowOrigin), tidyAddress);
  const router = express.Router();
  for (const guard of parts.guards ?? []) router.use(guard(context));
  // What asks whether the service is there is answered at once.
  router.use(rootRoutes(context, parts.health, parts.leaving));
  router.use((request, _response, next) => {
    const turn = context.inTurn(request);
    if (turn) turn.then(() => next(), next);
    else next();
  });
  for (const { path, router: create } of parts.extensions ?? []) router.use(path, create(context));
  router.use(docsRoutes(context, parts.help));
  router.use(helpRoutes(context, parts.help));
  router.use(signInRoutes(context, parts));
  router.use('/me/settings', accountSettingsRoutes(context, parts.settings));
  router.use('/accounts', accountRoutes(context, parts));
  router.use('/profiles', profileRoutes(context, parts.profiles));
  router.use('/profile-proposals', profileProposalRoutes(context, parts.proposals));
  router.use('/tokens', tokenRoutes(context, parts));
  router.use('/validate', validateRoute(context, registry));
  router.use('/samples/by-key', sampleKeyRoutes(context, registry));
  router.use(curationRoutes(context, registry));
  if (parts.sheets) {
    router.use('/samples/template', sampleSheetRoutes(context, { sheets: parts.sheets, uploads: parts.uploads }));
  }
  if (parts.exports) router.use('/samples/export', sampleExportRoutes(context, parts.exports));
  router.use('/samples/exports', keptExportRoutes(context, parts.keptExports));
  router.use('/samples', lineageRoutes(context, parts.lineage));
  router.use('/samples', sampleRoutes(context, { registry, search: parts.search }));
  router.use('/changes', changeRoutes(context, parts));
  router.use('/v2/samples', samplesV2Routes(context, registry));
  router.use('/structureddata', structuredDataRoutes(context, registry));
  router.use('/submissions', submissionRoutes(context, parts));
  if (parts.checklists) {
    router.use('/checklists', checklistRoutes(context, { checklists: parts.checklists, template: parts.template }));
  }
  if (parts.pageFolder)
    router.use(PAGE_PATH, pageRouter(parts.pageFolder, samplePage(parts.pageFolder, context, registry)));
  app.use(base || '/', router);

  app.use((request: Request) => {
    const path = request.originalUrl.split('?', 1)[0] as string;
    throw new RegistryError(
      'not-found',
      `There is nothing at ${path.slice(0, 200)}; begin at ${base}/ or read ${base}/docs.`,
    );
  });
  const refuse = (error: unknown, request: IncomingMessage, response: ServerResponse) =>
    sendProblem(request, response, error, { log, basePath: base });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    refuse(error, request, response);
  });

  const readSample = createReadSample(context, registry, allowOrigin);
  return (request, response) => {
    request.url = withoutOrigin(request.url ?? '');
    endUnread(request, response);
    if (config.TRUST_PROXY !== '') askedBy(request, undefined, addressOf(request));
    const accession = readAccession(request, base, config.ACCESSION_PREFIX);
    if (accession === undefined) {
      app(request, response);
      return;
    }
    parts.beforeRead?.(request, response);
    readSample(request, response, accession).catch((error) => refuse(error, request, response));
  };
}

function validateRoute(context: HttpContext, registry: Registry): Router {
  const router = express.Router();
  address(router, '/', { post: createValidate(context, registry) });
  return router;
}

/** Nothing here is ever meant to be sniffed, framed or kept by a cache that was not asked to. */
function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cache-Control', 'private, no-cache');
  next();
}

/** A number of hops, a list of addresses, or none. */
function trustedProxies(setting: string): number | string[] | false {
  if (setting === '') return false;
  return /^\d+$/.test(setting) ? Number(setting) : setting.split(',').map((address) => address.trim());
}
