/** The interface description as a page to read: no scripts, nothing from elsewhere, one stylesheet of our own. */
import type { OperationExamples } from '../help/api-examples.js';
import { escapeHtml as escaped } from '../help/markdown.js';
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from './openapi/openapi.js';

export const DOCS_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const DOCS_STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8886; border-radius: 4px; }
nav ul { columns: 18rem; padding-left: 1.25rem; }
section { border-top: 1px solid #8886; padding-top: 0.5rem; margin-top: 2rem; }
h3 code { font-size: 1rem; }
.method { text-transform: uppercase; font-weight: 700; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8883; }
summary { cursor: pointer; }
.wide { overflow-x: auto; }
form { margin: 0.75rem 0; }
input, button { font: inherit; padding: 0.25rem 0.5rem; }
ol li { margin-bottom: 0.75rem; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }
`;

export interface DocsParts {
  /** Addresses of the stylesheet and of the page of examples. */
  stylesheet: string;
  examplesPage: string;
  /** By operation, as the page of examples calls it. */
  examples: ReadonlyMap<string, OperationExamples>;
}

export function docsPage(document: OpenApiDocument, parts: DocsParts): string {
  const { stylesheet, examplesPage } = parts;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => String((operation.tags as string[])[0])))];
  const of = (tag: string) => operations.filter(({ operation }) => (operation.tags as string[])[0] === tag);
  const info = document.info as { title: string; description: string };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)}: interface</title>
<link rel="stylesheet" href="${escaped(stylesheet)}">
</head>
<body>
<header><h1>${escaped(info.title)}: interface</h1><p>${escaped(info.description)}</p>
<p>For programs: <a href="openapi.json">openapi.json</a>. Base address: <code>${escaped((document.servers as { url: string }[])[0]?.url ?? '')}</code>. <a href="${escaped(examplesPage)}">All examples on one page</a>.</p></header>
<nav aria-label="Operations">${tags.map((tag) => `<h2>${escaped(tag)}</h2><ul>${of(tag).map(entry).join('')}</ul>`).join('')}</nav>
<main>${tags
    .map((tag) =>
      of(tag)
        .map((listed) => operationSection(listed, parts))
        .join(''),
    )
    .join('')}</main>
</body>
</html>
`;
}

interface Listed {
  path: string;
  method: string;
  operation: OpenApiOperation;
}

const entry = ({ path, method, operation }: Listed): string =>
  `<li><a href="#${escaped(String(operation.operationId))}">${method.toUpperCase()} ${escaped(path)}</a></li>`;

function operationSection({ path, method, operation }: Listed, { examples, examplesPage }: DocsParts): string {
  const { summary, description, parameters, requestBody } = operation;
  const scope = operation['x-scope'];
  return `<section id="${escaped(String(operation.operationId))}">
<h3>${escaped(summary)}</h3><p><code><span class="method">${method}</span> ${escaped(path)}</code></p>
${description ? `<p>${escaped(String(description))}</p>` : ''}
<p>${scope ? `Needs a token with the scope <code>${escaped(String(scope))}</code>.` : 'Needs no token.'}</p>
${Array.isArray(parameters) ? parameterTable(parameters as ParameterObject[]) : ''}
${requestBody ? bodySection(requestBody as BodyObject) : ''}
<h4>Answers</h4><table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Media types</th></tr></thead><tbody>
${Object.entries(operation.responses).map(answerRow).join('')}</tbody></table>
${Object.entries(operation.responses)
  .filter(([status]) => status.startsWith('2'))
  .map(answerSchema)
  .join('')}
${exampleSection(examples.get(`${method.toUpperCase()} ${path}`), examplesPage)}
</section>`;
}

/** A link alone would cost a reader the way there and back. */
function exampleSection(found: OperationExamples | undefined, page: string): string {
  if (!found) return '';
  const blocks = found.examples.flatMap(({ request, answer }) => [request, answer]);
  return `<h4><a href="${escaped(`${page}#${found.fragment}`)}">Example</a></h4>${blocks
    .map((block) => `<pre tabindex="0">${escaped(block)}</pre>`)
    .join('')}`;
}

interface ParameterObject {
  name: string;
  in: string;
  description: string;
  required?: boolean;
}

interface BodyObject {
  content: Record<string, { schema: JsonSchema }>;
}

const parameterTable = (parameters: ParameterObject[]): string =>
  `<h4>Parameters</h4><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead><tbody>${parameters
    .map(
      ({ name, in: place, description }) =>
        `<tr><td><code>${escaped(name)}</code></td><td>${place}</td><td>${escaped(description)}</td></tr>`,
    )
    .join('')}</tbody></table>`;

function bodySection({ content }: BodyObject): string {
  const [first] = Object.values(content);
  const types = Object.keys(content).map((type) => `<code>${escaped(type)}</code>`);
  return `<h4>Body</h4><p>${types.join(', ')}</p>${first ? schemaBlock('Schema of the body', first.schema) : ''}`;
}

type ResponseEntry = [string, OpenApiOperation['responses'][string]];

const answerRow = ([status, { description, content }]: ResponseEntry): string =>
  `<tr><td>${escaped(status)}</td><td>${escaped(description)}</td><td>${Object.keys(content ?? {})
    .map((type) => `<code>${escaped(type)}</code>`)
    .join('<br>')}</td></tr>`;

function answerSchema([status, { content }]: ResponseEntry): string {
  const json = Object.entries(content ?? {}).find(([type]) => type.includes('json'));
  return json ? schemaBlock(`Schema of the answer ${status}`, json[1].schema) : '';
}

const schemaBlock = (title: string, schema: JsonSchema): string =>
  `<details><summary>${escaped(title)}</summary><pre tabindex="0">${escaped(JSON.stringify(schema, null, 2))}</pre></details>`;
