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

export interface RenderedPage {
  title: string;
  html: string;
  sections: HelpSection[];
}

/** @param addressOf address of a file of docs/ (`api.md`, `decisions/0003-….md`), undefined where the help has no such page */
export function renderPage(text: string, file: string, addressOf: (file: string) => string | undefined): RenderedPage {
  const slugger = new GithubSlugger();
  const sections: HelpSection[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const label = this.parser.parseInline(tokens);
        const fragment = slugger.slug(plain(tokens));
        return `<h${depth} id="${fragment}">${label}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const address = addressIn(href, file, addressOf);
        return address === undefined ? label : `<a href="${escapeHtml(address)}">${label}</a>`;
      },
      // A picture is a link to itself: pages stay short.
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
  const tokens = marked.lexer(text);
  const titles = new GithubSlugger();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plain((token as Tokens.Heading).tokens);
      const fragment = titles.slug(heading);
      sections.push({ heading, fragment: (token as Tokens.Heading).depth === 1 ? '' : fragment, text: '' });
    } else {
      const section = sections.at(-1);
      if (section) section.text += `${plain([token])} `;
    }
  }
  return { title: sections[0]?.heading ?? file, html: marked.parser(tokens), sections };
}

/** Undefined for a link to what the help does not show, such as a file of the code. */
function addressIn(href: string, file: string, addressOf: (file: string) => string | undefined): string | undefined {
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
