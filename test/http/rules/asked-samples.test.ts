/** Which samples, in which form, an address means: lists, whole results, single ones, lineages and results of uploads. */
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { EXPORT_FORMATS, isSheet } from '../../../src/formats/names.js';
import { queryOf } from '../../../src/http/query.js';
import { readAccession, readView } from '../../../src/http/read-sample.js';
import { errorsFormat, resultFormat } from '../../../src/http/routes/result-formats.js';
import { readExport } from '../../../src/http/routes/sample-export.js';
import { readSearch } from '../../../src/http/routes/sample-list.js';

const query = (written: string) => queryOf({ url: `/?${written}` } as IncomingMessage);
const invalid = (message: string) => expect.objectContaining({ code: 'request.invalid', message });

describe('a search', () => {
  it('is a text and filters, those that are empty aside', () => {
    expect(readSearch(query(''))).toEqual({ filters: [] });
    expect(readSearch(query('text=%20%20&filter='))).toStrictEqual({ filters: [] });
    expect(readSearch(query('text=%20liver%20&filter=a&filter=&filter=b'))).toEqual({
      text: 'liver',
      filters: ['a', 'b'],
    });
  });
});

describe('a whole result', () => {
  it('is a sheet without curations, or anything else with them, unless it is said', () => {
    expect(readExport(query('text=a&filter=b'))).toEqual({ text: 'a', filters: ['b'], format: 'tsv', curated: false });
    for (const format of EXPORT_FORMATS) {
      expect(readExport(query(`format=${format}`))).toEqual({ filters: [], format, curated: !isSheet(format) });
      expect(readExport(query(`format=${format}&applyCurations=false`))).toMatchObject({ curated: false });
      const curated = () => readExport(query(`format=${format}&applyCurations=true`));
      if (isSheet(format)) expect(curated).toThrow(/^applyCurations=true is for ndjson and the formats of others: /);
      else expect(curated()).toMatchObject({ curated: true });
    }
  });

  it('has no pages, and no other format', () => {
    for (const name of ['page', 'cursor', 'size'])
      expect(() => readExport(query(`${name}=`))).toThrow(
        invalid(`${name}= has no meaning here: an export is the whole result. Leave it out.`),
      );
    for (const format of ['', 'TSV', 'x'.repeat(60)])
      expect(() => readExport(query(`format=${format}`))).toThrow(
        invalid(`format=${format.slice(0, 40)} must be one of ${EXPORT_FORMATS.join(', ')}.`),
      );
    expect(() => readExport(query('applyCurations=1'))).toThrow(invalid('applyCurations=1 must be true or false.'));
  });
});

describe('the accession that a request reads', () => {
  const read = (url: string | undefined, method = 'GET', base = '') =>
    readAccession({ url, method } as IncomingMessage, base, 'SAMR');

  it.each([
    '/samples/SAMR1',
    '/samples/SAMR1?version=1',
    '/samples/SAMR1?x=/samples/SAMR2',
    '/Samples/SAMR1',
    '/samples/SAMR1/',
    '/samples/SAMR1//',
    '/samples/SAMR1.json',
    '/samples/SAMR1.json/',
    '/samples/%53AMR1',
    '/samples/SAMR1%2Ejson',
  ])('is SAMR1: %s', (url) => {
    expect([read(url), read(url, 'HEAD')]).toEqual(['SAMR1', 'SAMR1']);
    expect([read(`/Registry${url}`, 'GET', '/registry'), read(`/registry${url}`, 'GET', '/registry')]).toEqual([
      'SAMR1',
      'SAMR1',
    ]);
    expect(read(url, 'PUT')).toBeUndefined();
  });

  it.each([
    undefined,
    '/samples',
    '/samples/',
    '/samples/SAMR1/history',
    '/samples/SAMR01',
    '/samples/SAMEA1',
    '/samples/SAMR1.json.json',
    '/samples/SAMR1.jsonx',
    '/samples/SAMR1.json5',
    '/samples/%',
    '/samples/SAMR1%',
    '/sample/SAMR1',
    '/x/samples/SAMR1',
    '/samplesxSAMR1',
  ])('is none of ours: %s', (url) => {
    expect(read(url)).toBeUndefined();
    expect(read(url === undefined ? url : `/other${url}`, 'GET', '/registry')).toBeUndefined();
  });
});

describe('how a sample is shown', () => {
  it('is as it is now, with its curations, unless something else is asked for', () => {
    expect(readView(query(''))).toStrictEqual({ applyCurations: true, declined: false });
    expect(readView(query('applyCurations=false&declined=true&version=7'))).toEqual({
      applyCurations: false,
      declined: true,
      version: 7,
    });
  });

  it('is without curations for clients that name no domain of them', () => {
    expect(readView(query('curationdomain=')).applyCurations).toBe(false);
    expect(readView(query('curationdomain=&applyCurations=true')).applyCurations).toBe(true);
    expect(readView(query('curationdomain=a')).applyCurations).toBe(true);
  });

  it('is refused for a version that is no number of the history', () => {
    expect(() => readView(query('version='))).toThrow(
      invalid('version= is empty; give a number of the history, or leave it out.'),
    );
    for (const version of ['0', '1000000001', 'x'])
      expect(() => readView(query(`version=${version}`))).toThrow(
        invalid(`version=${version} must be a whole number from 1 to 1000000000.`),
      );
    expect(readView(query('version=1000000000')).version).toBe(1e9);
    expect(() => readView(query('declined=1'))).toThrow(invalid('declined=1 must be true or false.'));
  });
});

describe('the format of results of an upload', () => {
  const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const asked = (written: string, accept?: string) => ({ url: `/?${written}`, headers: { accept } }) as Request;

  it('is the one that is named', () => {
    for (const format of ['tsv', 'xlsx']) expect(resultFormat(asked(`format=${format}`, XLSX))).toBe(format);
    for (const format of ['tsv', 'xlsx', 'json']) expect(errorsFormat(asked(`format=${format}`, XLSX))).toBe(format);
    for (const format of ['json', '', 'y'.repeat(50)])
      expect(() => resultFormat(asked(`format=${format}`))).toThrow(
        invalid(`format=${format.slice(0, 40)} must be tsv or xlsx.`),
      );
    for (const format of ['', 'y'.repeat(50)])
      expect(() => errorsFormat(asked(`format=${format}`))).toThrow(
        invalid(`format=${format.slice(0, 40)} must be tsv, json or xlsx.`),
      );
  });

  it('is else the one that the client likes best, and text for who takes anything', () => {
    const formats = (accept?: string) => [resultFormat(asked('', accept)), errorsFormat(asked('', accept))];
    for (const accept of [undefined, '*/*', 'text/*', 'text/tab-separated-values', `${XLSX};q=0.5, */*`])
      expect(formats(accept)).toEqual(['tsv', 'tsv']);
    expect(formats(XLSX)).toEqual(['xlsx', 'xlsx']);
    expect(formats('application/json')).toEqual(['tsv', 'json']);
    expect(formats(`application/json;q=0.5, ${XLSX};q=0.9`)).toEqual(['xlsx', 'xlsx']);
    expect(formats('application/x-ndjson')).toEqual(['tsv', 'tsv']);
    expect(formats(`text/tab-separated-values, ${XLSX};q=0.5`)).toEqual(['tsv', 'tsv']);
    expect(resultFormat(asked('', 'image/png'))).toBe('tsv');
    // A result has no JSON form, but the submission that it is of may be lines of it.
    expect(resultFormat(asked('', `application/json, ${XLSX};q=0.5`))).toBe('tsv');
    expect(() => errorsFormat(asked('', 'image/png'))).toThrow(expect.objectContaining({ code: 'not-acceptable' }));
  });
});
