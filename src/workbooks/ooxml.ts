/** The fixed words of an .xlsx package that we write, and text made safe for its XML. */

export type CellStyle = 'plain' | 'header' | 'required' | 'example' | 'bad' | 'doubtful' | 'guidance';

/** Position of each style in the list below. All cells are formatted as text, so that no program changes what is typed. */
export const STYLE: Record<CellStyle, number> = {
  plain: 1,
  header: 2,
  required: 3,
  example: 4,
  bad: 5,
  doubtful: 6,
  guidance: 7,
};

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const xf = (font: number, fill: number, more = ''): string =>
  `<xf numFmtId="49" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"${more}`;

const solid = (rgb: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${rgb}"/><bgColor indexed="64"/></patternFill></fill>`;

export const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><i/><color rgb="FF7F7F7F"/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="6"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${solid('FFE7EEF7')}${solid('FFFFE0B2')}${solid('FFFFB3B3')}${solid('FFFFF2B3')}</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="8"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${xf(0, 0)}/>${xf(1, 2)}/>${xf(1, 3)}/>${xf(2, 0)}/>${xf(0, 4)}/>${xf(0, 5)}/>${xf(0, 0, ' applyAlignment="1"')}><alignment vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>`;

export const ROOT_RELATIONS = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export function relationships(targets: readonly { type: string; target: string }[]): string {
  const all = targets.map(
    ({ type, target }, i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

export function contentTypes(sheets: number, commented: readonly number[]): string {
  const type = (part: string, kind: string): string =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
  const parts = [
    type('/xl/workbook.xml', 'sheet.main'),
    type('/xl/styles.xml', 'styles'),
    ...Array.from({ length: sheets }, (_, i) => type(`/xl/worksheets/sheet${i + 1}.xml`, 'worksheet')),
    ...commented.map((sheet) => type(`/xl/comments${sheet}.xml`, 'comments')),
  ];
  return `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>${parts.join('')}</Types>`;
}

/** Text for XML; characters that XML cannot hold are written as `_xHHHH_` (ECMA-376 22.9.2.19). */
export function xmlText(text: string): string {
  return text
    .replace(/_x(?=[0-9A-Fa-f]{4}_)/g, '_x005F_x')
    .replace(
      /(?![\t\n])\p{Cc}|[\ufffe\uffff]|\p{Cs}/gu,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
