/** What a write of a sample takes, stores and answers: nothing that was not sent, and nothing in silence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Service, startService } from '../service.js';

interface Sample {
  accession: string;
  status: string;
  taxId?: number;
  release: string;
  characteristics: Record<string, { text: string; ontologyTerms?: string[] }[]>;
  [member: string]: unknown;
}
interface Problem {
  code: string;
  detail: string;
  errors?: { dataPath: string; errors: string[] }[];
}

let service: Service;
let owner: string;
let stranger: string;
beforeAll(async () => {
  service = await startService({ env: { ACCOUNT_FIELD_ALIAS: 'webinSubmissionAccountId' } });
  owner = await service.token('lab-1');
  stranger = await service.token('stranger');
});
afterAll(() => service.stop());

const BODY = { name: 's', release: '2020-01-01', characteristics: { sex: [{ text: 'F' }] } };
const post = (body: object, token = owner, path = '/samples') => service.send('POST', path, body, { token });
const put = (accession: string, body: object, token = owner) =>
  service.send('PUT', `/samples/${accession}`, body, { token });
const get = async (accession: string, query = ''): Promise<Sample> =>
  (await service.get(`/samples/${accession}${query}`, { token: owner })).json<Sample>();
async function registered(body: object = BODY, token = owner): Promise<Sample> {
  const answer = await post(body, token);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<Sample>();
}
const curate = async (accession: string, curation: object, token = stranger): Promise<void> => {
  const answer = await service.send('POST', `/samples/${accession}/curationlinks`, { curation }, { token });
  expect(answer.status, answer.text).toBe(201);
};

describe('taxId', () => {
  const organism = (text: string, term: string) => ({ organism: [{ text, ontologyTerms: [term] }] });

  it('follows the organism through read, change and write', async () => {
    const { accession } = await registered({ ...BODY, characteristics: organism('Homo sapiens', 'NCBITaxon:9606') });
    const read = await get(accession);
    expect(read.taxId).toBe(9606);
    const changed = { ...read, characteristics: organism('Mus musculus', 'NCBITaxon:10090') };
    // The second time as a client does whose first answer was lost.
    for (let time = 0; time < 2; time++) expect((await put(accession, changed)).json<Sample>().taxId).toBe(10090);
    expect((await post(changed, owner, '/validate')).json<Sample>().taxId).toBe(10090);
    expect((await get(accession)).taxId).toBe(10090);
  });

  it('that a curation implied is not taken for the submitter’s', async () => {
    const { accession } = await registered({ ...BODY, characteristics: organism('human', 'NCBITaxon:9606') });
    await curate(accession, {
      attributesPre: [{ type: 'organism', value: 'human', iri: ['NCBITaxon:9606'] }],
      attributesPost: [{ type: 'organism', value: 'mouse', iri: ['NCBITaxon:10090'] }],
    });
    const read = await get(accession);
    expect(read.taxId).toBe(10090);
    await put(accession, { ...read, characteristics: organism('rat', 'NCBITaxon:10116') });
    expect((await get(accession, '?applyCurations=false')).taxId).toBe(10116);
  });

  it('that was said stays when the organism changes', async () => {
    const { accession } = await registered({
      ...BODY,
      taxId: 1,
      characteristics: organism('human', 'NCBITaxon:9606'),
    });
    const read = await get(accession);
    await put(accession, { ...read, characteristics: organism('mouse', 'NCBITaxon:10090') });
    expect((await get(accession)).taxId).toBe(1);
  });
});

describe('the answer to an update', () => {
  it('is the stored sample, so that the next update takes no curation into it', async () => {
    const { accession } = await registered();
    await curate(accession, {
      attributesPre: [{ type: 'sex', value: 'F' }],
      attributesPost: [{ type: 'sex', value: 'stranger’s' }],
    });
    const first = (await put(accession, { ...BODY, accession, name: 'a' })).json<Sample>();
    expect(first.characteristics.sex).toEqual([{ text: 'F' }]);
    const second = (await put(accession, { ...first, name: 'b' })).json<Sample>();
    expect(second.characteristics.sex).toEqual([{ text: 'F' }]);
    expect((await get(accession, '?applyCurations=false')).characteristics.sex).toEqual([{ text: 'F' }]);
    const same = (await put(accession, { ...second })).json<Sample>();
    expect(same.characteristics.sex).toEqual([{ text: 'F' }]);
  });

  it('of what readers see changes nothing: the curations stay curations', async () => {
    const { accession } = await registered();
    await curate(accession, {
      attributesPre: [{ type: 'sex', value: 'F' }],
      attributesPost: [{ type: 'sex', value: 'female' }],
    });
    expect((await put(accession, await get(accession))).status).toBe(200);
    const history = await service.get(`/samples/${accession}/history`, { token: owner });
    expect(history.json<{ _embedded: { versions: unknown[] } }>()._embedded.versions).toHaveLength(1);
    expect((await get(accession, '?applyCurations=false')).characteristics.sex).toEqual([{ text: 'F' }]);
  });
});

describe('status', () => {
  const statusProblem = (answer: { status: number; json: <T>() => T }): string => {
    expect(answer.status).toBe(422);
    const { errors = [] } = answer.json<Problem>();
    expect(errors.map(({ dataPath }) => dataPath)).toEqual(['/status']);
    return errors[0]?.errors[0] ?? '';
  };

  it.each(['SUPPRESSED', 'KILLED', 'CANCELLED'])(
    '%s of an administrator is obeyed on POST as on PUT',
    async (status) => {
      const made = await post({ ...BODY, status }, ADMIN_TOKEN);
      expect([made.status, made.json<Sample>().status]).toEqual([201, status]);
      const { accession } = made.json<Sample>();
      expect((await service.get(`/samples/${accession}`, { token: null })).status).toBe(403);
      const other = await registered(BODY, ADMIN_TOKEN);
      expect((await put(other.accession, { ...other, status }, ADMIN_TOKEN)).json<Sample>().status).toBe(status);
      const placeholder = await post({ name: 'p', status }, ADMIN_TOKEN, '/samples/accession');
      expect(placeholder.json<Sample>().status).toBe(status);
      expect((await post({ ...BODY, status }, ADMIN_TOKEN, '/validate')).json<Sample>().status).toBe(status);
    },
  );

  it('of an owner that contradicts the release is refused with what to do instead', async () => {
    const { accession } = await registered();
    const future = '2999-01-01';
    for (const send of [
      (body: object) => post(body),
      (body: object) => put(accession, { ...body, accession }),
      (body: object) => post(body, owner, '/validate'),
      (body: object) => post(body, ADMIN_TOKEN),
    ]) {
      expect(statusProblem(await send({ ...BODY, status: 'PRIVATE' }))).toContain('release in the future');
      expect(statusProblem(await send({ ...BODY, release: '2998-01-01', status: 'DRAFT' }))).toContain('leave it out');
    }
    expect(statusProblem(await post({ ...BODY, release: future, status: 'PUBLIC' }))).toContain('release that is past');
    expect(statusProblem(await post({ ...BODY, status: 'KILLED' }))).toContain('ask an administrator');
    expect(statusProblem(await post({ name: 'p', status: 'PUBLIC' }, owner, '/samples/accession'))).toContain('PUBLIC');
    expect((await get(accession)).name).toBe('s');
  });

  it('that a read gave may come back with another release', async () => {
    const { accession, ...sample } = await registered({ ...BODY, release: '2999-01-01' });
    expect(sample.status).toBe('PRIVATE');
    const published = await put(accession, { ...sample, accession, release: '2020-01-01' });
    expect([published.status, published.json<Sample>().status]).toEqual([200, 'PUBLIC']);
    const hidden = await put(accession, { ...published.json<Sample>(), release: '2999-01-01' });
    expect([hidden.status, hidden.json<Sample>().status]).toEqual([200, 'PRIVATE']);
  });

  it('of an administrator is not lifted by its owner, and the owner may send it back', async () => {
    const { accession, ...sample } = await registered();
    await put(accession, { ...sample, accession, status: 'SUPPRESSED' }, ADMIN_TOKEN);
    expect(statusProblem(await put(accession, { ...sample, accession, status: 'PUBLIC' }))).toContain('SUPPRESSED');
    const kept = await put(accession, { ...(await get(accession)), name: 'renamed' });
    expect([kept.status, kept.json<Sample>().status]).toEqual([200, 'SUPPRESSED']);
  });
});

describe('what a read gave', () => {
  const withoutNulls = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(withoutNulls)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
          )
        : value;

  it('can be sent back with its structured data, also without nulls, and changed beside it', async () => {
    const { accession } = await registered();
    const table = { type: 'AMR', content: [{ a: { value: '1', iri: null }, b: { value: '', iri: 'http://e.org/b' } }] };
    expect(
      (await service.send('PUT', `/structureddata/${accession}`, { data: [table] }, { token: owner })).status,
    ).toBe(200);
    const read = await get(accession);
    expect(read.data).toHaveLength(1);
    for (const body of [read, withoutNulls(read) as Sample]) {
      expect((await post(body, owner, '/validate')).status).toBe(200);
      const answer = await put(accession, body);
      expect([answer.status, answer.headers.get('etag')]).toEqual([
        200,
        (await service.get(`/samples/${accession}`)).headers.get('etag'),
      ]);
      expect((await put(accession, { ...body, name: `changed ${Object.keys(body).length}` })).status).toBe(200);
    }
    const other = { ...read, data: [{ type: 'other', content: [] }] };
    for (const answer of [
      await put(accession, other),
      await post(other, owner, '/validate'),
      await post({ ...BODY, data: read.data }),
    ]) {
      expect([answer.status, answer.json<Problem>().detail]).toEqual([400, expect.stringContaining('/structureddata')]);
    }
  });
});
