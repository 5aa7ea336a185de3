/** The interface description is whole, valid, and what the page of it shows. Every other suite holds its answers to it. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiExamples } from '../../src/help/api-examples.js';
import { escapeHtml } from '../../src/help/markdown.js';
import { document } from '../docs/section.js';
import { holdToDescription } from '../support/described.js';
import { watchMounting } from './mounted-routes.js';
import { type Service, startService } from './service.js';

interface Body {
  content?: Record<string, { schema: AnySchemaObject }>;
}

interface Description {
  openapi: string;
  servers: { url: string }[];
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        requestBody?: Body;
        responses: Record<string, Body>;
        parameters?: { in: string; name: string }[];
      }
    >
  >;
}

let service: Service;
let description: Description;
let mounted: string[];
beforeAll(async () => {
  const mounting = watchMounting('/registry');
  service = await startService({ env: { BASE_PATH: '/registry' } });
  mounted = mounting.routes();
  mounting.restore();
  description = (await service.get('/openapi.json', { token: null })).json<Description & Record<string, unknown>>();
});
afterAll(() => service.stop());

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The page and its files, which are no interface: test/web and test/http/samples/sample-page see them. */
const NOT_OURS = ['/page/'];

/** The name of a parameter is not part of an address. */
const nameless = (route: string): string => route.replace(/\{\w+\}/g, '{}');
const within = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above.replace(/\/$/, '')}/`);

describe('the interface description', () => {
  it('is OpenAPI 3.1 and names where the service is', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.servers).toEqual([{ url: service.url }]);
  });

  it('names the address at which it was asked for, whatever was asked before', async () => {
    for (const host of ['one.example', 'two.example', 'one.example']) {
      const printed = async (path: string): Promise<string> => {
        const asked = request(`${service.url}${path}`, { headers: { host } }).end();
        const [answer] = (await once(asked, 'response')) as [IncomingMessage];
        return text(answer);
      };
      const { servers } = JSON.parse(await printed('/openapi.json')) as Description;
      expect(servers).toEqual([{ url: `http://${host}/registry` }]);
      expect(await printed('/docs')).toContain(`Base address: <code>http://${host}/registry</code>`);
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes each body by a schema', () => {
    const bodies = operations().flatMap(({ operation: { responses, requestBody } }) => [
      ...Object.values(responses),
      ...(requestBody ? [requestBody] : []),
    ]);
    const schemas = bodies.flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema));
    expect(schemas.length).toBeGreaterThan(300);
    const ajv = new Ajv2020({ strict: false });
    for (const schema of schemas) expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
  });

  it('describes each parameter of an address', () => {
    for (const { path, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      expect(described, path).toEqual(named);
    }
  });

  it('describes each address that the service has mounted', () => {
    expect(mounted.length).toBeGreaterThan(50);
    const named = operations().map(({ path, method }) =>
      nameless(`${method.toUpperCase()} ${path.replace(/(.)\/$/, '$1')}`),
    );
    const missing = mounted.filter((route) => {
      if (!route.startsWith('* ')) return !named.includes(nameless(route));
      return !operations().some(({ path }) => within(route.slice(2), path) || within(path, route.slice(2)));
    });
    expect(missing).toEqual([]);
  });

  it('describes what the wiring adds beside the registry', () => {
    const beside = [...document('src/wiring/compose-side.ts').matchAll(/path: '(\/[^']+)'/g)].map(
      ([, path]) => path as string,
    );
    expect(beside).toContain('/webhooks');
    for (const path of beside) expect(Object.keys(description.paths)).toContain(path);
  });

  it('names only addresses that the service has', async () => {
    for (const { path, method } of operations()) {
      if (NOT_OURS.includes(path)) continue;
      const address = path.replace(/\{\w+\}/g, 'x');
      const answer = await service.call(address, { method: 'OPTIONS' });
      expect([path, answer.headers.get('allow')]).toEqual([path, expect.stringContaining(method.toUpperCase())]);
    }
  });

  it('holds answers to what it says', async () => {
    const answer = await service.get('/health/live');
    const spoilt = (text: string, status = 200) => ({ ...answer, status, text, bytes: Buffer.from(text) });
    expect(() => holdToDescription('GET', '/health/live', answer)).not.toThrow();
    expect(() => holdToDescription('GET', '/health/live', spoilt('{"status":"up","more":1}'))).toThrow(/additional/);
    expect(() => holdToDescription('GET', '/health/live', spoilt('{"status":"down"}'))).toThrow(/allowed values/);
    expect(() => holdToDescription('GET', '/health/live', spoilt('{"status":"up"}', 201))).toThrow(/not described/);
    expect(() => holdToDescription('GET', '/not/described', answer)).toThrow(/not described/);
  });
});

describe('the page of it', () => {
  it('shows every operation and needs nothing from elsewhere, and no script', async () => {
    const page = await service.get('/docs', { token: null });
    expect(page.headers.get('content-type')).toBe('text/html;charset=UTF-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    for (const { operation } of operations()) expect(page.text).toContain(`id="${operation.operationId}"`);
    const examples = readApiExamples(document('docs/api-examples.md'));
    const sections = page.text.split('<section id="').slice(1);
    expect(sections.length).toBe(operations().length);
    const shown = operations().map(({ path, method, operation }) => {
      const { fragment, examples: listed } = examples.get(`${method.toUpperCase()} ${path}`) ?? {};
      const section = sections.find((text) => text.startsWith(`${operation.operationId}"`)) ?? '';
      return [
        section.includes(`href="/registry/help/api-examples#${fragment}"`) &&
          section.includes(escapeHtml(listed?.[0]?.request ?? 'none')),
        operation.operationId,
      ];
    });
    expect(shown.filter(([there]) => !there)).toEqual([]);
    const help = await service.get('/help/api-examples', { token: null });
    const fragments = [...examples.values()].map(({ fragment }) => fragment);
    expect(fragments.filter((fragment) => !help.text.includes(` id="${fragment}"`))).toEqual([]);
    expect(new Set(fragments).size).toBe(fragments.length);
    expect(page.text).not.toMatch(/<script|style="|https?:\/\/(?!127\.0\.0\.1)[^\s"<]+\.(?:js|css)/);
    const sheet = /href="([^"]+\.css)"/.exec(page.text)?.[1];
    expect(sheet).toBe('/registry/docs/style.css');
    expect((await fetch(`${service.url}/docs/style.css`)).headers.get('content-type')).toContain('text/css');
  });

  it('says of every operation that somebody with a token has that the store may be away, and of each that is no read that there may be no room', () => {
    const isRead = (method: string): boolean => ['get', 'head'].includes(method);
    const silent = operations().flatMap(({ path, method, operation: { responses } }) => {
      const wanted = '401' in responses ? ['503', ...(isRead(method) ? [] : ['507'])] : [];
      return wanted.filter((status) => !(status in responses)).map((status) => `${method} ${path} ${status}`);
    });
    expect(silent).toEqual([]);
  });
});
