/** The lineage of a sample in the interface description. */
import { z } from 'zod';
import { DIRECTIONS } from '../../registry/lineage/lineage-walk.js';
import { DESCENT_TYPES, MOST_TYPES } from '../../registry/samples/relationship-types.js';
import { SAMPLE_STATUSES } from '../../registry/samples/sample.js';
import { LINEAGE_DEPTH, LINEAGE_NODES } from '../routes/lineage.js';
import { COUNT, links } from './document-parts.js';
import { json, type Operation, path, query, refusals } from './operation.js';

const EDGES = z.array(z.strictObject({ source: z.string(), type: z.string(), target: z.string() }));
const STEPS = z.int().min(0).optional();

const LINEAGE = z
  .strictObject({
    accession: z.string(),
    types: z.array(z.string()),
    nodes: z.array(
      z.strictObject({
        accession: z.string(),
        name: z.string(),
        organism: z.string().optional(),
        taxId: z.int().optional(),
        status: z.enum(SAMPLE_STATUSES),
        ancestor: STEPS.describe('Steps back to it; 0 for the sample itself and its other accessions.'),
        descendant: STEPS.describe('Steps forth to it.'),
        more: z
          .array(z.enum(DIRECTIONS))
          .optional()
          .describe('The graph ends here though there are, or may be, others behind it.'),
        _links: links('self', 'lineage'),
      }),
    ),
    edges: EDGES.describe('What the documents of nodes say of other nodes.'),
    outside: EDGES.optional().describe(
      'What they say of samples of other registries, of those that you may not read, and of those that there are not.',
    ),
    cut: z
      .array(
        z.strictObject({
          direction: z.enum(DIRECTIONS),
          reason: z.enum(['depth', 'nodes', 'relationships', 'time']),
          nodes: COUNT.describe('Nodes that say `more` for this reason.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('Why the graph does not show everything, and how to go on; absent when it does.'),
    notIndexed: z.int().min(1).optional(),
    _links: links('self', 'sample'),
  })
  .describe('Ancestors and descendants of a sample as a graph.');

const bounded = ({ min: minimum, max: maximum, default: byDefault }: typeof LINEAGE_DEPTH) => ({
  type: 'integer',
  minimum,
  maximum,
  default: byDefault,
});

export const LINEAGE_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/samples/{accession}/lineage',
    tag: 'Samples',
    summary: 'See where a sample comes from and what came of it',
    description:
      'Samples that are reached by relationships of some types, as a graph. The target is the older sample, but in `has member`, `has child` and `parent of`; the ends of `same as` are one sample. It goes through samples that you may read and no others; circles are gone through once.',
    parameters: [
      path('accession', 'Accession of the sample.'),
      query('depth', 'Steps in each direction.', bounded(LINEAGE_DEPTH)),
      query('direction', 'ancestors, descendants or both.', {
        type: 'string',
        enum: [...DIRECTIONS, 'both'],
        default: 'both',
      }),
      query(
        'types',
        `Types of relationships, separated by commas; repeatable, ${MOST_TYPES} at most. Case, blanks and underscores do not count. Without it: ${DESCENT_TYPES.join(', ')}.`,
      ),
      query('nodes', 'Samples in the graph.', bounded(LINEAGE_NODES)),
    ],
    responses: {
      200: { description: 'The graph.', contents: json(LINEAGE) },
      ...refusals(400, 401, 403, 404, 406, 429),
    },
  },
];
