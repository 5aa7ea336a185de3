/** The shape of one operation in the interface description, and short hands for what repeats. */
import type { z } from 'zod';
import type { Scope } from '../../auth/account-store.js';
import { PROBLEM } from './service-documents.js';

export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options';
  /** OpenAPI spelling, below the base path. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Scope of the token that is needed; absent: none needed. */
  scope?: Scope;
  /** How it is counted for limits; absent: by its method, as a read or a write. */
  limit?: 'upload' | 'sign-in';
  parameters?: readonly Parameter[];
  body?: Body;
  responses: Record<number, Answer>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema?: Record<string, unknown>;
  required?: boolean;
}

/** What a registry that is a copy of another one refuses (409). */
export const changesSamples = ({ scope, path }: Operation): boolean =>
  scope === 'submit' && /^\/(samples|submissions|structureddata|files|v2)\b/.test(path);

/** What is asked of single samples, any of which may have been erased (410). */
export const namesSamples = ({ path }: Operation): boolean =>
  path.includes('{accession}') || /^\/(samples\/(by-key|template|validate)|validate)\b/.test(path);

/** Media type → schema, or a JSON Schema as it is. */
export type Contents = Record<string, z.ZodType | Record<string, unknown>>;

export interface Body {
  description: string;
  contents: Contents;
}

export interface Answer {
  description: string;
  contents?: Contents;
  headers?: Record<string, string>;
}

/** Both media types of a JSON answer. */
export const json = (schema: z.ZodType): Contents => ({ 'application/hal+json': schema, 'application/json': schema });

/** JSON alone. */
export const plainJson = (schema: z.ZodType): Contents => ({ 'application/json': schema });

export const text = (type: string): Contents => ({ [type]: { type: 'string' } });

export const problem = (description: string): Answer => ({
  description,
  contents: { 'application/problem+json': PROBLEM },
});

/** Refusals that many operations share, by status. */
const SHARED: Record<number, string> = {
  400: 'The request cannot be read or contradicts itself.',
  401: 'No token, or one that is unknown, revoked or expired.',
  403: 'The account may not do that.',
  404: 'There is no such thing.',
  406: 'None of the accepted media types can be produced.',
  409: 'The request conflicts with the present state.',
  410: 'What was asked for is not kept any more.',
  412: 'What is there is not as If-Match or If-None-Match wants it.',
  413: 'The body is too large.',
  415: 'The body is of a kind that is not taken.',
  416: 'The file has no such part; `Content-Range` says how long it is.',
  422: 'Understood and invalid; `errors` lists every fault.',
  423: 'Another request is writing to it.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  503: 'A part behind the service is away.',
  507: 'There is no room left.',
};

export const refusals = (...statuses: number[]): Record<number, Answer> =>
  Object.fromEntries(statuses.map((status) => [status, problem(SHARED[status] ?? 'Refused.')]));

export const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  description,
  required: true,
});

export const query = (
  name: string,
  description: string,
  schema: Record<string, unknown> = { type: 'string' },
): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

export const header = (name: string, description: string): Parameter => ({ name, in: 'header', description });

/** Of a request that registers: sent again with it, it registers nothing a second time. */
export const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'Makes a retry safe: the same key answers what the first request registered.',
);
export const REPLAYED = { 'Idempotent-Replayed': 'true when the first request is answered.' };
