/** Values, lists and forms in plain words. */
import type { ErrorObject } from 'ajv';
import type { ChecklistField } from '../registry/checklist.js';
import { patternInWords } from './pattern-words.js';

const MAX_SHOWN = 12;
const MAX_VALUE = 100;

const FORMATS: Record<string, string> = {
  date: 'a date such as 2024-11-21',
  'date-time': 'a date and time such as 2024-11-21T09:30:00Z',
  time: 'a time such as 09:30:00Z',
  email: 'an e-mail address such as ann@example.org',
  uri: 'an address such as https://example.org/page',
  iri: 'an address such as https://example.org/page',
  uuid: 'a UUID',
};

export const quoted = (value: string): string =>
  `"${value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value}"`;

/** `a, b, c and 200 more` */
export function listInWords(values: readonly string[]): string {
  const shown = values.slice(0, MAX_SHOWN).join(', ');
  return values.length > MAX_SHOWN ? `${shown} and ${values.length - MAX_SHOWN} more` : shown;
}

/** The form that a rule asks for. */
export function formInWords(
  error: ErrorObject,
  otherwise: readonly string[],
  field: ChecklistField | undefined,
): string {
  const form = ruleInWords(error);
  const example =
    field?.example === undefined || form.includes('such as') ? '' : `, for example ${quoted(field.example)}`;
  const described = field?.description === undefined ? '' : ` (${clip(field.description, 200)})`;
  const others = otherwise.length > 0 ? `, or one of: ${listInWords(otherwise)}` : '';
  return `${form}${example}${others}${described}`;
}

function ruleInWords({ keyword, params, schema }: ErrorObject): string {
  const { limit, format, pattern } = params as { limit?: number; format?: string; pattern?: string };
  if (keyword === 'format' && format !== undefined) return FORMATS[format] ?? `a ${format}`;
  if (keyword === 'minLength') return `at least ${limit} characters`;
  if (keyword === 'maxLength') return `at most ${limit} characters`;
  if (keyword === 'pattern' && pattern !== undefined) return patternInWords(pattern);
  if (keyword === 'type') return `a ${String((params as { type?: unknown }).type)}`;
  const branches: unknown[] = Array.isArray(schema) ? schema : [];
  const patterns = branches.flatMap((branch) => {
    const each = (branch ?? {}) as { pattern?: unknown; format?: unknown };
    if (typeof each.pattern === 'string') return [patternInWords(each.pattern)];
    return typeof each.format === 'string' ? [FORMATS[each.format] ?? `a ${each.format}`] : [];
  });
  return patterns.length > 0 ? patterns.join(' or ') : 'another form';
}

const clip = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
