/**
 * The help: the pages of docs/ that come with the program, read when they are first asked for, and a search over their
 * sections. It needs no network and no account.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { EXAMPLES_PAGE } from './api-examples.js';
import { DECISIONS, HELP_GROUPS } from './contents.js';
import { renderPage, sectionsOf } from './markdown.js';

/** Characters and words of a question that are read. */
const QUESTION = 200;
const WORDS = 12;
const FOUND = 20;
/** Of pages by the beginning of their name. */
const WEIGHTS: Readonly<Record<string, number>> = {
  guide: 2,
  [EXAMPLES_PAGE]: 0.3,
  [DECISIONS]: 0.3,
  architecture: 0.5,
  'changing-it': 0.5,
};
/** Characters of a section that are shown with it. */
const EXCERPT = 240;

/** Of a page: its first heading. */
const TITLE = /^# (.+)$/m;

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
  /** Pages that are there: name → title; and those of them that were asked for, as HTML. */
  #titles: ReadonlyMap<string, string> | undefined;
  readonly #pages = new Map<string, string>();
  #search: Promise<MiniSearch<IndexedSection>> | undefined;

  /** @param folder of the pages, docs/ */
  constructor(private readonly folder: string) {}

  /** Groups of pages that are there, in their order, and the records of decisions. */
  groups(): { title: string; pages: HelpPageEntry[] }[] {
    const titles = this.#known();
    const decisions = [...titles.keys()].filter((id) => id.startsWith(`${DECISIONS}/`));
    return [...HELP_GROUPS, { title: 'Decisions', pages: decisions }].map(({ title, pages }) => ({
      title,
      pages: pages.flatMap((id) => {
        const named = titles.get(id);
        return named === undefined ? [] : [{ id, title: named }];
      }),
    }));
  }

  /** `id`: `api`, or `decisions/0003-packed-samples`. */
  page(id: string): { title: string; html: string } | undefined {
    const title = this.#known().get(id);
    if (title === undefined) return undefined;
    const html = this.#pages.get(id) ?? renderPage(this.#text(id), `${id}.md`, (file) => this.#addressOf(file, id));
    this.#pages.set(id, html);
    return { title, html };
  }

  /** The page as it is written; empty where it is not there. */
  source(id: string): string {
    return this.#known().has(id) ? this.#text(id) : '';
  }

  /** Sections that have these words, or words like them, the best first. */
  async find(question: string): Promise<FoundSection[]> {
    this.#search ??= this.#index().catch((error: unknown) => {
      this.#search = undefined;
      throw error;
    });
    const words = question.slice(0, QUESTION).split(/\s+/).slice(0, WORDS).join(' ');
    return (await this.#search).search(words).slice(0, FOUND) as unknown as FoundSection[];
  }

  #text(id: string): string {
    return readFileSync(join(this.folder, `${id}.md`), 'utf8');
  }

  /** The files come with the program and do not change while it runs. */
  #known(): ReadonlyMap<string, string> {
    if (this.#titles) return this.#titles;
    const named = new Set(HELP_GROUPS.flatMap(({ pages }) => pages));
    const inFolder = (below: string): string[] => {
      const folder = join(this.folder, below);
      const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
      return files.sort().map((name) => posix.join(below, name.slice(0, -'.md'.length)));
    };
    const ids = [...inFolder('').filter((id) => named.has(id)), ...inFolder(DECISIONS)];
    this.#titles = new Map(ids.map((id) => [id, TITLE.exec(this.#text(id))?.[1] ?? id]));
    return this.#titles;
  }

  /** Relative to the page that names it: the help works below every base path. */
  #addressOf(file: string, from: string): string | undefined {
    const up = '../'.repeat(from.split('/').length - 1);
    if (file === `${DECISIONS}/` || file === DECISIONS) return `${up}./#decisions`;
    if (file === '../README.md') return `${up}./`;
    const id = file.endsWith('.md') ? file.slice(0, -'.md'.length) : undefined;
    return id !== undefined && this.#known().has(id) ? up + id : undefined;
  }

  /** Page by page, so that nobody waits for all of them: together they take a quarter of a second. */
  async #index(): Promise<MiniSearch<IndexedSection>> {
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
    let id = 0;
    for (const [page, title] of this.#known()) {
      await turn();
      for (const { heading, fragment, text } of sectionsOf(this.#text(page))) {
        const plain = text.replaceAll(/\s+/g, ' ').trim();
        const excerpt = plain.length > EXCERPT ? `${plain.slice(0, EXCERPT)} …` : plain;
        index.add({ id: id++, page, title, heading, fragment, excerpt, text: plain });
      }
    }
    return index;
  }
}
