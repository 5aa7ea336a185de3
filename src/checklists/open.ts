/** The checklists of this installation as the registry's port. */
import {
  type CheckedSheet,
  type ChecklistChoice,
  type ChecklistRules,
  type ChecklistSummary,
  isChecklistName,
  namedChecklist,
  type RowCheck,
} from '../registry/checklist.js';
import { RegistryError } from '../registry/errors.js';
import { type IssueProto, issueProto } from '../registry/row-issue.js';
import type { SheetPlace } from '../registry/row-places.js';
import { CELL_SEPARATOR } from '../registry/samples/packed-sample.js';
import { createCompiler } from './compile.js';
import { readFields } from './fields.js';
import { type ChecklistFile, loadChecklistFiles } from './load.js';
import { nearest } from './nearest.js';
import { findProblems, type RowChecklist } from './problems.js';
import { checkFor, type RowChecker } from './sheet-check.js';
import { spellingOf } from './spelling.js';

/**
 * Reads the shipped checklists and those of the folder. Each is compiled when first used, so that a thread that needs
 * one does not wait for all (half a second of a start). `compileFolder` at the start of a service tells of broken ones of
 * the folder at once.
 * @throws RegistryError checklist.unreadable
 */
export function openChecklists(directory?: string): ChecklistRules & { compileFolder(): void } {
  const files = loadChecklistFiles(directory);
  const compile = createCompiler(files);
  const rowChecks = new Map<ChecklistFile, RowChecklist>();

  const find = (id: string): ChecklistFile | undefined => {
    const wanted = id.trim().toLowerCase();
    return files.find((file) => file.id.toLowerCase() === wanted) ?? files.find((file) => file.names.includes(wanted));
  };

  const known = (id: string): ChecklistFile => {
    const file = find(id);
    if (!file) throw new RegistryError('checklist.unknown', unknownInWords(id, files));
    return file;
  };

  const rowChecksOf = (file: ChecklistFile): RowChecklist => {
    let ready = rowChecks.get(file);
    if (!ready) {
      const spelling = spellingOf(file.schema);
      const fields = new Map(readFields(file.schema, spelling).map((field) => [field.name, field]));
      ready = { id: file.id, schema: file.schema, spelling, verdict: compile(file), fields };
      rowChecks.set(file, ready);
    }
    return ready;
  };

  const rules: ChecklistRules = {
    list: () => files.map(summarize),
    get: (id) => known(id).schema,
    fields: (id) => readFields(known(id).schema, spellingOf(known(id).schema)),
    problemsOf: async (document, id, suggested) => findProblems(document, rowChecksOf(known(id)), suggested),
    chosenFor: (characteristics, choice) => namedChecklist(characteristics) ?? choice.option ?? choice.fallback,
    rowCheck: (sheet, choice) =>
      rowCheck(
        sheet,
        choice,
        (id) => checkFor(sheet, rowChecksOf(known(id))),
        (id, place) => unknownChecklist(id, place, files),
      ),
    raised: (sheet, choice) => raised(sheet, choice, files, (id) => find(id)?.raised ?? NONE),
  };
  return {
    ...rules,
    compileFolder: () => {
      for (const file of files) if (file.source === 'directory') rowChecksOf(file);
    },
  };
}

/** Opens them when first asked for. */
export function lazyChecklists(directory?: string): () => ChecklistRules {
  let opened: ChecklistRules | undefined;
  return () => (opened ??= openChecklists(directory));
}

function summarize(file: ChecklistFile): ChecklistSummary {
  const { title, description } = file.schema;
  const fields = readFields(file.schema, spellingOf(file.schema));
  const summary: ChecklistSummary = {
    id: file.id,
    title: typeof title === 'string' && title !== 'sample' ? title : file.id,
    source: file.source,
    required: fields.filter((field) => field.required).map((field) => field.name),
    fields: fields.length,
  };
  if (typeof description === 'string') summary.description = description;
  if (file.version !== undefined) summary.version = file.version;
  return summary;
}

/** Checks kept of checklists that rows name; a sheet may name a different unknown one in each row. */
const MAX_NAMED = 100;

/** Rows that name their own checklist are checked by it; the checks are made when first asked for. */
function rowCheck(
  sheet: CheckedSheet,
  choice: ChecklistChoice,
  check: (id: string) => RowChecker,
  unknown: (id: string, place: SheetPlace) => IssueProto,
): RowCheck | undefined {
  const naming = namingCells(sheet);
  const [named] = naming;
  const chosen = choice.option ?? choice.fallback;
  if (named === undefined && chosen === undefined) return undefined;
  const usual = chosen === undefined ? undefined : check(chosen);
  const others = new Map<string, RowChecker>();
  const checkOf = (id: string): RowChecker => {
    let found = others.get(id);
    if (!found) {
      found = tryCheck(id, check, () => [unknown(id, sheet.cells[named ?? -1] ?? sheet.name)]);
      if (others.size >= MAX_NAMED) others.clear();
      others.set(id, found);
    }
    return found;
  };
  return (line, name, release, packed) => {
    const cells = packed.split(CELL_SEPARATOR);
    const own = ownChecklist(naming, cells);
    const protos = own === '' ? usual?.(name, release, cells) : checkOf(own)(name, release, cells);
    return protos && protos.length > 0 ? protos.map((proto) => ({ line, ...proto })) : NONE;
  };
}

const NONE: readonly never[] = [];

function raised(
  sheet: CheckedSheet,
  choice: ChecklistChoice,
  files: readonly ChecklistFile[],
  raisedBy: (id: string) => ChecklistFile['raised'],
): ((packed: string) => ChecklistFile['raised']) | undefined {
  const naming = namingCells(sheet);
  const chosen = choice.option ?? choice.fallback;
  const usual = chosen === undefined ? NONE : raisedBy(chosen);
  if (naming.length === 0) return usual.length > 0 ? () => usual : undefined;
  if (files.every((file) => file.raised.length === 0)) return undefined;
  return (packed) => {
    const own = ownChecklist(naming, packed.split(CELL_SEPARATOR));
    return own === '' ? usual : raisedBy(own);
  };
}

/** Cells in which rows name a checklist. */
const namingCells = ({ layout }: CheckedSheet): number[] =>
  layout.characteristics.filter((plan) => isChecklistName(plan.name)).map(({ text }) => text);

/** The checklist that a row names, or ''. */
const ownChecklist = (naming: readonly number[], cells: readonly string[]): string =>
  naming.map((cell) => cells[cell] ?? '').find((text) => text !== '') ?? '';

function tryCheck(id: string, check: (id: string) => RowChecker, otherwise: RowChecker): RowChecker {
  try {
    return check(id);
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'checklist.unknown') return otherwise;
    throw error;
  }
}

const ids = (files: readonly ChecklistFile[]): string[] => files.map((file) => file.id);

const unknownInWords = (id: string, files: readonly ChecklistFile[]): string =>
  `There is no checklist "${id.slice(0, 100)}". Known: ${ids(files).join(', ')}.`;

const unknownChecklist = (id: string, place: SheetPlace, files: readonly ChecklistFile[]): IssueProto =>
  issueProto('checklist.unknown', place, {
    value: id,
    message: unknownInWords(id, files),
    suggestion: nearest(id, ids(files)),
  });
