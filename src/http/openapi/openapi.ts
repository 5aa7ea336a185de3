/** The interface description (OpenAPI 3.1), made from the operations and the zod schemas that the code itself uses. */
import { z } from 'zod';
import { isRead } from '../methods.js';
import { ACCOUNT_OPERATIONS } from './account-operations.js';
import { CHANGE_OPERATIONS } from './change-operations.js';
import { CHECKLIST_OPERATIONS } from './checklist-operations.js';
import { LINEAGE_OPERATIONS } from './lineage-operations.js';
import { type Answer, type Contents, changesSamples, namesSamples, type Operation, refusals } from './operation.js';
import { PROFILE_OPERATIONS } from './profile-operations.js';
import { RESUMABLE_OPERATIONS } from './resumable-operations.js';
import { SAMPLE_KEY_OPERATIONS } from './sample-key-operations.js';
import { SAMPLE_OPERATIONS } from './sample-operations.js';
import { SAMPLE_V2_OPERATIONS } from './sample-v2-operations.js';
import { SERVICE_OPERATIONS } from './service-operations.js';
import { SUBMISSION_OPERATIONS } from './submission-operations.js';
import { WEBHOOK_OPERATIONS } from './webhook-operations.js';
import { WITHDRAWAL_OPERATIONS } from './withdrawal-operations.js';

export const OPERATIONS: readonly Operation[] = [
  ...SAMPLE_OPERATIONS,
  ...SAMPLE_KEY_OPERATIONS,
  ...WITHDRAWAL_OPERATIONS,
  ...LINEAGE_OPERATIONS,
  ...CHANGE_OPERATIONS,
  ...SAMPLE_V2_OPERATIONS,
  ...SUBMISSION_OPERATIONS,
  ...RESUMABLE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...CHECKLIST_OPERATIONS,
  ...PROFILE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...SERVICE_OPERATIONS,
];

export interface DescriptionSettings {
  /** Scheme, host and base path. */
  url: string;
  /** Second spelling of submissionAccountId in answers. */
  accountFieldAlias?: string | undefined;
}

export type JsonSchema = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OpenApiOperation>>;
  [member: string]: unknown;
}

export interface OpenApiOperation {
  summary: string;
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
  [member: string]: unknown;
}

export function describeInterface(settings: DescriptionSettings): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Record<string, OpenApiOperation>)[operation.method] = operationObject(
      operation,
      settings,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sample registry',
      version: '1',
      description:
        'Registration of biological samples, one by one or by the million. Answers are HAL (`application/hal+json`) or plain JSON as asked; failures are problem documents (RFC 9457) with a stable `code`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.url }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of this registry, or of the institution’s identity provider where one is set up.',
        },
      },
    },
  };
}

/**
 * With those that no operation names by itself: a copy of another registry refuses what changes samples (409); a sample may have been erased (410); who is held to a rate
 * has a token that is looked up in the store, which may be away or busy (503); and whatever is no read is recorded, for which there may
 * be no room (507).
 */
function responsesOf(operation: Operation): Record<number, Answer> {
  const { method, responses } = operation;
  const isHeldToRate = 429 in responses;
  return {
    ...(changesSamples(operation) ? refusals(409) : {}),
    ...(namesSamples(operation) ? refusals(410) : {}),
    ...(isHeldToRate ? refusals(503) : {}),
    ...(isHeldToRate && !isRead(method) ? refusals(507) : {}),
    ...responses,
  };
}

function operationObject(operation: Operation, settings: DescriptionSettings): OpenApiOperation {
  const { scope, parameters, body } = operation;
  return {
    tags: [operation.tag],
    operationId: operationId(operation),
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(scope ? { security: [{ bearer: [] }], 'x-scope': scope } : {}),
    ...(parameters
      ? { parameters: parameters.map(({ schema = { type: 'string' }, ...rest }) => ({ ...rest, schema })) }
      : {}),
    ...(body
      ? {
          requestBody: {
            description: body.description,
            required: true,
            content: contentObject(body.contents, settings, 'input'),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(responsesOf(operation)).map(([status, answer]) => [status, responseObject(answer, settings)]),
    ),
  };
}

function operationId({ method, path }: Operation): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '');
  return [method, ...(words.length === 0 ? ['root'] : words)].join('-');
}

function responseObject({ description, contents, headers }: Answer, settings: DescriptionSettings) {
  return {
    description,
    ...(headers
      ? {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, what]) => [name, { description: what, schema: { type: 'string' } }]),
          ),
        }
      : {}),
    ...(contents ? { content: contentObject(contents, settings, 'output') } : {}),
  };
}

function contentObject(contents: Contents, settings: DescriptionSettings, io: 'input' | 'output') {
  return Object.fromEntries(
    Object.entries(contents).map(([type, schema]) => [type, { schema: jsonSchema(schema, settings, io) }]),
  );
}

const converted = new WeakMap<object, JsonSchema>();

function jsonSchema(schema: Contents[string], settings: DescriptionSettings, io: 'input' | 'output'): JsonSchema {
  let found = converted.get(schema);
  if (!found) {
    const whole =
      schema instanceof z.ZodType ? (z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema) : schema;
    const { $schema: _, ...rest } = whole;
    found = rest;
    converted.set(schema, found);
  }
  return settings.accountFieldAlias === undefined
    ? found
    : (withAlias(found, settings.accountFieldAlias) as JsonSchema);
}

/** Wherever a schema describes submissionAccountId, the second spelling stands beside it. */
function withAlias(node: unknown, alias: string): unknown {
  if (Array.isArray(node)) return node.map((item) => withAlias(item, alias));
  if (node === null || typeof node !== 'object') return node;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node)) copy[name] = withAlias(value, alias);
  const properties = copy.properties as Record<string, unknown> | undefined;
  if (properties?.submissionAccountId) properties[alias] = properties.submissionAccountId;
  return copy;
}
