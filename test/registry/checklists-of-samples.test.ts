/** Which checklist holds for a sample that comes as JSON, and when it is asked. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChecklists } from '../../src/checklists/open.js';
import { Registry, type RegistryOptions } from '../../src/registry/registry.js';
import type { SampleStore } from '../../src/registry/samples/sample-store.js';
import type { Store } from '../../src/store/store.js';
import { sqliteStores } from '../contract/empty-stores.js';
import { ADA, BODY } from './open-registry.js';

/** Asks for one of two depths and for a release in 2021. */
const marine = {
  type: 'object',
  required: ['characteristics', 'release'],
  properties: {
    release: { type: 'string', pattern: '^2021' },
    characteristics: {
      type: 'object',
      required: ['depth'],
      properties: {
        depth: {
          type: 'array',
          items: { properties: { text: { type: 'string', pattern: '^[0-9]+$', enum: ['12', '50'] } } },
        },
      },
    },
  },
};

const stores = sqliteStores();
let folder: string;
let options: RegistryOptions;
let store: Store;
let free: Registry;
let strict: Registry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sample-checklists-'));
  writeFileSync(join(folder, 'marine.json'), JSON.stringify(marine));
  options = { prefix: 'SAMR', now: () => Date.UTC(2030, 0, 1), checklists: openChecklists(folder) };
  store = await stores.open(options);
  free = new Registry(store, options);
  strict = new Registry(store, { ...options, defaultChecklist: 'minimal' });
});
afterAll(async () => {
  await store.close();
  await stores.remove();
  rmSync(folder, { recursive: true });
});

const plain = { ...BODY, characteristics: {} };
const atSea = (depth: string, changes: object = {}) => ({
  ...BODY,
  characteristics: { Checklist: [{ text: 'marine' }], depth: [{ text: depth }] },
  ...changes,
});
/** The places at which it is refused, each with the number of its problems. */
const places = async (written: Promise<unknown>): Promise<Record<string, number>> => {
  const errors = await written.then(
    () => [],
    ({ code, detail }: { code: string; detail: { errors: { dataPath: string; errors: string[] }[] } }) => {
      expect(code).toBe('sample.invalid');
      return detail.errors;
    },
  );
  return Object.fromEntries(errors.map(({ dataPath, errors: messages }) => [dataPath, messages.length]));
};

it('the checklist of the site holds for samples that name none', async () => {
  expect(await places(strict.register(plain, ADA))).toEqual({ '/characteristics/organism': 1 });
  expect(await places(strict.register(BODY, ADA))).toEqual({});
  expect(await places(free.register(plain, ADA))).toEqual({});
  expect(await places(strict.validate(plain, ADA))).toEqual({ '/characteristics/organism': 1 });
});

it('a placeholder is not asked for what the checklist of the site wants, but for what its own one does', async () => {
  expect(await places(strict.accession({ name: 'p' }, ADA))).toEqual({});
  const { release: _, ...body } = atSea('deep');
  expect(await places(strict.accession(body, ADA))).toHaveProperty('/characteristics/depth/0/text');
});

it('a checklist that the sample names wins, with every problem at its place', async () => {
  expect(await places(strict.register(atSea('12'), ADA))).toEqual({});
  expect(await places(strict.register(atSea('very deep'), ADA))).toEqual({ '/characteristics/depth/0/text': 2 });
  expect(await places(strict.register(atSea('12', { release: '2022-01-01' }), ADA))).toEqual({ '/release': 1 });
  // What the form of the body says of a place is not said again.
  expect(await places(strict.register(atSea('12', { release: 'soon' }), ADA))).toEqual({ '/release': 1 });
  await expect(
    strict.register({ ...BODY, characteristics: { checklist: [{ text: 'none' }] } }, ADA),
  ).rejects.toMatchObject({ code: 'checklist.unknown' });
});

it('what was probably meant is said with each problem, and with the first hundred of very many', async () => {
  const grown = (texts: string[]) => ({
    ...BODY,
    characteristics: { checklist: [{ text: 'plant' }], 'growth habit': texts.map((text) => ({ text })) },
  });
  const refused = async (texts: string[]) => {
    const { message, detail } = (await free.validate(grown(texts), ADA).catch((error: unknown) => error)) as {
      message: string;
      detail: { errors: { dataPath: string; errors: string[] }[] };
    };
    const habits = detail.errors.filter(({ dataPath }) => dataPath.startsWith('/characteristics/growth habit/'));
    return { message, habits: habits.map(({ errors }) => errors.join(' ')) };
  };
  expect((await refused(['ERECT', 'no habit at all'])).habits).toEqual([
    expect.stringMatching(/^"ERECT" is not an allowed value .*\. Did you mean erect\?$/),
    expect.not.stringContaining('Did you mean'),
  ]);
  const { message, habits } = await refused(Array.from({ length: 300 }, () => 'ERECT'));
  expect(habits).toHaveLength(300);
  expect(habits.filter((words) => words.endsWith('Did you mean erect?')).length).toBeGreaterThan(90);
  expect(habits.filter((words) => words.includes('Did you mean')).length).toBeLessThanOrEqual(100);
  expect(message).not.toMatch(/\?\./);
});

it('an update is checked, and one that changes nothing is not: what is there was checked when it came', async () => {
  const { accession, document } = await free.register(plain, ADA);
  const update = (changes: object) => strict.update(accession, { ...document, ...changes }, ADA);
  expect(await places(update({ name: 'm' }))).toEqual({ '/characteristics/organism': 1 });
  expect((await update({})).changed).toBe(false);
  expect((await strict.validate(document, ADA)).name).toBe('n');
  expect((await update({ name: 'm', characteristics: BODY.characteristics })).changed).toBe(true);
});

it('one that changed nothing when it came, and does now because another was faster, is checked', async () => {
  /** Between reading the sample and writing it, another update is carried out. */
  const overtaken = (faster: () => Promise<unknown>) => {
    const readSample: SampleStore['readSample'] = async (id) => {
      const record = await store.readSample(id);
      await faster();
      return record;
    };
    return new Registry({ ...store, readSample }, { ...options, defaultChecklist: 'minimal' });
  };
  const { accession, document } = await free.register(plain, ADA);
  const faster = () => free.update(accession, { ...document, name: 'faster', ...good }, ADA);
  let good: object = {};
  expect(await places(overtaken(faster).update(accession, document, ADA))).toEqual({ '/characteristics/organism': 1 });
  expect((await free.read(accession, ADA)).document.name).toBe('faster');
  good = { characteristics: BODY.characteristics };
  const read = await faster();
  const whole = { ...read.document, name: 'slower' };
  await free.update(accession, whole, ADA);
  const written = await overtaken(faster).update(accession, whole, ADA);
  expect([written.changed, written.document.name]).toEqual([true, 'slower']);
  expect((await free.read(accession, ADA)).document.name).toBe('slower');
});
