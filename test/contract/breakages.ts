// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of code as text. Over 300 lines: one list.
/**
 * How the adapters are broken on purpose, one way at a time, to see that the contracts notice (bites.test.ts). `find` must
 * occur exactly once in the file.
 */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

export interface Breakage {
  adapter: 'sqlite' | 'postgres' | 'embedded' | 'bullmq' | 'files' | 's3';
  what: string;
  edits: Edit[];
}

const STORES = ['test/contract/store.test.ts', 'test/store/checksums.test.ts', 'test/store/erased-traces.test.ts'];

const SUITES = {
  sqlite: { tests: STORES, name: 'on sqlite' },
  postgres: { tests: STORES, name: 'on postgres' },
  embedded: { tests: ['test/contract/queue.test.ts'], name: 'on embedded' },
  bullmq: {
    tests: ['test/contract/queue.test.ts', 'test/many-machines/redis-faults.test.ts'],
    name: '(on bullmq|Redis is hurt)',
  },
  files: { tests: ['test/contract/blobs.test.ts'], name: '(on files|blobs as files)' },
  s3: { tests: ['test/contract/blobs.test.ts'], name: '(on s3|S3 storage that misbehaves)' },
} as const;

/** Test files that watch over an adapter, and a pattern of the names of their suites. */
export const suiteOf = (adapter: Breakage['adapter']): (typeof SUITES)[typeof adapter] => SUITES[adapter];

const one = (adapter: Breakage['adapter'], file: string, what: string, find: string, replace: string): Breakage => ({
  adapter,
  what,
  edits: [{ file, find, replace }],
});

const sqlite = (file: string, what: string, find: string, replace: string): Breakage =>
  one('sqlite', `src/store/sqlite/${file}.ts`, what, find, replace);
const postgres = (file: string, what: string, find: string, replace: string): Breakage =>
  one('postgres', `src/store/postgres/${file}.ts`, what, find, replace);
/** A rule that stands once for both stores: each must notice. */
const both = (file: string, what: string, find: string, replace: string): Breakage[] =>
  (['sqlite', 'postgres'] as const).map((adapter) => one(adapter, `src/store/${file}.ts`, what, find, replace));
/** How facets are counted, in columns and beside them. */
const counting = (file: string, what: string, find: string, replace: string): Breakage[] =>
  both(file, `facets: ${what}`, find, replace);
const embedded = (what: string, find: string, replace: string): Breakage =>
  one('embedded', 'src/queue/embedded.ts', what, find, replace);
const bullmq = (file: string, what: string, find: string, replace: string): Breakage =>
  one('bullmq', `src/queue/${file}.ts`, what, find, replace);
const files = (what: string, find: string, replace: string): Breakage =>
  one('files', 'src/blobs/filesystem.ts', what, find, replace);
const readFiles = (what: string, find: string, replace: string): Breakage =>
  one('files', 'src/blobs/read-file.ts', what, find, replace);
const s3 = (file: string, what: string, find: string, replace: string): Breakage =>
  one('s3', `src/blobs/${file}.ts`, what, find, replace);

export const BREAKAGES: Breakage[] = [
  sqlite(
    'samples/update-rows',
    'what a read showed is not known',
    'sample.shared.row, readLinks?.(id)]',
    'sample.shared.row, undefined]',
  ),
  postgres('samples/update-rows', 'what a read showed is not known', 'links?.get(id)', 'undefined'),
  sqlite('results/result-snapshot', 'a whole result is not of one moment', '    store.hold();\n', ''),
  sqlite(
    'results/result-snapshot',
    'a whole result leaves out what waits for the index',
    'idsBesideIndex({ entries, missing }, wanted, among);',
    'idsBesideIndex({ entries: [], missing }, wanted, among);',
  ),
  ...both(
    'result-conditions',
    'a whole result shows everybody everything',
    "if (visible !== 'all') {",
    'if (query.size < 0) {',
  ),
  ...both(
    'result-conditions',
    'a whole result has withdrawn samples too',
    "if (query.withdrawn !== 'too') all",
    'if (query.size < 0) all',
  ),
  ...both(
    'sample-checksum',
    'a damaged row is believed',
    ': crc === checksumWith(shared, id, release, layout, line, name, doc)',
    ': true',
  ),
  ...both('claim-rules', 'a former attempt may still write', ' && row.attempts === attempt', ''),
  ...both('claim-rules', 'any worker may write under a claim', ' && row.worker === worker', ''),
  ...both(
    'claim-rules',
    'setbacks at one place are not added up',
    'afterSetback(setbacksOf(row)',
    'afterSetback(undefined',
  ),
  ...both(
    'claim-rules',
    'whoever is to be cancelled ends in front of rows that are named',
    ' && !mayNameRest(row)',
    '',
  ),
  ...both(
    'claim-rules',
    'what has registered nothing waits for a worker to be cancelled',
    ' && row.rows_created + row.rows_updated > 0',
    '',
  ),
  ...both(
    'claim-rules',
    'what is to be cancelled fails',
    'return row.cancel_requested\n',
    'return row.worker === undefined\n',
  ),
  ...both('../registry/samples/decide', 'a relationship to nobody stays', '!gone.includes(target)', 'true'),
  ...both('batch-rules', 'what ends an upload early is not heard', ' && !endsEarly', ''),
  sqlite(
    'submissions/submission-store',
    'a waiting one is cancelled in front of rows that are named',
    ' && !mayNameRest(row)',
    '',
  ),
  postgres(
    'submissions/submission-store',
    'a waiting one is cancelled in front of rows that are named',
    ' && !mayNameRest(row)',
    '',
  ),
  sqlite(
    'submissions/submission-store',
    'a wish to cancel waits for the next try',
    'cancel_requested = 1, next_try = null',
    'cancel_requested = 1',
  ),
  postgres(
    'submissions/submission-store',
    'a wish to cancel waits for the next try',
    'cancel_requested = true, next_try = null',
    'cancel_requested = true',
  ),
  ...both('claim-rules', 'others are not counted in the queue', 'position += Math.min(', 'position += 0 * Math.min('),
  ...both('claim-rules', 'a number reserved is reserved again', 'row.reserved_from ?? undefined', 'undefined'),
  ...both('replay', 'a file that cannot be read is read again', 'problem?.retryable === true', 'true'),
  ...both(
    'replay',
    'an undo that was cancelled does not go on',
    "=== 'CANCELLED' && options.undoOf !== undefined",
    "=== 'ACTIVE'",
  ),
  ...both(
    'replay',
    'one of several earlier uploads alone says which samples rows mean',
    'return [chosen, ...others];',
    'return [chosen, ...others.slice(1)];',
  ),
  ...both(
    'replay',
    'what was undone says which samples rows mean',
    'sayingMeant(one, before).filter((other) => other !== chosen',
    'before.filter((other) => other !== chosen',
  ),
  ...both('newer-uploads', 'an earlier plan counts as a later one', ' and q.id > p.id', ''),
  ...both('newer-uploads', 'another sheet has the later plan', ' and c.key_space = p.key_space', ''),
  ...both(
    'replay',
    'a file comes in beside the undo of its samples',
    'verdict.earlier ?? beingUndone(earlier)',
    'verdict.earlier ?? [].slice(0)',
  ),
  ...both(
    'replay',
    'an undo begins beside another upload of the same bytes',
    'acceptedBeside(earlier.find(({ id }) => id === undoOf))',
    "{ kind: 'accepted' }",
  ),
  ...both(
    'claim-rules',
    'an undo that stopped is not found',
    'return stoppedUndo(',
    'return ((..._: unknown[]) => undefined)(',
  ),
  ...both('replay', 'an upload that was overtaken goes on', 'sameTable(other, one) && isAhead(other, one)', 'false'),
  ...both(
    'newer-uploads',
    'an upload with keys goes on behind a later one that has written',
    'c.rows_created + c.rows_updated + c.rows_unchanged > 0',
    'false',
  ),
  ...both(
    'newer-uploads',
    'an upload with keys goes on beside a later one that is worked on',
    "(c.state = 'ACTIVE' and c.worker is not null)",
    'false',
  ),
  ...both('newer-uploads', 'an upload with keys waits for what has its turn behind it', 'c.worker is not null', 'true'),
  sqlite(
    'submissions/submission-store',
    'an upload that was overtaken goes on when it is asked to',
    '          if (refusal) throw refusal;\n',
    '',
  ),
  postgres(
    'submissions/submission-store',
    'an upload that was overtaken goes on when it is asked to',
    '            if (refusal) throw refusal;\n',
    '',
  ),
  postgres(
    'submissions/submission-store',
    'one goes on while another of its bytes comes in',
    '          await lockAccepting(session, found.account);\n',
    '',
  ),
  ...both('batch-rules', 'a batch before the cursor is applied again', 'if (toLine <= row.cursor)', 'if (toLine < 0)'),
  ...both(
    'batch-rules',
    'a wish to cancel is not heard',
    "row.cancel_requested && !endsEarly ? 'cancelled' : 'write'",
    "'write'",
  ),
  ...both(
    'batch-rules',
    'reserved numbers are not used',
    'reserved === undefined ? first + n : ',
    'reserved ? first + n : ',
  ),
  ...both(
    'naming-rows',
    'a batch is applied that is to be read again',
    "if (batch.mayBeReadAgain && decision.issue.code === 'row.changed-since') throw new OutdatedBatch();",
    '',
  ),
  ...both(
    'batch-rules',
    'all or nothing registers beside refused rows',
    'if (isFirst && counts.rejected + chunk.rejected.length > 0) {',
    'if (counts.rows < 0) {',
  ),
  ...both(
    'batch-rules',
    'all or nothing looks at the rows of the batch alone',
    'counts.rejected + chunk.rejected.length > 0',
    'chunk.rejected.length > 0',
  ),
  ...both(
    'batch-rules',
    'a dry run of all or nothing is not applied',
    'options.dryRun || options.undoOf',
    'options.undoOf',
  ),
  ...both('naming-rows', 'a dry run writes', ' && !submission.options.dryRun ? decision', ' ? decision'),
  ...both(
    'naming-rows',
    'any upload may rewrite a sample',
    'writers !== undefined && !writers.has(present?.[1]?.submission ?? 0)',
    'false',
  ),
  ...both(
    'rows/sample-row',
    'a version keeps its number',
    'version: current.version + 1,\n    updated,',
    'version: current.version,\n    updated,',
  ),
  ...both(
    'index-turns',
    'steps have no bound but a number',
    'seen.size > 0 && (bytes + own > STEP_BYTES || isOver())',
    'false',
  ),
  ...both('index-turns', 'a turn ends when nothing is left', 'taken < TURN_SAMPLES && bytes < TURN_BYTES', 'true'),
  ...both('search-page', 'what is not indexed is not found', 'fresh).slice(', '[]).slice('),
  ...both(
    'search-page',
    'the index answers for what has changed since',
    'except: entries.map(({ id }) => id)',
    'except: []',
  ),
  ...counting(
    'columns/matching',
    'a sample that waits for the index is counted twice',
    ' remove(masks, first, count);',
    ' remove(masks, first, 0 * count);',
  ),
  ...counting(
    'columns/matching',
    'samples are counted for everybody before their release',
    'readNumber(data, at) <= now',
    'readNumber(data, at) <= now + 1e12',
  ),
  ...counting(
    'columns/matching',
    "another's samples are counted as the caller's own",
    'readAccount(readNumber(data, at)) === account',
    'readAccount(readNumber(data, at)) !== -2',
  ),
  ...counting(
    'columns/count-facets',
    '"others" forgets what is not listed',
    'others: table.saidSize - values.length',
    'others: 0 * table.saidSize',
  ),
  ...counting(
    'columns/nice-ranges',
    "a range's end is part of it",
    'number >= (ends[at] as number)',
    'number > (ends[at] as number)',
  ),
  ...counting(
    'columns/staged',
    'a sample keeps what it had before',
    "put(0, from[0] ?? slots.length, '');",
    "put(0, 0, '');",
  ),
  ...counting(
    'columns/staged',
    'a sample has what the one before it has',
    "if (ended) begin(columns, this.#keyOf(ended[0]), at, '');",
    "if (ended && at < 0) begin(columns, this.#keyOf(ended[0]), at, '');",
  ),
  sqlite(
    'search/search-store',
    'facets: what waits for the index is not counted',
    'freshFacets(entries, wanted)',
    'freshFacets([], wanted)',
  ),
  postgres(
    'search/search-store',
    'facets: what waits for the index is not counted',
    'freshFacets(entries, wanted)',
    'freshFacets([], wanted)',
  ),
  sqlite(
    'submissions/claims',
    'accounts do not take turns',
    'order by a.served_${lane}, s.id limit 1',
    'order by s.id limit 1',
  ),
  sqlite(
    'submissions/claims',
    'a lease never runs out',
    "and ${leaseOver('s.', '?')}",
    'and (s.lease_until is null or s.lease_until <= ? - 1e9)',
  ),
  sqlite('submissions/claims', 'a next try does not wait', ' not between 1 and ', ' not between 2 and 1 + 0 * '),
  sqlite('samples/apply-batch', 'progress does not forget setbacks', 'setbacks = null, next_try', 'next_try'),
  sqlite(
    'samples/update-rows',
    'old versions are not kept',
    'rows.map(({ id }) => id)',
    'rows.slice(rows.length).map(({ id }) => id)',
  ),
  sqlite(
    'samples/insert-rows',
    'changed samples forget their block',
    'inBlocks(rows, inSameBlock)',
    'inBlocks(rows.slice(1), inSameBlock)',
  ),
  sqlite(
    'samples/block-reader',
    'the oldest block counts',
    'order by number desc limit 1`;',
    'order by number limit 1`;',
  ),
  sqlite(
    'samples/block-reader',
    'of blocks of a cell the oldest counts',
    'where cell = ? order by number desc',
    'where cell = ? order by number',
  ),
  sqlite('samples/current-samples', 'a result reads what has been overwritten', 'if (taken.has(id)) continue;', ''),
  sqlite('samples/sample-rows', 'numbers are given twice', 'next = next + ? where', 'next = next + ? - 1 where'),
  sqlite(
    'submissions/accept',
    'a key is forgotten when bytes answered',
    'rememberKey(database, account, rule.key, row.id);',
    '',
  ),
  sqlite(
    'accounts/token-store',
    "a token is revoked by another's account",
    ' || (account !== undefined && row.account !== account)',
    '',
  ),
  sqlite(
    'accounts/token-store',
    'what a token made outlives it',
    'union select t.id from token t join ending e on t.parent = e.id where t.id not in (select id from keeping)',
    '',
  ),
  sqlite(
    'search/search-journal',
    'what is taken in is taken in again',
    'first: first + before, count: count - before',
    'first, count',
  ),
  sqlite(
    'accounts/account-store',
    'a password takes the place of any other',
    ' and (@proven is null or password_hash = @proven)',
    '',
  ),
  sqlite(
    'submissions/submission-store',
    'a lost worker works on',
    "and not ${leaseOver('', '?')} limit",
    "and (1 or not ${leaseOver('', '?')}) limit",
  ),
  sqlite('search/search-store', 'names that others gave are known', 'head.account === account && ', ''),
  sqlite(
    'search/search-pending',
    'what waits is believed until it is indexed',
    '    this.forgetChanged(rows, lastChange(this.store));\n',
    '',
  ),
  sqlite(
    'search/search-pending',
    'what was taken in ahead is forgotten with its row',
    'if (since.length < newest - this.readTo) this.kept.clear();',
    '',
  ),
  sqlite(
    'search/search-entries',
    'private samples are shown to all',
    "segments.every(open) ? 'all' : 'some'",
    "segments.length > 0 ? 'all' : 'some'",
  ),
  sqlite(
    'search/search-slots',
    'what a sample said before is found',
    '(newer === undefined || without(own, newer))',
    '(newer === undefined || newer.length > 0)',
  ),
  sqlite('search/search-slots', 'one of several terms is enough', '!within(own, found)', 'found.length === 0'),

  postgres(
    'samples/prepared-batch',
    'rows that were held back are written as they were prepared',
    'rows.length === samples.rows.length',
    'true',
  ),
  postgres(
    'samples/prepared-batch',
    'what was prepared is written as of then',
    'now - prepared.now <= FRESH_MS',
    'true',
  ),
  postgres(
    'samples/prepared-batch',
    'what was prepared for one submission is written for another',
    'submission === asked.submission',
    'true',
  ),
  postgres(
    'samples/apply-batch',
    'a lease begins when its batch was prepared',
    'options.leaseMs + now() - at',
    'options.leaseMs',
  ),
  postgres('submissions/claims', 'a next try does not wait', ' not between 1 and ', ' not between 2 and 1 + 0 * '),
  postgres('samples/apply-batch', 'progress does not forget setbacks', 'setbacks = null, next_try', 'next_try'),
  postgres(
    'submissions/claims',
    'two workers may claim one submission',
    ' for no key update of`',
    ' for key share of`',
  ),
  postgres(
    'accounts/account-store',
    'a password takes the place of any other',
    'if (proven !== undefined && row?.hash !== proven && row?.hash !== hash) return false;',
    '',
  ),
  postgres('submissions/claims', 'accounts do not take turns', 'order by a.served_${lane}, s.id', 'order by s.id'),
  postgres(
    'submissions/submission-rows',
    'a submission is not locked while a batch is applied',
    ' for no key update of s`',
    '`',
  ),
  postgres(
    'submissions/accept',
    'equal uploads do not wait for each other',
    "'select pg_advisory_xact_lock($1, $2)'",
    "'select $1::int + $2::int'",
  ),
  postgres(
    'samples/sample-record',
    'a sample is not locked while it is decided about',
    '  if (lock) await lockSamples(reader, asked);\n',
    '',
  ),
  postgres(
    'samples/update-rows',
    'samples are not locked while rows are decided about',
    'if (!dryRun) await lockSamples(session, asked);',
    '',
  ),
  postgres(
    'samples/lock-samples',
    'who holds a sample of a block holds the newest block',
    'order by x.number rows',
    'order by x.number desc rows',
  ),
  postgres(
    'samples/present-samples',
    'the oldest block counts',
    'order by b.number desc limit 1',
    'order by b.number limit 1',
  ),
  postgres(
    'samples/present-samples',
    'what older blocks say counts',
    '((b.present & asked.slots) >>',
    '((b.slots & asked.slots) >>',
  ),
  postgres(
    'samples/present-samples',
    'what a block says counts though there is a row',
    ' and not exists (select from sample s where s.id = ${id}::bigint)',
    '',
  ),
  postgres(
    'samples/update-rows',
    'changed samples forget their row',
    'for (const { id } of among.others) rowed.add(id);',
    'rowed.clear();',
  ),
  postgres('whole-result', 'lengths do not count', '&& bytes + bytesOf(to) <= BLOCK_BYTES', ''),
  postgres('database', 'numbers are given twice', 'next = next + $2 where', 'next = next + $2 - 1 where'),
  postgres(
    'text',
    'characters that the database cannot hold are not spelled',
    'TO_SPELL.test(text) ?',
    'TO_SPELL.test(text) && !text ?',
  ),
  postgres('samples/insert-rows', 'a list of one empty text reads as none', "coalesce(doc, '')", 'doc'),
  postgres(
    'samples/update-rows',
    'old versions are not kept',
    '  if (ids.length > 0) await archiveVersions(session, ids);\n',
    '',
  ),
  postgres(
    'samples/open-relationships',
    'what an undo takes back stays completed',
    'set target = null, completed_by = null',
    'set place = place',
  ),
  postgres(
    'samples/open-relationships',
    'names of other accounts are counted',
    'as n from open_relationship where account = $1 and target is null',
    'as n from open_relationship where target is null',
  ),
  sqlite(
    'samples/open-relationships',
    'what an undo takes back stays completed',
    'set target = null, completed_by = null',
    'set place = place',
  ),
  ...both('open-rows', 'an undo completes what waits', ' && options.undoOf === undefined', ''),
  sqlite(
    'samples/apply-batch',
    'an upload ends though something waits',
    'last && !anythingWaits(database, row, submission)',
    'last && submission !== undefined',
  ),
  postgres(
    'samples/apply-batch',
    'an upload ends though something waits',
    'const ends = options.last && !(await anythingWaits(session, row, submission));\n  const after',
    'const ends = options.last;\n  const after',
  ),
  postgres(
    'samples/apply-batch',
    'an upload whose answer was lost ends though something waits',
    'const ends = options.last && !(await anythingWaits(session, row, submission));\n    return',
    'const ends = options.last;\n    return',
  ),
  postgres(
    'samples/open-relationships',
    'what opens does not wait for uploads that end',
    "await session.run('select pg_advisory_xact_lock($1, $2)', [OPENING, row.account]);",
    '',
  ),
  sqlite(
    'samples/open-relationships',
    'samples of other accounts are named',
    'and account = ? and',
    'and account >= ? and',
  ),
  sqlite(
    'samples/open-relationships',
    'samples of other accounts are named that stand in blocks',
    'row.account !== number ||',
    'row.account === -2 ||',
  ),
  postgres('samples/row-keys', 'the key space is not held', ' for no key update', ''),
  postgres('samples/row-keys', 'keys of a page come again', 'and key > $2', 'and key >= $2'),
  postgres(
    'samples/row-keys',
    'samples withdrawn by an undo keep their other keys',
    '[numberArray(withdrawn)]',
    '[numberArray([])]',
  ),
  postgres('submissions/claims', 'nobody waits for the plan of a standing sheet', ' or k.standing is not null', ''),
  postgres(
    'samples/apply-batch',
    'what came of a standing sheet is forgotten',
    'coalesce($11, standing)',
    'coalesce(standing, $11)',
  ),
  postgres(
    'samples/write-samples',
    'a status is written to none',
    "return `nullif(new.admin_status, '')`",
    'return `null`',
  ),
  sqlite('samples/row-keys', 'keys of a page come again', 'and key > ?', 'and key >= ?'),
  sqlite(
    'samples/row-keys',
    'keys of dry runs and uploads alike lead to any space',
    'on known.space = @space and',
    'on known.space >= @space and',
  ),
  sqlite(
    'samples/row-keys',
    'samples withdrawn by an undo keep their other keys',
    'JSON.stringify(lost.withdrawn)',
    "'[]'",
  ),
  sqlite('submissions/claims', 'nobody waits for the plan of a standing sheet', ' or k.standing is not null', ''),
  ...both(
    'claim-rules',
    'what came behind a plan comes before its commit',
    '(coalesce(${one}.turn_of, ${one}.id), ${one}.id) <',
    '(${one}.id, ${one}.id) <',
  ),
  ...both(
    'claim-rules',
    'a commit waits for what came behind its plan',
    '< (coalesce(${other}.turn_of, ${other}.id), ${other}.id)',
    '< (${other}.id, ${other}.id)',
  ),
  sqlite(
    'submissions/claims',
    'one of the same bytes waits for what came behind its plan',
    "${comesBefore('t', 's')}",
    't.id < s.id',
  ),
  postgres(
    'submissions/claims',
    'one of the same bytes waits for what came behind its plan',
    "${comesBefore('w', 's')}",
    'w.id < s.id',
  ),
  sqlite(
    'samples/apply-batch',
    'what came of a standing sheet is forgotten',
    'coalesce(?, standing)',
    'coalesce(standing, ?)',
  ),
  postgres(
    'search/search-index',
    'two indexers work on one sample',
    "    const step = await this.database.write(async (session) => {\n      await session.run('select pg_advisory_xact_lock($1)', [INDEXING]);",
    '    const step = await this.database.write(async (session) => {',
  ),
  postgres('search/search-store', 'withdrawn samples are named', 'and admin_status is null', ''),
  postgres('search/search-entries', 'private samples are shown to all', '`open or (not', '`true or (not'),

  embedded('rings stay in their process', '    for (const link of this.#links) link.send(message);\n', ''),
  embedded('lanes are mixed up', 'this.#bell.emit(`ring:${message.lane}`)', "this.#bell.emit('ring:small')"),
  embedded('more handlers run than were asked for', 'if (running.size >= concurrency)', 'if (running.size >= 100)'),
  embedded('a ring that meets a busy handler is lost', '        missed = true;\n', ''),
  embedded('a failed handler is not rung again', '          setTimeout(ring, 1000).unref();\n', ''),
  embedded('stopping does not wait', '        await Promise.all(running);\n', ''),
  embedded('one hears of every ending', 'const event = `ended:${submissionId}`;', "const event = 'ended:one';"),
  embedded(
    'waiting that ran out counts as heard',
    'setTimeout(settle(false), timeoutMs)',
    'setTimeout(settle(true), timeoutMs)',
  ),

  bullmq(
    'bullmq',
    'an id rings once only while it is known',
    '`${submissionId}-${randomUUID().slice(0, 8)}`',
    '`${submissionId}-`',
  ),
  bullmq('bullmq', 'ids are used as they come', ".replaceAll(':', '.')", ''),
  bullmq('bullmq', 'lanes are mixed up', '`submissions-${lane}`', "`submissions-${lane && 'x'}`"),
  bullmq('bullmq', 'a failed handler is not rung again', 'attempts: 8', 'attempts: 1'),
  bullmq(
    'bullmq',
    'rings wait for Redis instead of being refused',
    'const PATIENCE_MS = 1000;',
    'const PATIENCE_MS = 600_000;',
  ),
  {
    adapter: 'bullmq',
    what: 'Redis is believed to be away for ever',
    edits: [
      { file: 'src/queue/bullmq.ts', find: '      this.away = undefined;\n', replace: '' },
      { file: 'src/queue/bullmq.ts', find: "if (this.publisher.status === 'ready') return;", replace: '' },
    ],
  },
  bullmq(
    'bullmq-consumer',
    'more handlers run than were asked for',
    'concurrency: options.concurrency,',
    'concurrency: options.concurrency + 5,\n      // biome-ignore lint: broken on purpose\n      ...((this.options as { concurrency: number }).concurrency = 99, {}),',
  ),
  bullmq(
    'bullmq-consumer',
    'nobody asks without a ring',
    'if (this.running.size < this.options.concurrency) this.run()',
    'if (this.running.size < 0) this.run()',
  ),
  bullmq(
    'bullmq-consumer',
    'stopping waits for Redis',
    '    await Promise.race([closed, farewell]);\n',
    '    await closed;\n',
  ),
  bullmq('endings', 'an ending before the wait is not heard', "'EX', KEPT_SECONDS", "'PX', 1"),
  bullmq(
    'endings',
    'waiting that ran out counts as heard',
    'setTimeout(() => settle(false), timeoutMs)',
    'setTimeout(() => settle(true), timeoutMs)',
  ),
  bullmq('redis-address', 'Sentinels are taken for the master', "master ? 'sentinel'", "master ? 'single'"),

  files(
    'what is pending is not noted',
    'note === undefined ? undefined : writeFile(',
    'note !== null ? undefined : writeFile(',
  ),
  s3(
    's3',
    'what is pending is not noted',
    'if (pendingFor !== undefined) await this.note(',
    'if (pendingFor === null) await this.note(',
  ),
  files('any size is taken', 'if (digest.size + block.length > maxBytes)', 'if (digest.size < 0)'),
  files('the sums miss what came', '    digest.add(block);\n', 'digest.size += block.length;\n'),
  readFiles('a range of a small file is all of it', 'whole.subarray(start, end)', 'whole'),
  readFiles('a range gives one byte too many', 'end: stop - 1', 'end: stop'),
  readFiles(
    'a range read ahead gives one byte too many',
    'Math.min(BLOCK, stop - at)',
    'Math.min(BLOCK, stop - at + 1)',
  ),
  readFiles('what is read ahead begins anew', 'block.length, at).then', 'block.length, start).then'),
  readFiles('a range begins at the beginning', 'BLOCK, start, end', 'BLOCK, start: 0, end'),
  readFiles(
    'what is missing is reported in the words of the system',
    "if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;",
    'if (error) return error;',
  ),
  files('a failed upload leaves its temporary file', '    await rm(temporary, { force: true });\n', ''),
  files(
    'deleting what is not there is an error',
    'delete: (key) => rm(pathOf(key), { force: true })',
    'delete: (key) => rm(pathOf(key))',
  ),
  readFiles('an empty range gives everything', 'if (stop <= start) return;', ''),
  readFiles('a blob of any size is taken', 'size !== undefined && found !== size', 'size === -1'),
  files('all keys share a place', 'join(folder, key.slice(0, 2), key)', "join(folder, 'x', 'y')"),

  s3('s3-read', 'a blob of any size is taken', 'size !== undefined && found !== size', 'size === -1'),
  s3('s3', 'any size is taken', 'if (digest.size > maxBytes)', 'if (digest.size < 0)'),
  s3('s3', 'the sums miss what came', '          digest.add(block);\n', 'digest.size += block.length;\n'),
  s3(
    's3',
    "the sender's fault is reported as storage's",
    'throw sourceFailure ?? asBlobError(error, key);',
    'throw asBlobError(error, key);',
  ),
  s3(
    's3',
    'parts of a failed upload stay',
    '      queueSize: PARTS_AT_ONCE,\n',
    '      queueSize: PARTS_AT_ONCE,\n      leavePartsOnError: true,\n',
  ),
  s3('s3', 'nobody sweeps', '    this.sweepOnce();\n', ''),
  s3(
    's3-sweep',
    'uploads that still run are swept',
    'now - Initiated.getTime() < ABANDONED_MS',
    'now - Initiated.getTime() < 0',
  ),
  s3(
    's3-read',
    'what a server gives too much is passed on',
    'block.length > left ? block.subarray(0, left) : block',
    'block',
  ),
  s3('s3-read', 'a cut connection ends the reading', 'const MAX_CUTS = 5;', 'const MAX_CUTS = 0;'),
  s3('s3-read', 'reading goes on from the beginning', '        position += block.length;\n', ''),
  s3('s3-read', 'beginning behind the end is an error', "!== 'InvalidRange'", "!== 'Nothing'"),
  s3('s3-errors', 'what is missing is reported as away', "name === 'NoSuchKey'", "name === 'No'"),
  s3(
    's3-errors',
    'a full storage is reported as away',
    'FULL.has(name) || $metadata?.httpStatusCode === 507',
    "name === 'no'",
  ),
  sqlite(
    'accounts/webhook-store',
    'an attempt that comes back late makes wait what was delivered',
    'leased_until = 0 where id = ? and leased_until = ?',
    'leased_until = 0 where id = ? and ? > 0',
  ),
  postgres(
    'accounts/webhook-store',
    'an attempt that comes back late makes wait what was delivered',
    'leased_until = 0 where id = $1 and leased_until = $2',
    'leased_until = 0 where id = $1 and $2::bigint > 0',
  ),
  sqlite(
    'accounts/webhook-store',
    'an attempt that comes back late has the receiver left alone',
    'changes > 0 && database.sql<ReceiverRow>',
    'database.sql<ReceiverRow>',
  ),
  postgres(
    'accounts/webhook-store',
    'an attempt that comes back late has the receiver left alone',
    'if (changed === 0) return false;',
    '',
  ),
  sqlite(
    'accounts/webhook-store',
    'an attempt under way counts for a delivery that was asked for again',
    'expires = max(expires, ?), leased_until = 0',
    'expires = max(expires, ?)',
  ),
  postgres(
    'accounts/webhook-store',
    'an attempt under way counts for a delivery that was asked for again',
    'expires = greatest(expires, $4), leased_until = 0',
    'expires = greatest(expires, $4)',
  ),
  sqlite(
    'accounts/webhook-store',
    'a webhook has several deliveries of changes waiting',
    'where id = ? and cursor = ? and ${NO_CHANGES_WAIT}`)',
    'where id = ? and cursor = ?`)',
  ),
  postgres(
    'accounts/webhook-store',
    'a webhook has several deliveries of changes waiting',
    'where id = $1 and ${NO_CHANGES_WAIT} returning id',
    'where id = $1 returning id',
  ),
  sqlite(
    'accounts/webhook-store',
    'a webhook moves from a place where it no longer is',
    'where id = ? and cursor = ? and ${NO_CHANGES_WAIT}`)',
    "where id = ? and ? <> '' and ${NO_CHANGES_WAIT}`)",
  ),
  postgres(
    'accounts/webhook-store',
    'a webhook moves from a place where it no longer is',
    'where id = $1 and cursor = $2 for update',
    "where id = $1 and $2 <> '' for update",
  ),
  ...both(
    'rows/webhook-row',
    'a receiver is left alone until a time of a clock that was set back',
    'update webhook set rest_until = 0',
    'update webhook set rest_until = rest_until',
  ),
  ...both(
    'rows/webhook-row',
    'a delivery waits for a time of a clock that was set back',
    'update webhook_delivery set next_attempt = ${now}',
    'update webhook_delivery set next_attempt = next_attempt',
  ),
  ...both(
    'rows/webhook-row',
    'a lease of a clock that was set back is believed',
    'update webhook_delivery set leased_until = 0',
    'update webhook_delivery set leased_until = leased_until',
  ),
  ...both(
    'upkeep-rules',
    'the file of a commit under way is taken away with its dry run',
    "o.state = 'ACTIVE' or ",
    '',
  ),
  ...both('rows/webhook-row', 'no pause is believed', 'pause: now + 2 * LONGEST_PAUSE_MS', 'pause: now'),
  ...both('rows/webhook-row', 'no lease is believed', 'lease: now + 2 * leaseMs', 'lease: now'),
  ...both(
    'replay',
    'a file that comes again is not kept for an original that is gone',
    'row.original_gone !== null && row.sha256 === sha256 && blobKey === id',
    "row.sha256 === ''",
  ),
  ...both(
    'replay',
    'a file that comes again takes the place of one that is there',
    'row.original_gone !== null && row.sha256 === sha256',
    'row.sha256 === sha256',
  ),
  ...both(
    'replay',
    'what follows another submission brings a file',
    'row.sha256 === sha256 && blobKey === id;',
    'row.sha256 === sha256 && id !== blobKey + 1;',
  ),
  sqlite(
    'submissions/accept',
    'an original that is there again is still said to be gone',
    'crc32 = ?, original_gone = null where',
    'crc32 = ?, original_gone = 1 where',
  ),
  postgres(
    'submissions/accept',
    'an original that is there again is still said to be gone',
    'crc32 = $3, original_gone = null where',
    'crc32 = $3, original_gone = 1 where',
  ),

  // Erasing (src/upkeep/erasing-store.ts).
  sqlite(
    'samples/erase-sample',
    'erasing leaves blocks as they are',
    'for (const block of blocks) eraseInBlock(',
    'for (const block of []) eraseInBlock(',
  ),
  sqlite(
    'samples/erase-sample',
    'erasing blanks the neighbours, too',
    'row.id === id ? blanked(row) : row',
    'blanked(row)',
  ),
  sqlite(
    'samples/erase-sample',
    'erasing leaves rows of earlier versions',
    "'select * from sample_version where id = ?'",
    "'select * from sample_version where id = -?'",
  ),
  sqlite(
    'samples/erase-sample',
    'erasing leaves curations that nobody else has',
    'for (const { curation } of links) removeUnusedCuration(',
    'for (const { curation } of []) removeUnusedCuration(',
  ),
  sqlite('erasing-store', 'erasing leaves the index as it is', 'await filler.takeAnew(ids);', ''),
  postgres(
    'samples/erase-sample',
    'erasing leaves blocks as they are',
    "(blocksWith('$1'), [id])",
    "(blocksWith('$1'), [-id])",
  ),
  postgres(
    'samples/erase-sample',
    'erasing leaves rows of earlier versions',
    "'select * from sample_version where id = $1'",
    "'select * from sample_version where id = -$1'",
  ),
  postgres(
    'samples/erase-sample',
    'erasing leaves curations that nobody else has',
    'await removeUnusedCuration(session, curation);',
    'void curation;',
  ),
  postgres('erasing-store', 'erasing leaves the index as it is', 'await index.takeAnew(ids);', ''),
  ...both('erased-rows', 'erasing keeps the contents', "doc: row.layout === null ? NOTHING : ''", 'doc: row.doc'),
  ...both(
    'erased-rows',
    'an erased version keeps its old checksum',
    'return { ...blank, crc: checksumOf(blank) };',
    'return blank;',
  ),
  ...both(
    'rows/annotation-row',
    'a shared curation goes with one link, or with one sample that is erased',
    'where hash = ${hash} and not exists (select 1 from curation_link where curation = ${hash})',
    'where hash = ${hash}',
  ),
  ...both('change-runs', 'what was erased is curated again', 'if (row?.admin_status === ERASED)', 'if (false)'),
];
