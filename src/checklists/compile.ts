/** Checklist schemas made into verdict functions, once each. */
import { isDeepStrictEqual } from 'node:util';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RegistryError } from '../registry/errors.js';
import { isObject } from '../registry/json-form.js';
import { compilePattern, regExpEngine } from './linear-pattern.js';
import type { ChecklistFile, JsonObject } from './load.js';

export type Verdict = (document: JsonObject) => ErrorObject[];

type Dialect = 'draft-07' | '2019-09' | '2020-12';

/**
 * `strict: false`: the field's checklists carry keywords of their own. `ownProperties`: a characteristic may be called
 * `constructor`. `$async` is taken off before compiling: the keywords that need it ask services elsewhere and are not
 * ours to run, and without them a verdict is there at once; it can be neither forgotten nor late.
 */
const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  logger: false,
  validateFormats: true,
  // By `register`.
  validateSchema: false,
  code: { regExp: regExpEngine },
};

/** Longest text given to a format; no format of JSON Schema that is longer is meant. */
const MAX_FORMAT_LENGTH = 2048;

/** One set of schemas that may refer to each other by `$id`. */
export function createCompiler(files: readonly ChecklistFile[]): (file: ChecklistFile) => Verdict {
  const engines = new Map<Dialect, Ajv>();
  const verdicts = new Map<ChecklistFile, Verdict>();

  function engineFor(dialect: Dialect): Ajv {
    let engine = engines.get(dialect);
    if (!engine) {
      engine =
        dialect === '2020-12' ? new Ajv2020(OPTIONS) : dialect === '2019-09' ? new Ajv2019(OPTIONS) : new Ajv(OPTIONS);
      addFormats.default(engine);
      lookUpEnums(engine);
      boundFormats(engine);
      for (const file of files) if (dialectOf(file.schema) === dialect) register(engine, file);
      engines.set(dialect, engine);
    }
    return engine;
  }

  return (file) => {
    const known = verdicts.get(file);
    if (known) return known;
    const verdict = verdictOf(file, engineFor(dialectOf(file.schema)));
    verdicts.set(file, verdict);
    return verdict;
  };
}

function verdictOf(file: ChecklistFile, engine: Ajv): Verdict {
  let validate: ValidateFunction | undefined;
  try {
    checkPatterns(file.schema);
    validate = engine.getSchema(keyOf(file)) as ValidateFunction | undefined;
  } catch (error) {
    throw unusable(file, error);
  }
  const run = validate;
  if (!run) throw unusable(file, new Error('it is not registered'));
  return (document) => (run(document) ? [] : [...(run.errors ?? [])]);
}

const keyOf = (file: ChecklistFile): string =>
  typeof file.schema.$id === 'string' ? file.schema.$id : `checklist:${file.id}`;

function register(engine: Ajv, file: ChecklistFile): void {
  try {
    const schema = prepared(file.schema);
    // Of what is shipped a test looks whether it is one: to compile the schema of schemas takes longer than a checklist does.
    if (file.source === 'directory') engine.validateSchema(withShortEnums(schema) as JsonObject, true);
    engine.addSchema(schema, keyOf(file));
  } catch (error) {
    throw unusable(file, error);
  }
}

const unusable = (file: ChecklistFile, error: unknown): RegistryError =>
  new RegistryError(
    'checklist.unreadable',
    `The checklist ${file.id} (${file.path}) cannot be used: ${(error as Error).message}`,
    {
      cause: error,
    },
  );

/** So many values of a list are looked at where none is there twice. */
const CHECKED_VALUES = 100;

/**
 * A copy whose long lists of values are cut, for the check that it is a schema: that compares each value with each, seconds for a
 * list of 20 000 terms. A list that has a text twice stays whole.
 */
function withShortEnums(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withShortEnums);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [
      keyword,
      keyword === 'enum' && isListOfDifferent(value) ? value.slice(0, CHECKED_VALUES) : withShortEnums(value),
    ]),
  );
}

const isListOfDifferent = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') && new Set(value).size === value.length;

/** A copy without `$async`, and with drafts that say the same as draft-07 named so. */
function prepared(schema: JsonObject): JsonObject {
  const copy = withoutAsync(schema) as JsonObject;
  if (typeof copy.$schema === 'string' && dialectOf(schema) === 'draft-07')
    copy.$schema = 'http://json-schema.org/draft-07/schema#';
  return copy;
}

function withoutAsync(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAsync);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([keyword, value]) => !(keyword === '$async' && typeof value === 'boolean'))
      .map(([keyword, value]) => [keyword, withoutAsync(value)]),
  );
}

function dialectOf(schema: JsonObject): Dialect {
  const named = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (named.includes('2020-12')) return '2020-12';
  return named.includes('2019-09') ? '2019-09' : 'draft-07';
}

/** Compiles every pattern now, so that a broken one is reported with its file at the start and not at some row. */
function checkPatterns(node: unknown): void {
  if (Array.isArray(node)) for (const part of node) checkPatterns(part);
  if (!isObject(node)) return;
  if (typeof node.pattern === 'string') compilePattern(node.pattern);
  if (isObject(node.patternProperties)) Object.keys(node.patternProperties).forEach(compilePattern);
  for (const part of Object.values(node)) checkPatterns(part);
}

/** ajv compares a value with one allowed value after the other, and checklists name countries and terms by the thousand. */
function lookUpEnums(engine: Ajv): void {
  engine.removeKeyword('enum');
  engine.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    error: { message: 'must be equal to one of the allowed values' },
    compile: (allowed: unknown[]) => {
      const texts = new Set(allowed.filter((value) => typeof value === 'string'));
      return (value: unknown) =>
        typeof value === 'string' ? texts.has(value) : allowed.some((one) => isDeepStrictEqual(one, value));
    },
  });
}

function boundFormats(engine: Ajv): void {
  for (const [name, format] of Object.entries(engine.formats)) {
    if (!format || format === true || format instanceof RegExp) {
      if (format instanceof RegExp)
        engine.formats[name] = { type: 'string', validate: bounded((text) => format.test(text)) };
      continue;
    }
    if (typeof format === 'function') engine.formats[name] = { type: 'string', validate: bounded(format) };
  }
}

const bounded =
  (test: (text: string) => boolean) =>
  (text: string): boolean =>
    text.length <= MAX_FORMAT_LENGTH && test(text);
