/**
 * The help: the pages of docs/ that come with the program, read when they are first asked for, and a search over their
 * sections. It needs no network and no account.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { DECISIONS, HELP_GROUPS } from './contents.js';
import { type RenderedPage, renderPage } from './markdown.js';

/** Characters and words of a question that are read. */
const QUESTION = 200;
const WORDS = 12;
const FOUND = 20;
/** Of pages by the beginning of their name. */
const WEIGHTS: Readonly<Record<string, number>> = {
  guide: 2,
  [DECISIONS]: 0.3,
  architecture: 0.5,
  'changing-it': 0.5,
};
/** Characters of a section that are shown with it. */
const EXCERPT = 240;

/** Words that questions begin with, and that every page has. */
const COMMON = new Set(
  'a an and are as at be by can do does for from has have how i if in is it its me my of on or that the their there they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

export interface HelpPageEntry {
  id: string;
  title: string;
}

export interface FoundSection {
  page: string;
  title: string;
  heading: string;
  fragment: string;
  excerpt: string;
}

interface IndexedSection extends FoundSection {
  id: number;
  text: string;
}

export class Help {
  readonly #pages = new Map<string, RenderedPage>();
  #search: MiniSearch<IndexedSection> | undefined;

  /** @param folder of the pages, docs/ */
  constructor(private readonly folder: string) {}

  /** Groups of pages that are there, in their order, and the records of decisions. */
  groups(): { title: string; pages: HelpPageEntry[] }[] {
    const groups = HELP_GROUPS.map(({ title, pages }) => ({ title, ids: [...pages] }));
    groups.push({ title: 'Decisions', ids: this.#decisions() });
    return groups.map(({ title, ids }) => ({
      title,
      pages: ids.flatMap((id) => {
        const page = this.page(id);
        return page ? [{ id, title: page.title }] : [];
      }),
    }));
  }

  /** `id`: `api`, or `decisions/0003-packed-samples`. */
  page(id: string): RenderedPage | undefined {
    const known = this.#pages.get(id);
    if (known || !this.#has(id)) return known;
    const file = `${id}.md`;
    const path = join(this.folder, file);
    if (!existsSync(path)) return undefined;
    const page = renderPage(readFileSync(path, 'utf8'), file, (named) => this.#addressOf(named, id));
    this.#pages.set(id, page);
    return page;
  }

  /** Sections that have these words, or words like them, the best first. */
  find(question: string): FoundSection[] {
    this.#search ??= this.#index();
    const words = question.slice(0, QUESTION).split(/\s+/).slice(0, WORDS).join(' ');
    return this.#search.search(words).slice(0, FOUND) as unknown as FoundSection[];
  }

  #has(id: string): boolean {
    return HELP_GROUPS.some(({ pages }) => pages.includes(id)) || this.#decisions().includes(id);
  }

  #decisions(): string[] {
    const folder = join(this.folder, DECISIONS);
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
    return files.sort().map((name) => `${DECISIONS}/${name.slice(0, -'.md'.length)}`);
  }

  /** Relative to the page that names it: the help works below every base path. */
  #addressOf(file: string, from: string): string | undefined {
    const up = '../'.repeat(from.split('/').length - 1);
    if (file === `${DECISIONS}/` || file === DECISIONS) return `${up}./#decisions`;
    if (file === '../README.md') return `${up}./`;
    const id = file.endsWith('.md') ? file.slice(0, -'.md'.length) : undefined;
    return id !== undefined && this.#has(id) ? up + id : undefined;
  }

  #index(): MiniSearch<IndexedSection> {
    const index = new MiniSearch<IndexedSection>({
      fields: ['heading', 'title', 'text'],
      storeFields: ['page', 'title', 'heading', 'fragment', 'excerpt'],
      processTerm: (term) => {
        const folded = term.toLowerCase();
        return COMMON.has(folded) ? null : folded;
      },
      searchOptions: {
        boost: { heading: 3, title: 2 },
        prefix: (term) => term.length > 3,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        weights: { prefix: 0.3, fuzzy: 0.2 },
        // Most who ask want to do something; why it is so is for few.
        boostDocument: (_id, _term, stored) => WEIGHTS[String(stored?.page).split('/')[0] as string] ?? 1,
      },
    });
    const sections: IndexedSection[] = [];
    for (const { pages } of this.groups()) {
      for (const { id: page, title } of pages) {
        for (const { heading, fragment, text } of this.page(page)?.sections ?? []) {
          const plain = text.replaceAll(/\s+/g, ' ').trim();
          const excerpt = plain.length > EXCERPT ? `${plain.slice(0, EXCERPT)} …` : plain;
          sections.push({ id: sections.length, page, title, heading, fragment, excerpt, text: plain });
        }
      }
    }
    index.addAll(sections);
    return index;
  }
}
