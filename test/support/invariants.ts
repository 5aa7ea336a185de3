/** Promises 1, 2, 3 and 5 of docs/architecture.md, checked from outside: status, mapping and result over HTTP, samples read back. */
import { expect } from 'vitest';
import type { ApiCaller, StatusDocument } from './api-caller.js';

export interface CheckedSubmission {
  status: StatusDocument;
  /** Accessions in order of the result's rows; blank for refused ones. */
  accessions: string[];
}

/** Checks one ended submission; `readBack` samples are fetched and compared with their row's name. */
export async function checkSubmission(api: ApiCaller, id: string, readBack = 5): Promise<CheckedSubmission> {
  const status = await api.status(id);
  const { rows, created, updated, unchanged, rejected } = status.counts;
  expect(created + updated + unchanged + rejected, `${id}: every row is in exactly one count`).toBe(rows);
  const { names, accessions } = resultRows(await api.result(id));
  expect(accessions.length, `${id}: rows of the result`).toBe(rows);
  const filled = accessions.filter((accession) => accession !== '');
  expect(filled.length, `${id}: accessions in the result`).toBe(rows - rejected);
  expect(new Set(filled).size, `${id}: no accession twice`).toBe(filled.length);
  const pairs = (await api.mapping(id)).sampleNameAccessionPairs;
  expect(pairs.map(({ sampleAccession }) => sampleAccession)).toEqual(filled);
  for (let look = 0; look < Math.min(readBack, pairs.length); look++) {
    const { sampleName, sampleAccession } = pairs[
      Math.floor((look * pairs.length) / readBack)
    ] as (typeof pairs)[number];
    const sample = await api.get(`/samples/${sampleAccession}`);
    expect(sample.status).toBe(200);
    expect(sample.json().name).toBe(sampleName);
  }
  expect(names.length).toBe(rows);
  return { status, accessions };
}

/** Sample names and identifiers of the data rows of a result whose cells hold no quotes. */
export function resultRows(result: string): { names: string[]; accessions: string[] } {
  const lines = (result.split('********RECEIPT START********')[0] as string)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const header = (lines.shift() as string).split('\t');
  const nameAt = header.findIndex((text) => /^sample[ _]name$/i.test(text));
  const accessionAt = header.findIndex((text) => /^sample[ _]identifier$/i.test(text));
  const rows = lines.filter((line) => line.trim() !== '').map((line) => line.split('\t'));
  return { names: rows.map((cells) => cells[nameAt] ?? ''), accessions: rows.map((cells) => cells[accessionAt] ?? '') };
}
