/** `GET /samples/{accession}/lineage`: where a sample comes from and what came of it. */
import { Router } from 'express';
import { RegistryError } from '../../registry/errors.js';
import type { Lineage, LineageDocument } from '../../registry/lineage/lineage.js';
import { DIRECTIONS, type Direction } from '../../registry/lineage/lineage-walk.js';
import { readTypes } from '../../registry/samples/relationship-types.js';
import type { HttpContext } from '../context.js';
import { address } from '../methods.js';
import { negotiateJson } from '../negotiate.js';
import { queryOf, wholeNumber } from '../query.js';
import { send } from '../respond.js';

export const LINEAGE_DEPTH = { min: 1, max: 100, default: 10 };
export const LINEAGE_NODES = { min: 1, max: 1_000, default: 500 };

export function lineageRoutes(context: HttpContext, lineage: Pick<Lineage, 'graph'>): Router {
  const router = Router();
  address(router, '/:accession/lineage', {
    get: async (request, response) => {
      const type = negotiateJson(request.headers.accept);
      const query = queryOf(request);
      const asked = {
        accession: String(request.params.accession),
        types: readTypes(query.getAll('types').flatMap((text) => text.split(','))),
        directions: directionsOf(query.get('direction')),
        depth: wholeNumber(query, 'depth', LINEAGE_DEPTH),
        nodes: wholeNumber(query, 'nodes', LINEAGE_NODES),
      };
      const caller = await context.caller(request);
      const document = await lineage.graph(asked, caller);
      send(
        request,
        response,
        200,
        type,
        JSON.stringify(withLinks(document, context.publicUrl(request), askedOf(query))),
      );
    },
  });
  return router;
}

/** @throws RegistryError request.invalid */
function directionsOf(text: string | null): readonly Direction[] {
  if (text === null || text === '' || text === 'both') return DIRECTIONS;
  const direction = DIRECTIONS.find((each) => each === text);
  if (direction) return [direction];
  throw new RegistryError(
    'request.invalid',
    `direction=${text.slice(0, 40)} must be one of ${DIRECTIONS.join(', ')}, both.`,
  );
}

const PARAMETERS = ['types', 'direction', 'depth', 'nodes'];

/** What was asked for, without what nobody reads: it stands in the answer as often as there are nodes. */
function askedOf(query: URLSearchParams): string {
  const asked = new URLSearchParams([...query].filter(([name, value]) => PARAMETERS.includes(name) && value !== ''));
  return asked.size === 0 ? '' : `?${asked}`;
}

/** The address of each node’s own lineage keeps what was asked for. */
function withLinks({ nodes, ...document }: LineageDocument, base: string, query: string) {
  const linksOf = (accession: string) => ({
    self: { href: `${base}/samples/${accession}` },
    lineage: { href: `${base}/samples/${accession}/lineage${query}` },
  });
  const { self: sample, lineage: self } = linksOf(document.accession);
  return {
    ...document,
    nodes: nodes.map((node) => ({ ...node, _links: linksOf(node.accession) })),
    _links: { self, sample },
  };
}
