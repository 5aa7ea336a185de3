/** Sheets to fill that follow from a checklist: one column per characteristic, with unit and term columns where they are wanted, and one example row. */
import type { ChecklistField, ChecklistRules } from '../registry/checklist.js';
import type { Characteristic } from '../registry/samples/sample.js';
import { timeSlices } from '../registry/time-slices.js';
import { EXAMPLE_NAME } from '../tsv/dialect.js';
import { exampleUnit } from './example-unit.js';
import { collect, type TableFile, tsvTable, workbookFile } from './table-file.js';
import type { DropDown, WrittenCell } from './write.js';

export interface TemplateOptions {
  format: 'tsv' | 'xlsx';
  /** These characteristics only, beside the required ones; names that the checklist does not know become columns too. */
  fields?: string[];
}

interface TemplateColumn {
  header: string;
  example: string;
  required: boolean;
  guidance: string;
  values?: readonly string[];
}

const EXAMPLE_TERM = { source: 'NCBITaxon', accession: 'http://purl.obolibrary.org/obo/NCBITaxon_9606' };
const MIN_WIDTH = 14;

/** @throws RegistryError checklist.unknown */
export async function checklistTemplate(
  rules: ChecklistRules,
  id: string,
  options: TemplateOptions,
): Promise<TableFile> {
  const columns = await columnsOf(rules, id, options.fields);
  const name = `${id}-template`;
  if (options.format === 'tsv') {
    return tsvTable(name, [columns.map(({ header }) => header), columns.map(({ example }) => example)]);
  }
  const dropDowns = columns.flatMap(({ values }, column): DropDown[] =>
    values && values.length > 0 ? [{ column, values }] : [],
  );
  return workbookFile(
    name,
    await collect([
      {
        name: 'Samples',
        rows: [
          columns.map(headerCell),
          columns.map(({ example }): WrittenCell => ({ text: example, style: 'example' })),
        ],
        widths: columns.map(({ header }) => Math.max(MIN_WIDTH, Math.min(40, header.length + 2))),
        frozenRows: 1,
        dropDowns,
        commented: true,
      },
      { name: 'Guidance', rows: guidance(id, columns), widths: [40, 10, 70, 50, 30], frozenRows: 1 },
    ]),
  );
}

const headerCell = ({ header, required, guidance: comment }: TemplateColumn): WrittenCell => ({
  text: header,
  style: required ? 'required' : 'header',
  ...(comment === '' ? {} : { comment }),
});

function* guidance(id: string, columns: readonly TemplateColumn[]): Generator<WrittenCell[]> {
  yield ['Column', 'Required', 'What to enter', 'Allowed values', 'Example'].map((text) => ({ text, style: 'header' }));
  for (const { header, required, guidance: text, values = [], example } of columns) {
    const allowed = values.length > 12 ? `${values.slice(0, 12).join(', ')} … (list in the cell)` : values.join(', ');
    yield [header, required ? 'yes' : '', text, allowed, example].map((each) => ({ text: each, style: 'guidance' }));
  }
  const notes = [
    `This sheet follows the checklist ${id}. Replace the example row by your samples, one per row, and upload the file; the example itself is refused.`,
    'Columns may be left out, moved, or added as Characteristics[name]. A Unit or Term column belongs to the column on its left.',
    'All cells are formatted as text, so that ids and dates stay as they are typed.',
  ];
  yield [];
  for (const text of notes) yield [{ text, style: 'guidance' }];
}

async function columnsOf(rules: ChecklistRules, id: string, wanted: string[] | undefined): Promise<TemplateColumn[]> {
  const fields = chosenFields(rules.fields(id), wanted);
  const columns: TemplateColumn[] = [
    { header: 'Sample Name', example: EXAMPLE_NAME, required: true, guidance: 'A name of its own for each sample.' },
    {
      header: 'Release Date',
      example: '2025-01-31',
      required: true,
      guidance: 'When the sample becomes public: a date such as 2025-01-31.',
    },
  ];
  const nextSlice = timeSlices();
  for (const field of fields) {
    columns.push(...(await fieldColumns(rules, id, field)));
    await nextSlice();
  }
  const checklist = { header: 'Characteristics[checklist]', example: id, required: false, values: [id] };
  columns.push({ ...checklist, guidance: 'The checklist that the row is held to.' });
  return columns;
}

/** Required ones first; two that differ only in case are one. */
function chosenFields(fields: readonly ChecklistField[], wanted: string[] | undefined): ChecklistField[] {
  const distinct = new Map<string, ChecklistField>();
  for (const field of [...fields].sort((a, b) => Number(b.required) - Number(a.required))) {
    if (!distinct.has(field.name.toLowerCase())) distinct.set(field.name.toLowerCase(), field);
  }
  if (wanted === undefined) return [...distinct.values()];
  const required = [...distinct.values()].filter((field) => field.required);
  const others = wanted
    .map(
      (name) => distinct.get(name.toLowerCase()) ?? { name, required: false, unitRequired: false, termRequired: false },
    )
    .filter((field) => !required.includes(field));
  return [...required, ...new Set(others)];
}

async function fieldColumns(rules: ChecklistRules, id: string, field: ChecklistField): Promise<TemplateColumn[]> {
  const example = await exampleOf(rules, id, field);
  const { name, required, description = '', allowedValues, allowedUnits, unitRequired, termRequired } = field;
  const header = `Characteristics[${name}]`;
  const columns: TemplateColumn[] = [
    {
      header,
      example: example.text ?? '',
      required,
      guidance: description,
      ...(allowedValues ? { values: allowedValues } : {}),
    },
  ];
  if (unitRequired || allowedUnits) {
    const guidance = `Unit of ${name}.`;
    columns.push({
      header: 'Unit',
      example: example.unit ?? '',
      required: unitRequired,
      guidance,
      ...(allowedUnits ? { values: allowedUnits } : {}),
    });
  }
  if (termRequired) {
    const guidance = `Ontology term of ${name}.`;
    columns.push({ header: 'Term Source REF', example: EXAMPLE_TERM.source, required: false, guidance });
    columns.push({ header: 'Term Accession Number', example: EXAMPLE_TERM.accession, required: true, guidance });
  }
  return columns;
}

const GUESSES = [
  'not provided',
  'not collected',
  'not applicable',
  '1',
  '2024-11-21',
  'https://example.org/1',
  'example',
];

/** The checklist's own example, else the first plausible value that it accepts. */
async function exampleOf(rules: ChecklistRules, id: string, field: ChecklistField): Promise<Characteristic> {
  const unit = field.unitRequired || field.allowedUnits ? exampleUnit(field.name, field.allowedUnits) : undefined;
  const texts = [field.example, field.allowedValues?.[0], ...GUESSES].filter((text) => text !== undefined);
  const entries = texts.map(
    (text): Characteristic => ({
      text,
      ...(unit === undefined ? {} : { unit }),
      ...(field.termRequired ? { ontologyTerms: [EXAMPLE_TERM.accession] } : {}),
    }),
  );
  for (const entry of entries) {
    const problems = await rules.problemsOf({ name: 'example', characteristics: { [field.name]: [entry] } }, id, 0);
    if (!problems.some(({ characteristic }) => characteristic === field.name)) return entry;
  }
  return entries[0] ?? {};
}
