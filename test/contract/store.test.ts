/** Every contract of a store, on every store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { dropSchemas, freshSchemaUrl } from '../many-machines/postgres-schema.js';
import { without } from '../support/services.js';
import { accountStoreContract } from './account-store.js';
import { applyBatchContract } from './apply-batch.js';
import { changeStoreContract } from './change-store.js';
import { facetsContract } from './facets.js';
import { keptExportStoreContract } from './kept-export-store.js';
import { lineageContract } from './lineage.js';
import { mirrorStoreContract } from './mirror-store.js';
import { profileStoreContract } from './profile-store.js';
import { rowKeysContract } from './row-keys.js';
import { sampleStoreContract } from './sample-store.js';
import { searchStoreContract } from './search-store.js';
import { type OpenStore, submissionStoreContract } from './submission-store.js';
import { upkeepStoreContract } from './upkeep-store.js';
import { webhookStoreContract } from './webhook-store.js';
import { wholeResultContract } from './whole-result.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONTRACTS = [
  accountStoreContract,
  sampleStoreContract,
  submissionStoreContract,
  applyBatchContract,
  searchStoreContract,
  upkeepStoreContract,
  webhookStoreContract,
  profileStoreContract,
  keptExportStoreContract,
  changeStoreContract,
  wholeResultContract,
  lineageContract,
  mirrorStoreContract,
  facetsContract,
  rowKeysContract,
];

let opened = 0;
const sqlite: OpenStore = (options) => openStore(`sqlite:${join(folder, `${++opened}.db`)}`, options);
for (const contract of CONTRACTS) contract('sqlite', sqlite);

describe.skipIf(without('postgres'))('with PostgreSQL', () => {
  afterAll(() => dropSchemas());
  for (const contract of CONTRACTS) contract('postgres', (options) => openStore(freshSchemaUrl(), options));
});
