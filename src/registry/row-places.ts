/** Where rows and their cells stand, in the words of their file. */

/** Lines of a sheet, items of a JSON file, lines of a batch edit. */
export type RowForm = 'sheet' | 'item' | 'edit';

/** Where a file has what is found out only when the store is asked; a part that the file does not have is absent. */
export interface RowPlaces {
  form: RowForm;
  accession?: PartPlace;
  name?: PartPlace;
  release?: PartPlace;
  key?: PartPlace;
}

/** A column, or a JSON pointer, which has no letter. */
type PartPlace = Pick<SheetPlace, 'column'> & Partial<SheetPlace>;

const ACCESSION = { column: '/accession' };
export const ITEM_PLACES: RowPlaces = {
  form: 'item',
  accession: ACCESSION,
  name: { column: '/name' },
  release: { column: '/release' },
};
export const EDIT_PLACES: RowPlaces = { form: 'edit', accession: ACCESSION };
/** Of rows that come from no file: the words of a sheet of this registry. */
export const ROW_PLACES = {
  form: 'sheet',
  accession: { column: 'Sample Identifier' },
  name: { column: 'Sample Name' },
  release: { column: 'Release Date' },
} as const satisfies RowPlaces;

/** Of a batch. */
export const placesOf = ({ places = ROW_PLACES }: { places?: RowPlaces }): RowPlaces => places;

/** A column of a sheet: its header as written, and its letter: A, B, … AA. */
export interface SheetPlace {
  column: string;
  columnLetter: string;
}

/** A cell or row in the words of its file; `column` is a JSON pointer where the file is no sheet. */
export interface IssuePlace extends Partial<SheetPlace> {
  line: number;
}

/** Where the accession of a row stands, when only the store knows the row. */
export const accessionPlace = (line: number, { accession }: RowPlaces): IssuePlace => ({ line, ...accession });
