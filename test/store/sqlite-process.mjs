/** One process of several on a store file: `node sqlite-process.mjs FILE WHAT JSON`; prints what it got as JSON. */
import { openStore } from '../../dist/src/store/open.js';

const [, , file, what, json] = process.argv;
const store = await openStore(`sqlite:${file}`, { prefix: 'SAMR' });
const work = {
  open: async () => true,
  accept: (drafts) =>
    Promise.all(
      drafts.map(async (draft) => {
        const { kind, submission } = await store.accept(draft, { sameBytes: true });
        return [kind, submission.id];
      }),
    ),
  claim: async ({ worker, times }) => {
    const ids = [];
    for (let n = 0; n < times; n++) {
      const claim = await store.claimNext({
        lane: 'large',
        worker,
        leaseMs: 60_000,
        maxAttempts: 3,
        outsideMs: 3_600_000,
      });
      if (claim) ids.push(claim.submission.id);
    }
    return ids;
  },
  create: async ({ account, times }) => {
    const ids = [];
    const content = { characteristics: {}, relationships: [], externalReferences: [] };
    for (let n = 0; n < times; n++) {
      const draft = {
        name: `${n}`,
        release: 0,
        content: { ...content, contact: [], organization: [], publications: [] },
      };
      const sample = { draft, account, author: account, via: 'JSON_API', placeholder: false };
      ids.push((await store.createSample(sample)).id);
    }
    return ids;
  },
};
console.log(JSON.stringify(await work[what](JSON.parse(json))));
await store.close();
