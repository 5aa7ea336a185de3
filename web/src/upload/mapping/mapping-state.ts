/** When the columns of a chosen file are asked for, and what becomes of the answer. */
import { ApiProblem, isRefusal } from '../../api/request.js';
import { messageOf } from '../../show/error-note.js';
import type { FileCheck, PackedTable } from '../file-check.js';
import { type ChosenFile, changeFile, listedFiles, type OpenMapping } from '../file-list.js';
import { rememberedName } from '../name-column.js';
import { mappingOf, type SheetProposal } from './mapping.js';
import { type Asked, askProposal } from './mapping-requests.js';

/** Larger workbooks are looked at where somebody asks for it: they are sent once more for that. */
const LARGEST_PACKED = 8_000_000;
/** Of so many files at once the packed ones are looked at when they are sent. */
const FEW_FILES = 10;

/** A sheet that nobody has said anything of, and that is not ours as it stands. */
export const wantsMapping = ({ file, mapped, nameColumn, namesOnly, table }: ChosenFile, check: FileCheck): boolean =>
  table === undefined &&
  mapped === undefined &&
  nameColumn === undefined &&
  !namesOnly &&
  (check.nameable !== undefined ||
    check.changed === true ||
    (check.packed === true && file.size <= LARGEST_PACKED && listedFiles().length <= FEW_FILES));

/** A workbook or an archive that nobody has looked into. */
export const unseen = ({ check, mapping, mapped, table, nameColumn, namesOnly, state }: ChosenFile): boolean =>
  check?.packed === true &&
  check.problem === undefined &&
  state.step === 'ready' &&
  ![mapping, mapped, table, nameColumn, namesOnly].some((each) => each !== undefined);

const presentFile = (key: number): ChosenFile | undefined => listedFiles().find((one) => one.key === key);

/**
 * Asks for a file of the list. When it is refused, and for a sheet that is read as it is, the file is what its check says;
 * without an answer it can be asked for again. An answer that another choice has overtaken counts no more.
 */
export async function askMapping(key: number, asked: Asked = {}, ownNames?: readonly string[]): Promise<void> {
  const before = presentFile(key);
  if (!before) return;
  const { file, part, checkedFor, mapping } = before;
  const packed = mapping?.packed === true;
  const names = ownNames ?? mapping?.ownNames ?? [];
  const own = {
    ...(mapping?.encoding === undefined ? {} : { encoding: mapping.encoding }),
    ...(part === undefined ? {} : { sheet: part }),
  };
  const reading = { ...own, ...asked };
  let failure: unknown;
  const proposal = await inTurn(() => askProposal(file, packed, reading)).catch((error: unknown) => {
    failure = error;
    return undefined;
  });
  const present = presentFile(key);
  if (!present?.mapping || present.checkedFor !== checkedFor) return;
  changeFile(key, afterAnswer(present, proposal, failure, { packed, names, choseSheet: asked.sheet !== undefined }));
}

/** What becomes of a file that was asked for. */
function afterAnswer(
  present: ChosenFile,
  proposal: SheetProposal | undefined,
  failure: unknown,
  { packed, names, choseSheet }: { packed: boolean; names: readonly string[]; choseSheet: boolean },
): Partial<ChosenFile> {
  const asking = present.mapping as NonNullable<ChosenFile['mapping']>;
  const ready = present.state.step === 'checking' ? { state: { step: 'ready' as const } } : {};
  const again = asking.step === 'open' ? asking : undefined;
  if (proposal && (!proposal.known || again)) {
    const check = packed ? { check: { ...(present.check as FileCheck), problem: NOT_OURS } } : {};
    return { ...ready, ...check, mapping: opened(asking, proposal, names) };
  }
  if (again) return { mapping: { ...again, failure } };
  if (!proposal && !isRefusal(failure)) return { ...ready, mapping: { ...asking, step: 'unanswered', failure } };
  const read = proposal && tableOf(proposal, choseSheet);
  if (read) return { table: read, mapping: undefined };
  const kind = packed && proposal?.profile ? { check: knownKind(present, proposal.profile.name) } : {};
  if (proposal) return { ...ready, ...kind, mapping: undefined };
  return { ...ready, ...(packed ? refusedBy(failure) : whyNot(failure)), mapping: undefined, namesOnly: true };
}

/** What the file is refused for when it is sent, too, unless somebody chooses another sheet of it. */
const OF_THE_FILE = new Set(['file.wrong-kind', 'file.not-understood']);

function refusedBy(failure: unknown): Partial<ChosenFile> {
  const { code = '', nameColumns } = failure instanceof ApiProblem ? failure.problem : {};
  if (OF_THE_FILE.has(code)) return { refusal: messageOf(failure) };
  const known = nameColumns ? rememberedName(nameColumns) : undefined;
  return known === undefined ? { ...(nameColumns ? { nameColumns } : {}), ...whyNot(failure) } : { nameColumn: known };
}

const whyNot = (failure: unknown): Partial<ChosenFile> => ({ unproposed: messageOf(failure) });

const opened = (
  { packed, encoding }: NonNullable<ChosenFile['mapping']>,
  proposal: SheetProposal,
  names: readonly string[],
): OpenMapping => ({
  packed,
  ...(encoding === undefined ? {} : { encoding }),
  step: 'open',
  ownNames: names,
  mapping: mappingOf(proposal, names),
});

/** The sheet that is looked at is chosen, or another row of it is its header: its columns are asked for. */
export function askOther({ key, check, table, checkedFor }: ChosenFile, asked: Asked): void {
  const own = { ...asked, ...(asked.sheet === undefined && table ? { sheet: table.sheet } : {}) };
  if (checkedFor === undefined) return;
  changeFile(key, { mapping: { step: 'asking', packed: check?.packed === true, ownNames: [] } });
  void askMapping(key, own);
}

/** What was not answered is asked for once more. */
export function askAgain({ key, mapping }: ChosenFile): void {
  if (mapping?.step !== 'unanswered') return;
  const { failure: _, ...parts } = mapping;
  changeFile(key, { mapping: { ...parts, step: 'asking' } });
  void askMapping(key);
}

function tableOf(
  { text, complete = false, dated = false, sheet, sheets = [], tables }: SheetProposal,
  chosen: boolean,
): PackedTable | undefined {
  if (text === undefined || sheet === undefined) return undefined;
  return { text, complete, dated, sheet, sheets, chosen, ...(tables ? { tables } : {}) };
}

const knownKind = ({ check }: ChosenFile, profile: string): FileCheck => ({
  ...(check as FileCheck),
  sheetKind: `profile ${profile}`,
});

let last: Promise<unknown> = Promise.resolve();

/** One file after the other. */
function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  const answer = last.then(ask);
  last = answer.catch(() => undefined);
  return answer;
}

const NOT_OURS = 'None of its headers names the samples: say below what its columns are.';
