/** The help: every page of docs/ is in it, its links lead somewhere, and questions find their section. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELP_GROUPS } from '../../src/help/contents.js';
import { Help } from '../../src/help/help.js';
import { HELP_TOPICS } from '../../web/src/show/help-topics.js';
import { ROOT } from '../support/output.js';
import { type Service, startService } from './service.js';

/** What people ask, and the section that answers; it has to be among the first three. */
const QUESTIONS: readonly [string, string][] = [
  ['how do I update samples', 'guide#update-samples'],
  ['undo a submission', 'guide#the-outcome-of-a-submission'],
  ['release date missing', 'guide#uploading-a-sheet'],
  ['spreadsheet turned gene names into dates', 'repairing-sheets#what-spreadsheets-do-to-data'],
  ['forgot my password', 'guide#signing-in'],
  ['upload an ENA sheet', 'sheets-ena'],
  ['nightly export without accessions', 'guide#update-samples'],
  ['what does suspect.series mean', 'repairing-sheets#what-does-not-fit-together'],
  ['missing samples of a standing sheet', 'standing-sheets'],
  ['who may see private samples', 'authorization'],
  ['webhook signature', 'webhooks'],
  ['watch folder inbox', 'watch-folder'],
  ['follow changes cursor', 'changes'],
  ['backup and restore', 'operations'],
  ['PostgreSQL pooler', 'operations'],
  ['prometheus alerts', 'metrics'],
  ['rate limit 429', 'limits'],
  ['export as RO-Crate', 'formats'],
  ['mapping of names to accessions', 'guide'],
  ['remember columns of my own sheet', 'guide#uploading-a-sheet'],
];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const html = async (path: string): Promise<string> => {
  const answer = await service.get(path, { token: null });
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html;charset=UTF-8']);
  return answer.text;
};
const fragments = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
const addresses = (text: string): string[] =>
  [...text.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => (address as string).replaceAll('&amp;', '&'));

describe('the help', () => {
  const help = new Help(join(ROOT, 'docs'));
  const ids = help.groups().flatMap(({ pages }) => pages.map(({ id }) => id));

  it('has every page of docs/, each once', () => {
    const files = [
      ...readdirSync(join(ROOT, 'docs')),
      ...readdirSync(join(ROOT, 'docs', 'decisions')).map((name) => `decisions/${name}`),
    ];
    const pages = files.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
    expect(ids.toSorted()).toEqual(pages.toSorted());
    expect(HELP_GROUPS.every(({ pages: listed }) => listed.length <= 12)).toBe(true);
  });

  it('leads from its list to each page, and from each page to sections that are there', { tags: 'slow' }, async () => {
    const listed = addresses(await html('/help')).filter((address) => /^\/help\/./.test(address));
    expect(listed.map((address) => address.slice('/help/'.length)).toSorted()).toEqual(ids.toSorted());
    const pages = new Map<string, string>([['/help', await html('/help')]]);
    for (const id of ids) pages.set(`/help/${id}`, await html(`/help/${id}`));
    /** To another place of the help, one of its sections, or the page and the interface beside it. */
    const leadsSomewhere = (from: string, address: string): boolean => {
      const { pathname, hash } = new URL(address, `http://registry${from}`);
      const target = pages.get(pathname.replace(/\/$/, ''));
      if (target === undefined) return /^\/(page|docs)/.test(pathname);
      return hash === '' || fragments(target).includes(hash.slice(1));
    };
    const links = [...pages].flatMap(([from, text]) => addresses(text).map((address) => [from, address] as const));
    const inside = links.filter(([, address]) => !/^(https?|mailto):/.test(address));
    expect(inside.length).toBeGreaterThan(pages.size);
    expect(inside.filter(([from, address]) => !leadsSomewhere(from, address))).toEqual([]);
  });

  it.each(QUESTIONS)('"%s" finds %s', async (question, wanted) => {
    const found = (await help.find(question)).slice(0, 3);
    const places = found.map(({ page, fragment }) => (fragment === '' ? page : `${page}#${fragment}`));
    expect(
      places.some((place) => place === wanted || place.startsWith(`${wanted}#`)),
      places.join(', '),
    ).toBe(true);
  });

  it('has a section for each view of the page', async () => {
    const there = fragments(await html('/help/guide'));
    expect(HELP_TOPICS.filter((topic) => !there.includes(topic))).toEqual([]);
  });

  it('shows what was asked as text, however long, and says where nothing is found', async () => {
    const found = await html('/help?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(found).not.toContain('<script');
    expect(found).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(await html('/help?q=qqqqzzzz')).toContain('No section has a word like');
    await html(`/help?q=${encodeURIComponent('samples registered '.repeat(400))}`);
  });

  it('knows no other files', async () => {
    for (const path of ['/help/nothing', '/help/..%2Fpackage', '/help/decisions/nothing', '/help/README']) {
      const answer = await service.get(path, { token: null });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
