/** The taxonomy identifier that a sample has or implies. */
import type { Relationship, SampleContent } from './samples/sample.js';

const TERM = /(?:^|ncbitaxon[_:])(\d{1,15})$/i;

/** The number of `NCBITaxon_<n>`, `NCBITaxon:<n>` or a bare one, at the end of a term. */
export function taxIdOfTerm(term: string): number | undefined {
  const number = TERM.exec(term.trim())?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The explicit value, else from the organism's term ending in `NCBITaxon_<n>`, `NCBITaxon:<n>`, or a bare number. */
export function taxIdOf(content: SampleContent): number | undefined {
  return content.taxId ?? impliedTaxId(content);
}

export function impliedTaxId({ characteristics }: SampleContent): number | undefined {
  for (const name of Object.keys(characteristics)) {
    if (name.trim().toLowerCase() !== 'organism') continue;
    for (const { ontologyTerms } of characteristics[name] ?? []) {
      for (const term of ontologyTerms ?? []) {
        const number = taxIdOfTerm(term);
        if (number !== undefined) return number;
      }
    }
  }
  return undefined;
}

/** Without a taxonomy identifier that follows from the content itself or from one that was read before: nobody said it. */
export function withoutImplied(content: SampleContent, before: readonly SampleContent[] = []): SampleContent {
  const { taxId, ...others } = content;
  if (taxId === undefined || [content, ...before].every((one) => impliedTaxId(one) !== taxId)) return content;
  return others;
}

/** What a read fills in is taken out again, so that what was read can be sent back without changing anything. */
export function withoutFilledIn(content: SampleContent, accession: string | undefined): SampleContent {
  const relationships = content.relationships.map((one) => withoutOwnSource(one, accession));
  return withoutImplied({ ...content, relationships });
}

/** A relationship of the sample itself is kept without its source. */
export function withoutOwnSource({ source, ...rest }: Relationship, accession: string | undefined): Relationship {
  return source === undefined || source === accession ? rest : { source, ...rest };
}
