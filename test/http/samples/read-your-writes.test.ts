/** A list, filter or search that begins after a write was acknowledged includes it, on both stores (another connection asks). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Registry } from '../../../src/registry/registry.js';
import { SampleSearch } from '../../../src/registry/search/sample-search.js';
import { openStore, type Store } from '../../../src/store/open.js';
import { dropSchemas, freshSchemaUrl } from '../../many-machines/postgres-schema.js';
import { PROOF } from '../../support/proof.js';
import { Random } from '../../support/random.js';
import { newSeed } from '../../support/seeds.js';
import { without } from '../../support/services.js';
import { type Service, startService } from '../service.js';

/** On each store. */
const WRITES = PROOF ? 5_000 : 12;

/** What the service knows of a sample that the test made. */
interface Made {
  accession: string;
  marker: string;
}

function readYourWrites(name: string, env: () => Record<string, string>): void {
  describe(`on ${name}`, () => {
    let service: Service;
    let other: Store;
    let search: SampleSearch;
    let ahead = 0;
    beforeAll(async () => {
      service = await startService({ env: env(), clockAhead: () => ahead });
      const now = () => Date.now() + ahead;
      other = await openStore(service.config.STORE_URL, { prefix: 'SAMR', now });
      search = new SampleSearch(other, new Registry(other, { prefix: 'SAMR', now }), { prefix: 'SAMR', now });
    });
    afterAll(async () => {
      await other.close();
      await service.stop();
    });

    const accessions = async (request: { text?: string; filters?: string[] }): Promise<string[]> => {
      const { samples, notIndexed } = await search.search({ ...request, size: 200 }, undefined);
      expect(notIndexed).toBe(undefined);
      const found: string[] = [];
      for await (const { accession } of samples) found.push(accession);
      return found;
    };

    /** What anybody finds of it: in the list, by filter, by text. */
    const seen = async ({ accession, marker }: Made): Promise<[boolean, boolean, boolean]> => [
      (await accessions({})).includes(accession),
      (await accessions({ filters: [`attr:marker:${marker}`] })).includes(accession),
      (await accessions({ text: marker })).includes(accession),
    ];
    const EVERYWHERE = [true, true, true];
    const NOWHERE = [false, false, false];

    let made = 0;
    const newMarker = (): string => `m${++made}x`;
    const sheet = (markers: readonly string[]): string =>
      [
        'Sample Name\tRelease Date\tCharacteristics[marker]',
        ...markers.map((one) => `n ${one}\t2020-01-01\t${one}`),
      ].join('\n');
    const body = (marker: string, release = '2020-01-01') => ({
      name: `n ${marker}`,
      release,
      characteristics: { marker: [{ text: marker }] },
    });
    const post = async (release?: string): Promise<Made> => {
      const marker = newMarker();
      const answer = await service.send('POST', '/samples', body(marker, release));
      expect(answer.status, answer.text).toBe(201);
      return { accession: answer.json<{ accession: string }>().accession, marker };
    };
    const upload = async (options: Record<string, string> = {}): Promise<{ id: string; markers: string[] }> => {
      const markers = [newMarker(), newMarker(), newMarker()];
      const { id, status } = await service.uploadAndSettle(sheet(markers), { options });
      expect(status.counts.rejected, JSON.stringify(status.issues)).toBe(0);
      return { id, markers };
    };
    const samplesOf = async (id: string, markers: readonly string[]): Promise<Made[]> => {
      const pairs = (await service.mapping(id)).sampleNameAccessionPairs;
      return markers.map((marker) => {
        const accession = pairs.find(({ sampleName }) => sampleName === `n ${marker}`)?.sampleAccession;
        return { accession: accession as string, marker };
      });
    };
    const followUp = async (id: string, what: 'commit' | 'undo'): Promise<string> => {
      const answer = await service.call(`/submissions/${id}/${what}`, { method: 'POST' });
      const next = answer.json<{ submissionId: string }>().submissionId;
      await service.settled(next);
      return next;
    };

    const kinds: Record<string, () => Promise<void>> = {
      'a POST': async () => expect(await seen(await post())).toEqual(EVERYWHERE),
      'a PUT': async () => {
        const { accession, marker } = await post();
        const next = newMarker();
        const answer = await service.send('PUT', `/samples/${accession}`, { accession, ...body(next) });
        expect(answer.status, answer.text).toBe(200);
        expect(await seen({ accession, marker: next })).toEqual(EVERYWHERE);
        expect(await seen({ accession, marker })).toEqual([true, false, false]);
      },
      'small upload': async () => {
        const { id, markers } = await upload();
        for (const one of await samplesOf(id, markers)) expect(await seen(one)).toEqual(EVERYWHERE);
      },
      commit: async () => {
        const { id, markers } = await upload({ dryRun: 'true' });
        const done = await followUp(id, 'commit');
        for (const one of await samplesOf(done, markers)) expect(await seen(one)).toEqual(EVERYWHERE);
      },
      undo: async () => {
        const { id, markers } = await upload();
        const before = await samplesOf(id, markers);
        await followUp(id, 'undo');
        for (const one of before) expect(await seen(one)).toEqual(NOWHERE);
      },
      curation: async () => {
        const { accession } = await post();
        const marker = newMarker();
        const curation = { attributesPre: [], attributesPost: [{ type: 'marker', value: marker }] };
        const answer = await service.send('POST', `/samples/${accession}/curationlinks`, {
          sample: accession,
          curation,
        });
        expect(answer.status, answer.text).toBe(201);
        expect(await seen({ accession, marker })).toEqual(EVERYWHERE);
      },
      'release passing': async () => {
        const sample = await post(new Date(Date.now() + ahead + 3_600_000).toISOString());
        expect(await seen(sample)).toEqual(NOWHERE);
        ahead += 3_700_000;
        expect(await seen(sample)).toEqual(EVERYWHERE);
      },
    };

    it(
      `${WRITES} writes of every kind, each looked for at once`,
      async () => {
        const seed = newSeed();
        const random = new Random(seed);
        const names = Object.keys(kinds);
        for (let n = 0; n < WRITES; n++) {
          const kind = n < names.length ? (names[n] as string) : random.pick(names);
          await kinds[kind]?.().catch((error: Error) => {
            error.message = `write ${n} (${kind}, seed ${seed}): ${error.message}`;
            throw error;
          });
        }
      },
      30 * 60_000,
    );
  });
}

readYourWrites('sqlite', () => ({}));

describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'engines' }, () => {
  afterAll(() => dropSchemas());
  readYourWrites('postgres', () => ({ STORE_URL: freshSchemaUrl() }));
});
