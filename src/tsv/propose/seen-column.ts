/** One column of a sheet as it is looked at: its header in several readings, and its values. */

import { fold } from '../dialect.js';
import { columnKind } from '../header/header-name.js';
import { meantHeader } from '../header/meant-header.js';
import type { ColumnMeaning } from '../header/profile.js';
import { type UnitInHeader, unitInHeader } from '../header/units.js';
import { ColumnValues } from './column-values.js';
import { saysEvent, wordsOf } from './header-words.js';

export interface SeenColumn {
  at: number;
  header: string;
  /** Of the header without its unit. */
  words: string;
  /** The header without its unit, as headers are compared. */
  key: string;
  unit?: UnitInHeader;
  values: ColumnValues;
  /** What the header means in any sheet of ours. */
  own?: ColumnMeaning;
  /** What a header that is nearly one of ours was probably meant for, and how it is written: one that has brackets, since plain words are those of any sheet. */
  nearly?: { header: string; meaning: ColumnMeaning };
}

/** Characters of a header that a profile can name. */
export const MAX_HEADER = 200;

export function seenColumns(header: readonly string[], rows: readonly (readonly string[])[]): SeenColumn[] {
  return header.map((text, at) => {
    const written = text.replace(/\s+/g, ' ').trim();
    const nearly = nearMeaning(written);
    const own = nearly ? undefined : ownMeaning(written);
    const looked = written.slice(0, MAX_HEADER);
    const values = new ColumnValues(rows.map((cells) => cells[at] ?? ''));
    const named = own ? undefined : unitInHeader(looked);
    const unit = named && !isCalendar(named, values) ? named : undefined;
    return {
      at,
      header: written,
      words: wordsOf(unit?.name ?? looked),
      key: fold(unit?.name ?? written),
      ...(unit ? { unit } : {}),
      values,
      ...(own ? { own } : {}),
      ...(nearly ? { nearly } : {}),
    };
  });
}

/** The numbers that a part of a date may have, and whether any header may mean one: no quantity has nothing but the years of a calendar. */
const CALENDAR: Readonly<Record<string, { from: number; to: number; alone?: true }>> = {
  year: { from: 1500, to: 2100, alone: true },
  month: { from: 1, to: 12 },
  week: { from: 1, to: 53 },
  hour: { from: 0, to: 23 },
  minute: { from: 0, to: 59 },
};

/** `Collection year` of 1934, `sampling_month` of 7: a part of a date is no measurement. */
function isCalendar({ name, unit, marked }: UnitInHeader, values: ColumnValues): boolean {
  const part = CALENDAR[unit];
  if (part === undefined || !(saysEvent(wordsOf(name)) || (part.alone && !marked))) return false;
  return values.all((text) => /^\d{1,4}$/.test(text) && Number(text) >= part.from && Number(text) <= part.to);
}

function nearMeaning(written: string): SeenColumn['nearly'] {
  const header = meantHeader(written);
  const meaning = header?.includes('[') ? ownMeaning(header) : undefined;
  return header !== undefined && meaning && meaning.as !== 'ignored' ? { header, meaning } : undefined;
}

/** Plain words of ISA-Tab (Date, Performer) are looked at like any other header of a foreign sheet. */
function ownMeaning(header: string): ColumnMeaning | undefined {
  const kind = columnKind(header);
  switch (kind.kind) {
    case 'name':
    case 'identifier':
    case 'release':
    case 'reference':
      return { as: kind.kind };
    case 'characteristic':
      return { as: 'characteristic', name: kind.name };
    case 'relationship':
      return { as: 'relationship', type: kind.type };
    case 'record':
      return { as: kind.of === 'publications' ? 'publication' : kind.of, member: kind.member };
    case 'unit':
      return { as: 'unit' };
    case 'term-accession':
      return { as: 'term' };
    case 'term-source':
      return { as: 'source' };
    case 'error':
      return { as: 'ignored' };
    case 'owner':
    case 'ignored column':
      return header.includes('[') || fold(header) === 'protocolref' ? { as: 'ignored' } : undefined;
    default:
      return undefined;
  }
}
