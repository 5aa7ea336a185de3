/** The page of examples (docs/api-examples.md): of each operation what is sent and what is answered, as it goes over the line. */
import { sectionsOf } from './markdown.js';

/** Name of the page in the help. */
export const EXAMPLES_PAGE = 'api-examples';

export interface ApiExample {
  /** Request line, headers, an empty line, body. */
  request: string;
  /** Status line, headers, an empty line, body; empty until the test suite has printed it. */
  answer: string;
}

export interface OperationExamples {
  /** Of its section in the page. */
  fragment: string;
  examples: readonly ApiExample[];
}

const OPERATION = /^[A-Z]+ \//;
/** A request and its answer stand in one block each. */
const BLOCK = /^```http\n([\s\S]*?)(?:^|\n)```$/gm;

/** Examples by operation, `POST /samples/{accession}/curationlinks` → those below this heading, in their order. */
export function readApiExamples(page: string): ReadonlyMap<string, OperationExamples> {
  const fragments = new Map(sectionsOf(page).map(({ heading, fragment }) => [heading, fragment]));
  const found = new Map<string, OperationExamples>();
  for (const section of page.split(/^### /m).slice(1)) {
    const heading = section.slice(0, section.indexOf('\n')).replaceAll('`', '');
    if (!OPERATION.test(heading)) continue;
    const blocks = [...section.matchAll(BLOCK)].map(([, block]) => block as string);
    const examples: ApiExample[] = [];
    for (let at = 0; at < blocks.length; at += 2)
      examples.push({ request: blocks[at] as string, answer: blocks[at + 1] ?? '' });
    found.set(heading, { fragment: fragments.get(heading) ?? '', examples });
  }
  return found;
}
