/** Which parts of an ISA-JSON document say something of samples. */

/** Where the parts stand, below the investigation; `*` is an element of a list. */
export const PARTS = {
  publicReleaseDate: 'release',
  'studies/*/@id': 'study',
  'studies/*/title': 'study',
  'studies/*/identifier': 'study',
  'studies/*/filename': 'study',
  'studies/*/publicReleaseDate': 'release',
  'studies/*/characteristicCategories/*': 'category',
  'studies/*/unitCategories/*': 'unit',
  'studies/*/processSequence/*': 'process',
  'studies/*/materials/sources/*': 'source',
  'studies/*/materials/samples/*': 'sample',
} as const;

export interface Part {
  kind: (typeof PARTS)[keyof typeof PARTS];
  /** Its member, or that of its list. */
  key: string;
  /** Number of the study, from 0; -1 for the investigation. */
  study: number;
  /** The investigation is a member of that name, and not the document itself. */
  wrapped: boolean;
  text: string;
}

/** What a path may begin with and still lead to a part. */
export const LEADS: ReadonlySet<string> = new Set(
  Object.keys(PARTS).flatMap((path) => path.split('/').map((_, at, steps) => steps.slice(0, at + 1).join('/'))),
);
