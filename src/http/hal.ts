/** Links of samples and curations, as docs/api.md shows them. `templated` appears only where it is true. */

export interface Link {
  href: string;
  templated?: true;
}

export type Links = Record<string, Link>;

/** Links of a sample that is addressed by its accession. */
export function sampleLinks(base: string, accession: string): Links {
  return linksAt(base, `${base}/samples/${accession}`, accession);
}

/** The quirk of the first answer to `POST /samples`: it speaks as the collection that it was posted to. */
export function firstCreatedLinks(base: string, accession: string): Links {
  return linksAt(base, `${base}/samples`, accession);
}

function linksAt(base: string, self: string, accession: string): Links {
  const sample = `${base}/samples/${accession}`;
  return {
    self: { href: self },
    applyCurations: { href: `${self}{?applyCurations}`, templated: true },
    curationLinks: { href: `${sample}/curationlinks` },
    curationLink: { href: `${sample}/curationlinks/{hash}`, templated: true },
    structuredData: { href: `${base}/structureddata/${accession}` },
  };
}

export function curationLinkLinks(
  base: string,
  link: { sample: string; hash: string; curation: { hash: string } },
): Links {
  const sample = `${base}/samples/${link.sample}`;
  return {
    self: { href: `${sample}/curationlinks/${link.hash}` },
    sample: { href: sample },
    curation: { href: `${base}/curations/${link.curation.hash}` },
  };
}

/** Links between numbered pages; `here` is the address without `page` and `size`, ending in `?` or `&`. */
export function pageLinks(here: string, page: { number: number; size: number; totalPages: number }): Links {
  const at = (number: number): Link => ({ href: `${here}page=${number}&size=${page.size}` });
  const last = Math.max(0, page.totalPages - 1);
  return {
    self: at(page.number),
    ...(page.totalPages > 1 ? { first: at(0) } : {}),
    ...(page.number > 0 ? { prev: at(Math.min(page.number - 1, last)) } : {}),
    ...(page.number < last ? { next: at(page.number + 1) } : {}),
    ...(page.totalPages > 1 ? { last: at(last) } : {}),
  };
}
