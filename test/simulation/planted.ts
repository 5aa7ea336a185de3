// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of code as text.
/**
 * Bugs that the simulation must find, planted in a copy of the project as test/contract/breakages.ts does: `find` occurs
 * exactly once in the file. Each is one that its author would not see in a test without interruptions.
 */
import type { Edit } from '../contract/breakages.js';

export interface PlantedBug {
  what: string;
  edits: Edit[];
}

const bug = (what: string, ...edits: [file: string, find: string, replace: string][]): PlantedBug => ({
  what,
  edits: edits.map(([file, find, replace]) => ({ file: `src/${file}.ts`, find, replace })),
});

export const PLANTED: PlantedBug[] = [
  bug('an upload that another has overtaken goes on', [
    'store/replay',
    'sameTable(other, one) && isAhead(other, one)',
    'false',
  ]),
  bug('one earlier upload alone says which samples rows mean', [
    'store/replay',
    "if (chosen.state === 'COMPLETED') return",
    'return',
  ]),
  bug('what came behind a plan comes before its commit', [
    'store/claim-rules',
    '(coalesce(${one}.turn_of, ${one}.id), ${one}.id) <',
    '(${one}.id, ${one}.id) <',
  ]),
  bug('uploads of one key space are worked on at once', [
    'store/sqlite/submissions/claims',
    's.key_space is null or not',
    '1 or not',
  ]),
  bug('a missing sample is withdrawn though it was changed since the plan', [
    'submissions/standing/missing-rows',
    '(versions.idAt(row.line) ?? 0)',
    '0',
  ]),
  bug('a sample whose row is refused is missing', [
    'submissions/standing/missing-rows',
    'for (const id of await samplesOfRefused(store, plan, chunk)) read.present.add(id);',
    '',
  ]),
  bug('an upload ends though something waits for its samples', [
    'store/sqlite/samples/apply-batch',
    'last && !anythingWaits(database, row, submission)',
    'last && submission !== undefined',
  ]),
  bug('the fence is dropped', [
    'store/claim-rules',
    "if (row?.state === 'ACTIVE' && row.attempts === attempt && row.worker === worker) return row;",
    "if (row?.state === 'ACTIVE') return row;",
  ]),
  bug(
    'the lease is not renewed',
    [
      'submissions/processing/process-submission',
      'const timer = setInterval(beat, deps.leaseMs / 3);',
      'const timer = setInterval(beat, deps.leaseMs * 300);',
    ],
    [
      'store/sqlite/samples/apply-batch',
      'batch.toLine, now + leaseMs, now, row.id',
      'batch.toLine, row.lease_until, now, row.id',
    ],
  ),
  bug(
    'the cursor is committed before its batch',
    [
      'store/sqlite/submissions/submission-store',
      `      database.write(
        () => {
          const at = now();
          const context`,
      `      database.write(() => {
        database.sql('update submission set cursor = ? where uuid = ? and attempts = ?').run(batch.toLine, claim.submission.id, claim.attempt);
      }).then(() => database.write(
        () => {
          const at = now();
          const context`,
    ],
    [
      'store/sqlite/submissions/submission-store',
      "claim.submission.lane === 'large' ? 'bulk' : 'urgent',\n      ),",
      "claim.submission.lane === 'large' ? 'bulk' : 'urgent',\n      )),",
    ],
    ['store/batch-rules', 'if (toLine <= row.cursor)', 'if (toLine < row.cursor)'],
    ['store/batch-rules', 'if (fromLine > row.cursor)', 'if (fromLine > 0)'],
  ),
  bug('a commit registers what was registered since its dry run', [
    'store/replay',
    'if (since === undefined || shown',
    'if (since !== shown || shown',
  ]),
  bug('an undo overwrites what came after', [
    'submissions/processing/undo',
    'looked.map((version) => (version?.submissionId === undone ? version : undefined))',
    'samples',
  ]),
  bug('an undo has no fence of its own', [
    'submissions/processing/undo',
    'expected: Float64Array.from(steps, ({ expected }) => expected),\n',
    '',
  ]),
  bug('the index is ahead of its journal', [
    'store/sqlite/search/search-index',
    '.run(after.seq, after.turn',
    '.run(after.seq + 1, after.turn',
  ]),
  bug('who claims is decided before the claim', [
    'store/sqlite/submissions/claims',
    'database.write(() => takeWaiting(database, names, request, now()),',
    'database.write(() => take(database, names, request, next, now()),',
  ]),
  bug('a lease of a clock that was set back is believed', [
    'store/lease',
    'not between 2 * ${table}updated - ${table}lease_until and',
    'not between -1 and',
  ]),
  bug('a blob is renamed before it is synced', ['blobs/filesystem', '    await file.datasync();\n', '']),
  bug('the folder of a blob is not synced', ['blobs/filesystem', ', syncFolder(dirname(path))]', ']']),
  bug('a new folder of blobs is not synced', [
    'blobs/filesystem',
    '    if (!durable.has(dirname(path))) await syncFolder(folder);\n',
    '',
  ]),
  bug('numbers are given twice', [
    'store/sqlite/samples/sample-rows',
    'next = next + ? where',
    'next = next + ? - 1 where',
  ]),
  bug('old versions are not kept', [
    'store/sqlite/samples/sample-rows',
    '  archiveVersions(database, [row.id]);\n',
    '',
  ]),
  bug(
    'an update is decided before its transaction',
    [
      'store/sqlite/samples/sample-store',
      `      database.write(() => {
        const current = readRecord(id);
        if (current === undefined) return undefined;
        const decision = decide(current);`,
      `      Promise.resolve(readRecord(id)).then((before) => database.write(() => {
        const current = readRecord(id);
        if (before === undefined || current === undefined) return undefined;
        const decision = decide(before);`,
    ],
    [
      'store/sqlite/samples/sample-store',
      `        return readRecord(id);
      }),

    readSample`,
      `        return readRecord(id);
      })),

    readSample`,
    ],
  ),
  bug('If-Match is compared before the transaction', [
    'registry/samples/sample-writer',
    'this.reader.requireConditions(conditions, accession, current);',
    'this.reader.requireConditions(conditions, accession, before);',
  ]),
  bug('a commit is carried out twice', [
    'store/replay',
    "state !== 'CANCELLED' || commitOf?.automatic === true",
    'false',
  ]),
  bug('an undo is carried out twice', ['store/replay', '  if (isSame(options.undoOf, undoOf)) return true;\n', '']),
  bug('a key is forgotten when bytes answered', [
    'store/sqlite/submissions/accept',
    '    rememberKey(database, account, rule.key, row.id);\n',
    '',
  ]),
  bug('an earlier upload that runs is not waited for', [
    'store/sqlite/submissions/claims',
    "and t.sha256 = s.sha256 and t.state = 'ACTIVE'",
    "and t.sha256 = s.sha256 and t.state = 'NEVER'",
  ]),
  bug("a batch is left out of the index's journal", [
    'store/sqlite/samples/apply-batch',
    '  for (const [, first, count] of changedRuns(submission, chunk)) journalChange(database, row.account, first, count);\n',
    '',
  ]),
  bug('what is not indexed is not found', ['store/search-page', 'fresh).slice(', '[]).slice(']),
  bug('the index answers for what has changed since', [
    'store/search-page',
    'except: entries.map(({ id }) => id)',
    'except: []',
  ]),
  bug(
    'what waits for the index is believed until the row that it waits for is another',
    [
      'store/sqlite/search/search-pending',
      '    this.forgetChanged(rows, lastChange(this.store));\n    return rows;',
      '    return rows;',
    ],
    [
      'store/sqlite/search/search-pending',
      'restOf(row, place));',
      'restOf(row, place));\n    this.forgetChanged(rows, lastChange(this.store));',
    ],
    ['store/sqlite/search/search-pending', 'if (since.length < newest - this.readTo) this.kept.clear();', ''],
  ),
  bug('workers do not look by themselves', [
    'submissions/processing/work',
    '}), settings.lookEveryMs);',
    '}), settings.lookEveryMs * 1e6);',
  ]),
  bug('a file is deleted when the answer to its submission was lost', [
    'submissions/uploads/accept-upload',
    'if (!(await mayBeThere(deps, request.account, blob))) await',
    'await',
  ]),
  bug('a file is deleted although its submission is there', [
    'submissions/uploads/accept-upload',
    'if (submission.blobKey !== id) await',
    'await',
  ]),
  bug('a lost worker is never taken over', [
    'store/sqlite/submissions/claims',
    "and ${leaseOver('s.', '?')}",
    'and (s.lease_until is null or s.lease_until <= ? - 1e12)',
  ]),
  bug('an edit overwrites what was written since', [
    'submissions/batch-edit/edit-reader',
    'this.#expected.push(stored.version);',
    'this.#expected.push(0);',
  ]),
  bug('all or nothing registers beside refused rows', [
    'store/batch-rules',
    'if (isFirst && counts.rejected + chunk.rejected.length > 0) {',
    'if (counts.rows < 0) {',
  ]),
  bug('a commit that is all or nothing withdraws what is missing though it refuses its rows', [
    'submissions/processing/process-submission',
    'if (!plans && refusesAll(',
    'if (!plans && options.undoOf && refusesAll(',
  ]),
  bug('a curation is not in the journal of the index', [
    'store/sqlite/samples/annotations',
    "noteAttached(database, account, id, 'curated', now());",
    '',
  ]),
  bug('a curation that was taken back is not in the journal of the index', [
    'store/sqlite/samples/annotations',
    "noteAttached(database, null, id, 'curated', now());\n        return true;",
    'return true;',
  ]),
  bug('the changes of a batch are not logged', [
    'store/sqlite/samples/apply-batch',
    '  logChanges(database, changes, now);\n',
    '',
  ]),
  bug('who follows changes passes one at the end of a page', [
    'registry/changes/sample-feed',
    'end = cursorOf(run, to);',
    'end = cursorOf(run, run.count);',
  ]),
  bug('a webhook moves on before its message is there', [
    'webhooks/follow',
    '  await deps.store.addChanges(id, { from, to, at, ...delivery });',
    '  await deps.store.addChanges(id, { from, to, at });\n  if (delivery.delivery) await deps.store.addChanges(id, { from: to, to, at, ...delivery });',
  ]),
  bug('a webhook moves from a place where it no longer is', [
    'store/sqlite/accounts/webhook-store',
    'where id = ? and cursor = ? and ${NO_CHANGES_WAIT}`',
    "where id = ? and ? <> '' and ${NO_CHANGES_WAIT}`",
  ]),
  bug('a message of a webhook has changes of the next one', [
    'webhooks/follow',
    'page.changes.filter(({ cursor }) => !isBehind(cursor, to))',
    'page.changes',
  ]),
  bug('a receiver that refuses a message is taken for one that has it', [
    'webhooks/deliver',
    'if (status >= 200 && status < 300) return',
    'if (status >= 200 && status < 500) return',
  ]),
  bug('of three tables that are attached two are stored', [
    'store/sqlite/samples/annotations',
    'for (const table of tables) insert.run(',
    'for (const table of tables.slice(0, 2)) insert.run(',
  ]),
  bug('a dry run commits what was changed since', ['store/naming-rows', 'expected: batch.expected?.[at],', '']),
  bug('a request that registers a sample is looked for and never written down', [
    'registry/samples/sample-writer',
    'if (key !== undefined) return this.requests.create(sample, key, caller);',
    '',
  ]),
];
