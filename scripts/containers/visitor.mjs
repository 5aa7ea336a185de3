/** A client of the service in the containers, by way of its proxy. */
import { setTimeout as sleep } from 'node:timers/promises';

const HEADER = 'Sample Name\tRelease Date\tCharacteristics[organism]\tCharacteristics[tissue]\n';

export const sheetOf = (name, rows) =>
  HEADER + Array.from({ length: rows }, (_, row) => `${name}-${row}\t2024-05-01\tMus musculus\tliver\n`).join('');

export class Visitor {
  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  async call(path, options = {}) {
    const answer = await fetch(`${this.url}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${this.token}`, ...options.headers },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${options.method ?? 'GET'} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return { answer, text, body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined };
  }

  ready() {
    return this.call('/health/ready').then(
      () => true,
      () => false,
    );
  }

  /** The result of a small sheet. */
  upload(name, rows, accept = 'text/tab-separated-values') {
    const form = new FormData();
    form.append('file', new Blob([sheetOf(name, rows)]), `${name}.tsv`);
    return this.call('/submissions', { method: 'POST', body: form, headers: { accept } });
  }

  /** The id of the submission of a large sheet. */
  async submit(name, rows) {
    return (await this.upload(name, rows, 'application/json')).body.submissionId;
  }

  /** Of a large sheet: its status when it has ended. Who asks while a container is away asks again. */
  async ended(id, seconds = 120) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(300)) {
      const found = await this.call(`/submissions/${id}`).catch(() => undefined);
      if (found && !['ACTIVE'].includes(found.body.submissionStatus)) return found.body;
    }
    throw new Error(`Submission ${id} did not end within ${seconds} s.`);
  }

  /** Name → accession of a submission. */
  async mapping(id) {
    const { body } = await this.call(`/submissions/${id}/mapping`);
    return new Map(
      body.sampleNameAccessionPairs.map(({ sampleName, sampleAccession }) => [sampleName, sampleAccession]),
    );
  }
}
