/** Links of samples, curations and pages. */
import { describe, expect, it } from 'vitest';
import { curationLinkLinks, firstCreatedLinks, pageLinks, sampleLinks } from '../../../src/http/hal.js';

const BASE = 'http://x/registry';

describe('the links of a sample', () => {
  const below = `${BASE}/samples/SAMR1`;
  const others = {
    curationLinks: { href: `${below}/curationlinks` },
    curationLink: { href: `${below}/curationlinks/{hash}`, templated: true },
    structuredData: { href: `${BASE}/structureddata/SAMR1` },
  };

  it('are below its accession, and below the collection where it was just made there', () => {
    expect(sampleLinks(BASE, 'SAMR1')).toEqual({
      self: { href: below },
      applyCurations: { href: `${below}{?applyCurations}`, templated: true },
      ...others,
    });
    expect(firstCreatedLinks(BASE, 'SAMR1')).toEqual({
      self: { href: `${BASE}/samples` },
      applyCurations: { href: `${BASE}/samples{?applyCurations}`, templated: true },
      ...others,
    });
  });

  it('of a curation lead to it, to what it is made of and to its sample', () => {
    expect(curationLinkLinks(BASE, { sample: 'SAMR1', hash: 'l', curation: { hash: 'c' } })).toEqual({
      self: { href: `${below}/curationlinks/l` },
      sample: { href: below },
      curation: { href: `${BASE}/curations/c` },
    });
  });
});

describe('the links between pages', () => {
  const linksOf = (number: number, totalPages: number) =>
    Object.fromEntries(
      Object.entries(pageLinks('/samples?', { number, size: 20, totalPages })).map(([name, { href }]) => [
        name,
        /^\/samples\?page=(\d+)&size=20$/.exec(href)?.[1],
      ]),
    );

  it.each([
    [0, 0, { self: '0' }],
    [0, 1, { self: '0' }],
    [0, 2, { self: '0', first: '0', next: '1', last: '1' }],
    [1, 3, { self: '1', first: '0', prev: '0', next: '2', last: '2' }],
    [2, 3, { self: '2', first: '0', prev: '1', last: '2' }],
    // Behind the end: back to where there is something.
    [9, 3, { self: '9', first: '0', prev: '2', last: '2' }],
    [3, 3, { self: '3', first: '0', prev: '2', last: '2' }],
    [9, 1, { self: '9', prev: '0' }],
    [9, 0, { self: '9', prev: '0' }],
  ])('lead from page %i of %i to those that are there', (number, totalPages, links) => {
    expect(linksOf(number, totalPages)).toStrictEqual(links);
  });
});
