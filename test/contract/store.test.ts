/** Every contract of a store, on every store. */
import { afterAll, describe } from 'vitest';
import { without } from '../support/services.js';
import { accountStoreContract } from './account-store.js';
import { applyBatchContract } from './apply-batch.js';
import { changeStoreContract } from './change-store.js';
import { postgresStores, sqliteStores } from './empty-stores.js';
import { endingEarlyContract } from './ending-early.js';
import { erasingStoreContract } from './erasing-store.js';
import { facetsContract } from './facets.js';
import { generatedSearchesContract } from './generated-searches.js';
import { keptExportStoreContract } from './kept-export-store.js';
import { lineageContract } from './lineage.js';
import { mirrorStoreContract } from './mirror-store.js';
import { nextBatchesContract } from './next-batches.js';
import { openRelationshipsContract } from './open-relationships.js';
import { profileStoreContract } from './profile-store.js';
import { rowKeysContract } from './row-keys.js';
import { sampleBlocksContract } from './sample-blocks.js';
import { sampleStoreContract } from './sample-store.js';
import { searchStoreContract } from './search-store.js';
import { submissionStoreContract } from './submission-store.js';
import { unappliedBatchesContract } from './unapplied-batches.js';
import { upkeepStoreContract } from './upkeep-store.js';
import { webhookStoreContract } from './webhook-store.js';
import { wholeResultContract } from './whole-result.js';

const CONTRACTS = [
  accountStoreContract,
  sampleStoreContract,
  submissionStoreContract,
  applyBatchContract,
  nextBatchesContract,
  unappliedBatchesContract,
  endingEarlyContract,
  searchStoreContract,
  upkeepStoreContract,
  erasingStoreContract,
  webhookStoreContract,
  profileStoreContract,
  keptExportStoreContract,
  changeStoreContract,
  wholeResultContract,
  lineageContract,
  mirrorStoreContract,
  facetsContract,
  generatedSearchesContract,
  rowKeysContract,
  openRelationshipsContract,
  sampleBlocksContract,
];

describe('with SQLite', () => {
  const stores = sqliteStores();
  afterAll(() => stores.remove());
  for (const contract of CONTRACTS) contract('sqlite', stores.open);
});

describe.skipIf(without('postgres'))('with PostgreSQL', { tags: 'engines' }, () => {
  const stores = postgresStores();
  afterAll(() => stores.remove());
  for (const contract of CONTRACTS) contract('postgres', stores.open);
});
