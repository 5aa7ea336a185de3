import { Anchor } from '@mantine/core';

/** Resolver of compact identifiers, `NCBITaxon:9606` say. Only followed when the reader clicks. */
const RESOLVER = 'https://bioregistry.io/';

/** A term's address, when it has one that a browser may open. */
export function termAddress(term: string): string | undefined {
  if (/^https?:\/\/[^\s]+$/i.test(term)) return term;
  return /^[A-Za-z][\w.-]*:[\w.-]+$/.test(term) && !/^(javascript|data|vbscript|file|blob):/i.test(term)
    ? RESOLVER + term
    : undefined;
}

/** `http://purl.obolibrary.org/obo/NCBITaxon_9606` → `NCBITaxon_9606`. */
const shortTerm = (term: string): string =>
  /^https?:/i.test(term) ? (term.split(/[/#]/).filter(Boolean).pop() ?? term) : term;

export function TermLink({ term }: { term: string }) {
  const href = termAddress(term);
  if (href === undefined) return <span className="value">{term}</span>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" className="value" title={term}>
      {shortTerm(term)}
    </Anchor>
  );
}

/** A reference as a link when it is an address that a browser may open, else as text. */
export function SafeLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="value">{url}</span>;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" className="name" inherit>
      {url}
    </Anchor>
  );
}
