/** Pages of docs/ as HTML whose links lead to other pages of the help. The files are ours: what they hold is trusted. */
import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { Marked, Renderer, type Token, type Tokens } from 'marked';

/** A part of a page that has a heading: what a search finds. */
export interface HelpSection {
  heading: string;
  /** Fragment of its address; empty for what stands below the title of the page. */
  fragment: string;
  /** Without markup. */
  text: string;
}

const lexer = new Marked();

/** Address of a file of docs/ (`api.md`, `decisions/0003-….md`), undefined where the help has no such page. */
export type AddressOf = (file: string) => string | undefined;

/** The page as HTML, each heading with the fragment that its section has. */
export function renderPage(text: string, file: string, addressOf: AddressOf): string {
  const tokens = lexer.lexer(text);
  const fragments = fragmentsOf(tokens);
  const marked = new Marked({
    renderer: {
      heading(heading) {
        const fragment = fragments.get(heading) ?? '';
        return `<h${heading.depth} id="${fragment}">${this.parser.parseInline(heading.tokens)}</h${heading.depth}>\n`;
      },
      link({ href, tokens: label }) {
        const shown = this.parser.parseInline(label);
        const address = addressIn(href, file, addressOf);
        return address === undefined ? shown : `<a href="${escapeHtml(address)}">${shown}</a>`;
      },
      // Pictures are left out but for what they show in words: pages load nothing.
      image({ href, text: label }) {
        return escapeHtml(label || href);
      },
      table(token) {
        return `<div class="wide" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>`;
      },
      code({ text: code }) {
        return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`;
      },
    },
  });
  return marked.parser(tokens);
}

/** What stands below each heading of the page, in order. */
export function sectionsOf(text: string): HelpSection[] {
  const tokens = lexer.lexer(text);
  const fragments = fragmentsOf(tokens);
  const sections: HelpSection[] = [];
  for (const token of tokens) {
    const fragment = fragments.get(token);
    const section = sections.at(-1);
    if (fragment !== undefined) {
      const { depth, tokens: heading } = token as Tokens.Heading;
      sections.push({ heading: plain(heading), fragment: depth === 1 ? '' : fragment, text: '' });
    } else if (section) section.text += `${plain([token])} `;
  }
  return sections;
}

/** Of the headings; two of the same words have different ones. */
function fragmentsOf(tokens: readonly Token[]): Map<Token, string> {
  const slugger = new GithubSlugger();
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  return new Map(headings.map((heading) => [heading, slugger.slug(plain(heading.tokens))]));
}

/** Undefined for a link to what the help does not show, such as a file of the code. */
function addressIn(href: string, file: string, addressOf: AddressOf): string | undefined {
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href;
  const [path = '', fragment] = href.split('#', 2);
  const address = addressOf(posix.join(posix.dirname(file), path));
  return address === undefined ? undefined : address + (fragment === undefined ? '' : `#${fragment}`);
}

/** What stands in the tokens, without markup. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((cells) => cells.map((cell) => plain(cell.tokens)).join(' ')).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens: inner }) => plain(inner)).join(' ');
      if (token.type === 'html') return '';
      if ('tokens' in token && token.tokens) return plain(token.tokens);
      return 'text' in token ? String(token.text) : ' ';
    })
    .join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
