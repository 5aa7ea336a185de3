import { useEffect, useMemo, useState } from 'react';
import type { CellIssue } from '../api/contract.js';
import type { IssueReport } from '../api/issues.js';
import { isRefusal, request } from '../api/request.js';
import { submissionPath } from '../api/submissions.js';
import type { SheetRow } from '../sheet/read-rows.js';
import { type Edits, fixedCells } from './fixing/fixing.js';
import { placeOf } from './issue-list.js';

/** The reader pauses this long before the service is asked. */
const PAUSE_MS = 300;
/** As many rows as the service checks at once. */
const AT_ONCE = 500;
/** Until it is asked again where no answer came. */
const AGAIN_MS = 3_000;

type Checked = { rows: { line: number; issues: CellIssue[] }[] };

interface CheckedLine {
  /** The cells that were checked. */
  of: string;
  /** Undefined: the service did not want to check them. */
  issues: CellIssue[] | undefined;
}

/** What is known of a changed cell: undefined while nobody has looked yet. */
export type Verdict = { tone: 'good' } | { tone: 'bad' | 'care'; message: string } | undefined;

export interface RowChecks {
  /** Of a cell in a row that has edits. */
  verdictAt: (line: number, place: number) => Verdict;
  /** Of a row as it is changed now; undefined while nobody has looked yet. */
  issuesOf: (line: number) => readonly CellIssue[] | undefined;
  /** Rows with edits that would still be rejected. */
  stillBad: number;
  /** What is said of rows with edits that would be a second sample of their name, such as those that were fixed and sent before. */
  secondSamples: readonly CellIssue[];
}

/**
 * Every row with edits, checked by the service as it is typed, by the rules that will hold when it is sent. `rows`: those
 * that may be changed; the header's line is none of them.
 */
export function useRowChecks(id: string, report: IssueReport, edits: Edits, rows: readonly SheetRow[]): RowChecks {
  const [known, setKnown] = useState<ReadonlyMap<number, CheckedLine>>(new Map());
  const [unanswered, setUnanswered] = useState(0);
  const cellsOf = useMemo(() => new Map(rows.map(({ line, cells }) => [line, cells])), [rows]);

  useEffect(() => {
    const open: { line: number; cells: string[]; of: string }[] = [];
    for (const [line, row] of edits) {
      const original = cellsOf.get(line);
      if (!original) continue;
      const cells = fixedCells(original, row);
      const of = cells.join('\u0000');
      if (known.get(line)?.of !== of) open.push({ line, cells, of });
      if (open.length === AT_ONCE) break;
    }
    if (open.length === 0) return;
    const asking = new AbortController();
    const ask = async () => {
      const rows = open.map(({ line, cells }) => ({ line, cells }));
      const checked = await askService(id, rows, asking.signal);
      if (asking.signal.aborted) return;
      if (checked === 'away') return setUnanswered((times) => times + 1);
      setUnanswered(0);
      const found = new Map(checked?.rows.map(({ line, issues }) => [line, issues]));
      setKnown((present) => {
        const next = new Map(present);
        for (const { line, of } of open) next.set(line, { of, issues: found.get(line) });
        return next;
      });
    };
    const pause = setTimeout(ask, unanswered > 0 ? AGAIN_MS : PAUSE_MS);
    return () => {
      clearTimeout(pause);
      asking.abort();
    };
  }, [id, edits, known, cellsOf, unanswered]);

  return useMemo(() => {
    const present = (line: number): CheckedLine | undefined => {
      const checked = known.get(line);
      return checked?.of === fixedCells(cellsOf.get(line) ?? [], edits.get(line)).join('\u0000') ? checked : undefined;
    };
    const verdictAt = (line: number, place: number): Verdict => {
      const checked = present(line);
      if (!checked) return undefined;
      if (!checked.issues) return UNCHECKED;
      const here = checked.issues.filter((issue) => {
        const at = placeOf(issue, report.columns);
        return at === place || at === undefined;
      });
      const worst = here.find(({ severity }) => severity === 'error') ?? here[0];
      if (!worst) return { tone: 'good' };
      return { tone: worst.severity === 'error' ? 'bad' : 'care', message: worst.message };
    };
    const stillBad = [...edits.keys()].filter((line) =>
      present(line)?.issues?.some(({ severity }) => severity === 'error'),
    ).length;
    const secondSamples = [...edits.keys()].flatMap((line) => present(line)?.issues?.filter(isUsedName) ?? []);
    return { verdictAt, issuesOf: (line) => present(line)?.issues, stillBad, secondSamples };
  }, [known, edits, cellsOf, report]);
}

const isUsedName = ({ code }: CellIssue): boolean => code === 'name.used-before';

const UNCHECKED: Verdict = { tone: 'care', message: 'changed; it is checked when you send it' };

/** Undefined when the service does not check these rows; `away` when no answer came, so that it can be asked again. */
async function askService(id: string, rows: object[], signal: AbortSignal): Promise<Checked | 'away' | undefined> {
  try {
    return (await request<Checked>(`${submissionPath(id)}/check`, { method: 'POST', json: { rows }, signal })).body;
  } catch (error) {
    return isRefusal(error) ? undefined : 'away';
  }
}
