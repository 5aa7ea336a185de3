/** Holds every answer that the suites see to the interface description: status, media type, body. */
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describeInterface, type OpenApiOperation } from '../../src/http/openapi/openapi.js';
import type { Answer } from './api-caller.js';

const ALIAS = 'webinSubmissionAccountId';
const description = describeInterface({ url: 'http://localhost', accountFieldAlias: ALIAS });
// What is compiled looks at a few documents: to make it shorter first takes as long as all the rest.
// Whether they are schemas is asked once (test/http/description): each process would compile the schema of schemas for it.
const ajv = new Ajv2020.default({ strict: false, allErrors: true, validateSchema: false, code: { optimize: 0 } });
addFormats.default(ajv);
/** By its text: hundreds of answers are described in some sixty ways. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

const addresses = Object.entries(description.paths)
  .map(([path, methods]) => ({
    methods,
    // Literal addresses first: /samples/accession is no accession.
    literal: !path.includes('{'),
    pattern: new RegExp(
      `^${path
        .replace(/\/$/, '')
        .replace(/[.]/g, '\\.')
        .replace(/\{\w+\}/g, '[^/]+')}(?:\\.json)?/*$`,
    ),
  }))
  .sort((one, other) => Number(other.literal) - Number(one.literal));

/** How many answers of each operation were checked, `get /samples` → 3; read by the coverage test. */
export const checked = new Map<string, number>();

const OF_A_PAGE = /^\/page\/./;

/** @throws Error naming what the description does not say */
export function holdToDescription(method: string, address: string, answer: Answer): void {
  const path = address.split(/[?#]/, 1)[0] || '/';
  const name = method.toLowerCase();
  const methods = addresses.find(({ pattern }) => pattern.test(path))?.methods;
  const operation = methods?.[name] ?? (name === 'head' ? methods?.get : undefined);
  if (!operation) {
    // What nobody described may only be refused; a page's own files are the page's affair.
    if (answer.status >= 400 || name === 'options' || OF_A_PAGE.test(path)) return;
    throw new Error(`${method} ${path} answered ${answer.status} and is not described.`);
  }
  const what = `${method} ${path} → ${answer.status}`;
  checked.set(
    `${name} ${String(operation.operationId)}`,
    (checked.get(`${name} ${String(operation.operationId)}`) ?? 0) + 1,
  );
  checkBody(what, operation, answer, method);
}

function checkBody(what: string, operation: OpenApiOperation, answer: Answer, method: string): void {
  const response = operation.responses[String(answer.status)];
  if (!response) throw new Error(`${what}: the status is not described. ${answer.text.slice(0, 500)}`);
  const type = answer.headers.get('content-type')?.split(';', 1)[0];
  if (answer.bytes.length === 0 || method === 'HEAD') return;
  const content = response.content?.[type ?? ''];
  if (!content) throw new Error(`${what}: the media type ${type} is not described. ${answer.text.slice(0, 200)}`);
  if (!/[/+](x-nd)?json$/.test(type ?? '')) return;
  // Lines of their own kinds are described as text.
  if ((content.schema as { type?: string }).type === 'string') return;
  const validate = validatorOf(content.schema);
  const documents = type?.includes('ndjson') ? answer.text.split('\n').filter(Boolean) : [answer.text];
  for (const document of documents) {
    if (validate(JSON.parse(document))) continue;
    throw new Error(`${what}: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 2000)}`);
  }
}

function validatorOf(schema: object): ReturnType<typeof ajv.compile> {
  const text = JSON.stringify(schema);
  let validate = compiled.get(text);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(text, validate);
  }
  return validate;
}
