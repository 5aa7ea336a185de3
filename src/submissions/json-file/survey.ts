/** One pass over a JSON file before anything is registered: which items are bad, and which samples its relationships mean. */
import { jsonItems } from '../../registry/json-items.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { EdgeCollector } from '../../tsv/rows/edges.js';
import { Float64List, Uint32List } from '../../tsv/rows/number-list.js';
import { OwnerQuestions } from '../../tsv/rows/owner-questions.js';
import type { Survey, SurveyOptions } from '../../tsv/rows/reading.js';
import { surveyOf } from '../../tsv/rows/survey.js';
import { watchFor } from '../reading/mentions.js';
import { ItemExaminer } from './examine.js';
import type { ItemCheck } from './item-check.js';

/**
 * Whether the file can be read to its end, and whether an item may have relationships.
 * @throws RegistryError file.not-understood
 */
export async function lookThrough(
  bytes: AsyncIterable<Buffer>,
  form: NonNullable<SheetPlan['json']>,
): Promise<boolean> {
  const watched = watchFor(bytes, '"relationships"');
  for await (const _ of jsonItems(watched.bytes, form));
  return watched.seen();
}

export async function surveyItems(
  bytes: AsyncIterable<Buffer>,
  form: NonNullable<SheetPlan['json']>,
  options: Omit<SurveyOptions, 'check'>,
  check: ItemCheck | undefined,
): Promise<Survey> {
  const examiner = new ItemExaminer(options);
  const edges = new EdgeCollector({ relationshipColumns: [] }, options.prefix);
  const questions = new OwnerQuestions(options);
  const [bad, lines, ids] = [new Uint32List(), new Uint32List(), new Float64List()];
  let count = 0;
  for await (const { items } of jsonItems(bytes, form)) {
    for (const item of items) {
      const examined = examiner.examine(item);
      if (!examined) continue;
      const ordinal = count++;
      const { line, id, content, issues } = examined;
      lines.push(line);
      ids.push(id);
      if (id !== 0) questions.identifier(id);
      for (const [place, { target: text }] of content.relationships.entries())
        edges.add({ ordinal, place, text }, id, examiner.names, questions);
      if (issues.length > 0 || (check && (await check(examined)).length > 0)) bad.push(ordinal);
    }
    await questions.ask(false);
  }
  await questions.ask(true);
  return surveyOf({
    count,
    bad,
    ids,
    lines,
    names: examiner.names,
    edges,
    questions,
    later: options.later,
    recorded: options.recorded,
  });
}
