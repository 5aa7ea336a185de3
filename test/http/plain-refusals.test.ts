/** Bodies with members of the wrong kind: what is wrong with each is said in words of the interface, never in those of the library that reads it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}
interface Described {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

let service: Service;
let token: string;
let described: Described;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
  described = (await service.get('/openapi.json', {})).json<Described>();
});
afterAll(() => service.stop());

const LIBRARY =
  /Invalid (input|option|key|element|string|union|date)|Unrecognized key|Too (big|small)|, received |nonoptional/;
/** One of each type, and of each other sort that a library tells from it. */
const ODD: unknown[] = [null, true, 1e300, '', 'odd', [1], [{ odd: 1 }], { odd: 1 }];

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : resolved(described.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema);
const membersOf = (schema: Schema): string[] => {
  const { properties = {}, anyOf = [] } = resolved(schema);
  return [...Object.keys(properties), ...anyOf.flatMap(membersOf)];
};

describe('a body of the wrong kind', () => {
  it('is refused in plain words, whatever the address and the member', async () => {
    let refused = 0;
    for (const [path, methods] of Object.entries(described.paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const schema = requestBody?.content['application/json']?.schema;
        // Whole files are read as files.
        if (schema === undefined || path === '/submissions') continue;
        const address = path.replace(/\{\w+\}/g, 'SAMR1');
        const members = [...membersOf(schema), 'odd'];
        const bodies = [{}, ...ODD.map((value) => Object.fromEntries(members.map((member) => [member, value])))];
        for (const body of bodies) {
          const answer = await service.send(method.toUpperCase(), address, body, { token });
          if (answer.status < 400) continue;
          refused += 1;
          expect(answer.text, `${method} ${path} ${JSON.stringify(body)}`).not.toMatch(LIBRARY);
          expect(answer.status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(500);
        }
      }
    }
    expect(refused).toBeGreaterThan(150);
  });
});
