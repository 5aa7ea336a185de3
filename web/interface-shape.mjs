import { createHash } from 'node:crypto';

/**
 * The part of an interface description that the page's types are made of: what is answered as JSON when all goes
 * well. Refusals have one shape everywhere (api/request.ts), and words make no types.
 */
export function answersOnly(description) {
  const paths = {};
  for (const [path, operations] of Object.entries(description.paths)) {
    paths[path] = {};
    for (const [method, { parameters, requestBody, responses }] of Object.entries(operations)) {
      paths[path][method] = {
        ...(parameters ? { parameters } : {}),
        ...(requestBody ? { requestBody: { ...requestBody, content: jsonOnly(requestBody.content) } } : {}),
        responses: Object.fromEntries(
          Object.entries(responses)
            .filter(([status]) => status.startsWith('2'))
            .map(([status, { description: words, content }]) => [
              status,
              { description: words, content: jsonOnly(content) },
            ]),
        ),
      };
    }
  }
  return JSON.parse(
    JSON.stringify({ openapi: description.openapi, info: { title: 'page', version: '1' }, paths }, withoutWords),
  );
}

const jsonOnly = (content) => {
  const schema = content?.['application/json'];
  return schema ? { 'application/json': schema } : undefined;
};

/** Responses must have a description; it need not say anything here. */
const withoutWords = (key, value) => {
  if (typeof value !== 'string') return value;
  if (key === 'description') return '';
  return key === 'summary' || key === 'example' ? undefined : value;
};

/** A fingerprint that changes when a type does. */
export const shapeOf = (answers) => createHash('sha256').update(JSON.stringify(answers)).digest('hex').slice(0, 16);
