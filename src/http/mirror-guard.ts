/** A registry that is a copy of another one takes no samples of its own: their accessions would be given twice. */
import type { RequestHandler } from 'express';
import type { MirrorStore } from '../registry/changes/mirror-store.js';
import { RegistryError } from '../registry/errors.js';
import { changesSamples } from './openapi/operation.js';
import { operationOf } from './operation-match.js';

/** Refuses what would change samples while the store is a mirror. */
export function createMirrorGuard(store: Pick<MirrorStore, 'mirrorState'>): () => RequestHandler {
  return () => async (request, _response, next) => {
    const operation = operationOf(request.method, request.path);
    if (!operation || !changesSamples(operation)) return next();
    const mirror = await store.mirrorState();
    if (mirror !== undefined) {
      throw new RegistryError('conflict', `This registry is a copy of ${mirror.source}: send changes there.`);
    }
    next();
  };
}
