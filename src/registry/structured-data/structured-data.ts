/** Tables attached to a sample, such as antibiograms. */

/** Field name → value and term. Nulls are kept as sent. */
export type StructuredDataRow = Record<string, { value: string; iri: string | null }>;

export interface StructuredDataTable {
  domain: string | null;
  /** Name of the account that attached it. */
  account: string;
  type: string;
  schema: string | null;
  content: StructuredDataRow[];
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
}
