/** No scientist is shown a regular expression: what a checklist demands is said in words, with an example that fits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChecklists } from '../../src/checklists/open.js';
import { patternInWords } from '../../src/checklists/pattern-words.js';

/** What only an expression has: anchors, classes, escapes, alternatives. */
const EXPRESSION = /[\\^$|[\]{}]|\(\?|[*+]\)/;
const exampleIn = (words: string): string | undefined => /such as (\S+?)(?:,|$| or)/.exec(words)?.[1];

const shipped = openChecklists();
const fields = shipped.list().flatMap(({ id }) => shipped.fields(id).map((field) => ({ id, ...field })));
const formed = fields.filter(({ form }) => form !== undefined);

describe('forms in words', () => {
  it('each shipped checklist has some', () => {
    expect(new Set(formed.map(({ id }) => id)).size).toBeGreaterThanOrEqual(3);
  });

  it.each(formed)('$id, $name: the form is in words, and its example is taken', async ({ id, name, form = '' }) => {
    expect(form).not.toMatch(EXPRESSION);
    const example = exampleIn(form);
    expect(example, form).toBeDefined();
    const document = { name: 's', characteristics: { [name]: [{ text: example as string }] } };
    const problems = await shipped.problemsOf(document as never, id);
    expect(problems.filter(({ code, characteristic }) => code === 'checklist.form' && characteristic === name)).toEqual(
      [],
    );
  });

  it.each([
    ['^\\d+$', 'a whole number, such as 12'],
    [
      '(^\\d+$)|(^not collected$)|(^not provided$)',
      'a whole number, such as 12, or one of: not collected, not provided',
    ],
    ['^https?://\\S+$', 'a web address, such as https://example.org/1'],
    ['^SAM(E|N|D)[A-Z]?\\d+$', 'an accession, such as SAMEA1234567'],
    ['^[A-Z]{2}-\\d{3}(?!9)$', 'in a form of its own, see the description of the checklist'],
  ])('%s', (pattern, words) => {
    expect(patternInWords(pattern)).toBe(words);
  });

  it('no problem of any keyword that takes an expression shows it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'expressions-'));
    const SECRET = '^[A-Z]{3}[0-9]{4}(?:x|y)+$';
    const text = { pattern: SECRET };
    const list = (value: object) => ({ type: 'array', items: { type: 'object', properties: { text: value } } });
    const fields: Record<string, object> = {
      plain: list(text),
      any: list({ anyOf: [text, { enum: ['none'] }] }),
      one: list({ oneOf: [text, { pattern: '^[a-z]{9}$' }] }),
      all: list({ allOf: [text] }),
      never: list({ not: { pattern: '^.*$' } }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      branch: list({ if: { pattern: '^b' }, then: text, else: text }),
      behind: list({ $ref: '#/definitions/form' }),
      whole: { type: 'array', contains: { properties: { text } } },
    };
    writeFileSync(
      join(folder, 'expressions.json'),
      JSON.stringify({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'expressions',
        title: 'Expressions',
        definitions: { form: text },
        type: 'object',
        properties: {
          name: text,
          characteristics: { type: 'object', properties: fields, propertyNames: { pattern: '^[a-z]{2,9}$' } },
        },
      }),
    );
    const own = openChecklists(folder);
    const names = [...Object.keys(fields), 'Not So 1'];
    const characteristics = Object.fromEntries(names.map((name) => [name, [{ text: 'b 1' }]]));
    const problems = await own.problemsOf({ name: 's 1', characteristics } as never, 'expressions');
    expect(problems.length).toBeGreaterThanOrEqual(names.length);
    for (const { message } of problems) expect(message).not.toMatch(EXPRESSION);
    for (const { form = '' } of own.fields('expressions')) expect(form).not.toMatch(EXPRESSION);
    rmSync(folder, { recursive: true });
  });

  it('a problem of a value says the form and an example, not the expression', async () => {
    const characteristics = {
      organism: [{ text: 'Homo sapiens', ontologyTerms: ['NCBITaxon:9606'] }],
      'collection date': [{ text: '21/11/2024' }],
    };
    const problems = await shipped.problemsOf({ name: 's', characteristics } as never, 'human-associated');
    const said = problems.map(({ message }) => message).join('\n');
    expect(said).toContain('such as 2024-05-31');
    expect(said).not.toMatch(EXPRESSION);
  });
});
