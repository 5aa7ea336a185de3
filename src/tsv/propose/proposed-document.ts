/** What the columns are taken for → the import profile that says so. */
import { fold } from '../dialect.js';
import { occurrences } from '../header/compared-headers.js';
import type { ImportProfile, ProfileColumn } from '../header/profile.js';
import { rulesOf } from '../header/profile-columns.js';
import { JOINED_BY } from './joined-names.js';
import type { ProposedColumn } from './proposal.js';

/** How often each text is there. */
export function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * The document that the page and the command edit: columns with a header and a meaning, each with what it was taken for,
 * and of `basis` what is no column of this sheet.
 */
export function documentOf(
  columns: readonly Pick<ProposedColumn, 'header' | 'meaning'>[],
  basis: ImportProfile | undefined,
  title: string,
): ImportProfile {
  const occurrence = occurrences();
  const repeated = counted(columns.map(({ header }) => fold(header)));
  const rules = basis
    ? rulesOf(
        basis,
        columns.map(({ header }) => header),
      )
    : [];
  const listed = columns.flatMap(({ header, meaning }, at): ProfileColumn[] => {
    const nth = occurrence(header);
    if (header === '' || !meaning) return [];
    const optional = rules[at]?.optional === true && meaning.as !== 'name';
    return [
      {
        header,
        ...((repeated.get(fold(header)) ?? 0) > 1 ? { nth } : {}),
        ...(optional ? { optional } : {}),
        ...meaning,
      },
    ];
  });
  const absent = (basis?.columns ?? []).filter(
    ({ header, optional, as }) => optional && !NOT_TAKEN_OVER.includes(as) && !repeated.has(fold(header)),
  );
  const names = listed.filter(({ as }) => as === 'name').length;
  return {
    profile: 1,
    title: basis?.title ?? title,
    columns: [...(names > 1 ? listed : listed.map(unjoined)), ...absent],
    ...(names > 1 ? { joinNames: basis?.joinNames ?? JOINED_BY } : {}),
    ...(basis?.fixed ? { fixed: basis.fixed } : {}),
    ...(basis?.release ? { release: basis.release } : {}),
    ...(basis?.key ? { key: basis.key } : {}),
    ...(basis?.mark === undefined ? {} : { mark: basis.mark }),
    ...(basis?.sameName ? { sameName: basis.sameName } : {}),
    ...(basis?.labels ? { labels: basis.labels } : {}),
    ...(basis?.otherColumns ? { otherColumns: basis.otherColumns } : {}),
    ...(basis?.otherColumnsUntil ? { otherColumnsUntil: basis.otherColumnsUntil } : {}),
  };
}

/** A column that alone names the samples is nothing beside that. */
function unjoined(column: ProfileColumn): ProfileColumn {
  if (column.as !== 'name') return column;
  const { characteristic: _, ...name } = column;
  return name;
}

/** What this sheet lacks, another column of it may have become; a unit or a term hangs on another column. */
const NOT_TAKEN_OVER: readonly string[] = ['name', 'identifier', 'release', 'unit', 'term', 'source'];
