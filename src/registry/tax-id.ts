/** The taxonomy identifier that a sample has or implies. */
import type { SampleContent } from './sample.js';

const TERM = /(?:^|ncbitaxon[_:])(\d{1,15})$/i;

/** The explicit value, else from the organism's term ending in `NCBITaxon_<n>`, `NCBITaxon:<n>`, or a bare number. */
export function taxIdOf(content: SampleContent): number | undefined {
  return content.taxId ?? impliedTaxId(content);
}

export function impliedTaxId({ characteristics }: SampleContent): number | undefined {
  for (const name of Object.keys(characteristics)) {
    if (name.trim().toLowerCase() !== 'organism') continue;
    for (const { ontologyTerms } of characteristics[name] ?? []) {
      for (const term of ontologyTerms ?? []) {
        const number = TERM.exec(term.trim())?.[1];
        if (number !== undefined) return Number(number);
      }
    }
  }
  return undefined;
}
