/** Comments of a sheet: their texts, and the old drawing by which every spreadsheet program still shows them. */
import { columnLetter } from '../tsv/dialect.js';
import { DECLARATION, MAIN, xmlText } from './ooxml.js';

export interface CellComment {
  /** From 1. */
  row: number;
  /** From 0. */
  column: number;
  text: string;
}

/** More make spreadsheet programs slow; cells stay marked without. */
export const MAX_COMMENTS = 2000;
const MAX_TEXT = 1000;

export function commentsPart(comments: readonly CellComment[], author: string): string {
  const all = comments.map(
    ({ row, column, text }) =>
      `<comment ref="${columnLetter(column)}${row}" authorId="0"><text><t xml:space="preserve">${xmlText(text.slice(0, MAX_TEXT))}</t></text></comment>`,
  );
  return `${DECLARATION}<comments xmlns="${MAIN}"><authors><author>${xmlText(author)}</author></authors><commentList>${all.join('')}</commentList></comments>`;
}

export function drawingPart(comments: readonly CellComment[]): string {
  const shapes = comments.map(
    ({ row, column }, i) =>
      `<v:shape id="_x0000_s${1025 + i}" type="#_x0000_t202" style="position:absolute;margin-left:80pt;margin-top:5pt;width:220pt;height:80pt;z-index:${i + 1};visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`,
  );
  return `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>${shapes.join('')}</xml>`;
}
