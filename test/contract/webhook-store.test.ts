import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { without } from '../support/services.js';
import { webhookStoreContract } from './webhook-store.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let opened = 0;
webhookStoreContract('sqlite', () => openStore(`sqlite:${join(folder, `${++opened}.db`)}`, { prefix: 'SAMR' }));

describe.skipIf(without('postgres'))('with PostgreSQL', () => {
  afterAll(() => dropSchemas());
  webhookStoreContract('postgres', () => openStore(freshSchemaUrl(), { prefix: 'SAMR' }));
});
