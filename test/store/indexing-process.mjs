// Indexes a SQLite store to its end in a process of its own. Arguments: file.
import { openStore } from '../../dist/src/store/open.js';

const store = await openStore(`sqlite:${process.argv[2]}`, { prefix: 'SAMR' });
for (;;) if (!(await store.indexNext(200)).more) break;
await store.close();
