/** No scientist is shown a regular expression: what a checklist demands is said in words, with an example that fits. */
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
