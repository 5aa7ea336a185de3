/** The help as pages to read: no scripts, nothing from elsewhere, the stylesheet of the interface description. */
import type { FoundSection, HelpPageEntry } from '../help/help.js';
import { escapeHtml } from '../help/markdown.js';

/** As DOCS_POLICY; the search is a form. */
export const HELP_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

interface HelpGroupEntry {
  title: string;
  pages: readonly HelpPageEntry[];
}

/** Addresses of the service and the help, relative to the page or below the base path. */
export interface HelpAddresses {
  /** Of /help, without a slash at its end. */
  help: string;
  docs: string;
  page: string;
  stylesheet: string;
}

export const helpPage = (title: string, html: string, addresses: HelpAddresses): string =>
  shell(title, `<main>${html}</main>`, addresses);

export function helpIndex(groups: readonly HelpGroupEntry[], addresses: HelpAddresses): string {
  const lists = groups.map(
    ({ title, pages }) =>
      `<h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${escapeHtml(title)}</h2><ul>${pages
        .map(({ id, title: name }) => `<li><a href="${addresses.help}/${id}">${escapeHtml(name)}</a></li>`)
        .join('')}</ul>`,
  );
  return shell('Help', `<main><h1>Help</h1>${lists.join('')}</main>`, addresses);
}

export function helpFound(question: string, found: readonly FoundSection[], addresses: HelpAddresses): string {
  const list = found.map(({ page, title, heading, fragment, excerpt }) => {
    const address = `${addresses.help}/${page}${fragment === '' ? '' : `#${fragment}`}`;
    const name = heading === title ? title : `${title}: ${heading}`;
    return `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}</a><br>${escapeHtml(excerpt)}</li>`;
  });
  const outcome =
    found.length === 0
      ? `<p>No section has a word like “${escapeHtml(question)}”. Try fewer or other words, or <a href="${addresses.help}">look through the list of pages</a>.</p>`
      : `<ol>${list.join('')}</ol>`;
  return shell(`Help: ${question}`, `<main><h1>Help</h1>${outcome}</main>`, addresses, question);
}

const shell = (title: string, main: string, addresses: HelpAddresses, question = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sample registry</title>
<link rel="stylesheet" href="${addresses.stylesheet}">
</head>
<body>
<header>
<nav aria-label="Help"><a href="${addresses.page}">Sample registry</a> · <a href="${addresses.help}">All pages of the help</a> · <a href="${addresses.docs}">Interface</a></nav>
<form action="${addresses.help}" role="search"><label>Search the help <input type="search" name="q" maxlength="200" value="${escapeHtml(question)}"></label> <button>Search</button></form>
</header>
${main}
</body>
</html>
`;
