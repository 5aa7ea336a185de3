/** Formats of the cells of an .xlsx workbook: what their numbers mean, and which are struck through. */
import { builtInMeaning, formatMeaning, type NumberMeaning } from './number-format.js';
import type { Package } from './package.js';
import { parseXml } from './xml.js';

interface CellFormats {
  /** What the number of a cell with format `s` means, by position of the format. */
  formats: NumberMeaning[];
  struck: Set<number>;
}

export async function readFormats(workbook: Package, part: string | undefined): Promise<CellFormats> {
  const text = part === undefined ? undefined : await workbook.text(part);
  const own = new Map<number, NumberMeaning>();
  const fonts: boolean[] = [];
  const formats: NumberMeaning[] = [];
  const struck = new Set<number>();
  let list = '';
  if (text === undefined || part === undefined) return { formats, struck };
  parseXml(part, text, {
    open(name, attributes) {
      if (LISTS.has(name)) list = name;
      if (name === 'numFmt') own.set(Number(attributes.numFmtId), formatMeaning(attributes.formatCode ?? ''));
      else if (list === 'fonts' && name === 'font') fonts.push(false);
      else if (list === 'fonts' && name === 'strike') fonts[fonts.length - 1] = isOn(attributes.val);
      else if (list === 'cellXfs' && name === 'xf') {
        const id = Number(attributes.numFmtId ?? 0);
        if (fonts[Number(attributes.fontId ?? 0)]) struck.add(formats.length);
        formats.push(own.get(id) ?? builtInMeaning(id));
      }
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return { formats, struck };
}

const isOn = (value = '1'): boolean => !/^(0|false)$/i.test(value);

const LISTS: ReadonlySet<string> = new Set(['fonts', 'cellXfs']);
