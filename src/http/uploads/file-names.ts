/** What files are called: as clients send their names, and as what comes back is named. */
import { type FormSigns, formOf, type ResultForm } from '../../submissions/results/result-form.js';

const MAX_NAME = 255;

/** The last part of whatever path was sent, without control characters; empty where nothing is left. */
export function baseName(path: string): string {
  const base = path.split(/[/\\]/).pop() ?? '';
  return base.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
}

/** At most so many characters, none of them halved, and with its endings, which say what the file is. */
export function shortName(name: string, most: number): string {
  const characters = [...name];
  if (characters.length <= most) return name;
  const [endings] = /(?:\.[\w-]{1,12}){0,3}$/.exec(name) as RegExpExecArray;
  return characters.slice(0, most - endings.length).join('') + endings;
}

/** The name under which an upload is kept. */
export const cleanName = (name: string): string => shortName(baseName(name), MAX_NAME) || 'samples.tsv';

/** Endings of files whose result is of another kind. */
const OTHERS: Record<ResultForm, { of: RegExp; ending: string }> = {
  sheet: { of: /\.(xls[xm]?|ods|csv)$/i, ending: '.tsv' },
  lines: { of: /\.json$/i, ending: '.ndjson' },
  isa: { of: /$^/, ending: '.json' },
};

/** The result of a workbook is text, that of commas has tabs, that of a JSON array one object on each line; none is packed. */
export function resultName(submission: FormSigns & { fileName: string }): string {
  const { fileName } = submission;
  const { of, ending } = OTHERS[formOf(submission)];
  const unpacked = fileName.replace(/\.(gz|zip)$/i, '');
  const name = unpacked.replace(of, ending);
  return unpacked === fileName || /\.[a-z]\w{1,5}$/i.test(name) ? name : name + ending;
}
