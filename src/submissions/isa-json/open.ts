/** ISA-JSON documents as files that are read into text once (workbook-table.ts), beside the workbooks. */
import { nearAccession, parseAccession } from '../../registry/accession.js';
import { readHead } from '../uploads/upload-head.js';
import type { WorkbookSheet, Workbooks } from '../uploads/workbook-table.js';
import { isaLines } from './convert.js';
import { readDeclared } from './declared.js';
import { isIsaJson } from './scan.js';

/** Whether a text is, or is meant to be, an accession of this registry; those of others are characteristics like any other. */
export const isAccessionOf =
  (prefix: string) =>
  (text: string): boolean =>
    parseAccession(prefix, text) !== undefined || nearAccession(prefix, text) !== undefined;

export class IsaDocuments implements Workbooks {
  constructor(
    private readonly workbooks: Workbooks,
    private readonly prefix: string,
  ) {}

  isWorkbook(head: Buffer): boolean {
    return isIsaJson(head) || this.workbooks.isWorkbook(head);
  }

  async open(
    file: { path?: string | undefined; bytes: () => AsyncIterable<Buffer>; account?: string | undefined },
    wanted: { sheet?: string } = {},
  ): Promise<WorkbookSheet> {
    if (!isIsaJson(await readHead(file.bytes))) return this.workbooks.open(file, wanted);
    const isOurs = isAccessionOf(this.prefix);
    const declared = await readDeclared(file.bytes(), isOurs);
    return {
      sheetName: 'ISA-JSON',
      isa: true,
      tsv: isaLines(file.bytes(), declared, isOurs),
      close: () => undefined,
    };
  }
}
