/** docs/api-examples.md: every operation of the interface description has an example, and every example is answered as it says. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiExample, readApiExamples } from '../../src/help/api-examples.js';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { operationOf } from '../../src/http/operation-match.js';
import { ADMIN_TOKEN, type Service, startService } from '../http/service.js';
import type { Answer } from '../support/api-caller.js';
import { ROOT } from '../support/output.js';
import { Ids, readRequest, settle, split } from './example-exchange.js';
import { printed, strays } from './example-form.js';
import { document } from './section.js';

const PAGE = 'docs/api-examples.md';
const page = document(PAGE);
const byOperation = readApiExamples(page);
const examples = [...byOperation].flatMap(([name, { examples: listed }]) =>
  listed.map((example) => ({ name, example })),
);
/** What is well here begins with a fault of the service (test/faults). */
const ALWAYS_REFUSED = ['POST /submissions/{id}/retry'];
const ids = new Ids();
const answers = new Map<ApiExample, string>();

let service: Service;
let words: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  words = {
    TOKEN: await service.token('lab-1'),
    ADMIN_TOKEN,
    PASSWORD: 'a password of the example',
    'NEW-PASSWORD': 'another password of the example',
  };
});
afterAll(async () => {
  await service.stop();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(join(ROOT, PAGE), withAnswers());
});

function withAnswers(): string {
  let text = page;
  for (const { example } of examples) {
    const block = (answer: string) =>
      `\`\`\`http\n${example.request}\n\`\`\`\n\n\`\`\`http\n${answer}${answer === '' ? '' : '\n'}\`\`\``;
    const answer = answers.get(example);
    if (answer !== undefined) text = text.replace(block(example.answer), () => block(answer));
  }
  return text;
}

/** What the request has begun is over before the next one is sent, as the page shows it. */
async function ended(request: string, answer: Answer): Promise<void> {
  const [, kind, id] = /\/(submissions|samples\/exports)\/([\w-]+)$/.exec(answer.headers.get('location') ?? '') ?? [];
  const submission = kind === 'submissions' ? id : answer.headers.get('submission-id');
  if (submission) {
    await service.settled(submission);
    const index = async () =>
      (await service.get('/operations')).json<{ searchIndex: { status: string } }>().searchIndex;
    await expect.poll(async () => (await index()).status, { interval: 20 }).toBe('current');
  }
  if (request.startsWith('POST') && kind === 'samples/exports') {
    const state = async () => (await service.get(`/samples/exports/${id}`)).json<{ state: string }>().state;
    await expect.poll(state, { interval: 20 }).toBe('COMPLETED');
  }
}

describe('the examples of the interface', () => {
  it('has one of every operation, and names it', () => {
    const named = OPERATIONS.map(({ method, path, summary }) => [`${method.toUpperCase()} ${path}`, summary] as const);
    expect([...byOperation.keys()].toSorted()).toEqual(named.map(([name]) => name).toSorted());
    for (const [name, summary] of named) {
      expect(page).toContain(`### \`${name}\`\n\n${summary}.\n\n`);
    }
  });

  it('shows of each what it answers when all is well', () => {
    const refused = [...byOperation].filter(
      ([, { examples: listed }]) => !listed.some(({ answer }) => /^HTTP\/1.1 2/.test(answer)),
    );
    expect(refused.map(([name]) => name)).toEqual(ALWAYS_REFUSED);
  });

  it.each(examples)('$name', async ({ name, example }) => {
    const { path, ...call } = readRequest({ ...example, request: ids.toReal(example.request) }, words);
    const asked = operationOf(call.method as string, path.split('?')[0] as string);
    expect(`${asked?.method.toUpperCase()} ${asked?.path}`).toBe(name);
    const answer = await service.call(path, call);
    const found = settle(answer, service.url, ids, example.answer);
    await ended(example.request, answer);
    const differences = example.answer === '' ? ['not printed'] : strays(split(example.answer), found);
    if (process.env.UPDATE_DOCS === '1') {
      if (differences.length > 0)
        answers.set(example, [found.head.join('\n'), printed(found.body)].filter(Boolean).join('\n\n'));
      return;
    }
    expect(
      differences,
      `${PAGE} is behind the service: run UPDATE_DOCS=1 npx vitest run test/docs/api-examples`,
    ).toEqual([]);
  });
});
