/** Runs of every command of docs/cli.md, with the exit code that each must end with. Over 300 lines: one table. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from '../../src/store/sqlite/driver.js';
import { freshSchemaUrl } from '../many-machines/postgres-schema.js';
import type { CommandOptions } from '../support/command.js';
import { ROOT } from '../support/output.js';
import { without } from '../support/services.js';

export interface Run extends CommandOptions {
  args: string[];
  code: 0 | 1 | 2 | 3 | 4 | 5;
  before?: () => void;
}

/** What the runs speak of. */
export interface Present {
  /** Address of the service. */
  url: string;
  /** Where they run: `lims/inbox/` is there. */
  folder: string;
  /** A token that may submit. */
  token: string;
  /** A submission with rejected rows, and a sample of it. */
  id: string;
  accession: string;
  /** A token that may go. */
  tokenId: string;
  /** Uploads a file that no worker takes until `goOn`, and resolves to its submission. */
  uploadHeld: () => Promise<string>;
  goOn: () => void;
}

const example = (name: string): string => join(ROOT, 'samples-tsv', name);
const AWAY = { SAMPLE_REGISTRY_URL: 'http://127.0.0.1:19' };
const IMPATIENT = ['--give-up-after', '0'];
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** By command, in the order in which they run: later ones build on earlier ones. */
export function runsOf(present: Present): Record<string, () => Run[] | Promise<Run[]>> {
  const { folder, token, id, accession, tokenId } = present;
  const in_ = (name: string): Record<string, string> => ({ DATA_DIR: join(folder, name) });
  /** What `result`, `mapping`, `errors`, `original` and `ro-crate` have in common. */
  const part = (name: string) => (): Run[] => [
    { args: [name, id], code: 0 },
    { args: [name, id, '--wait', '-o', `${name}.out`], code: 0 },
    { args: [name], code: 1 },
    { args: [name, id, ...IMPATIENT], env: AWAY, code: 3 },
    { args: [name, NOBODY], code: 4 },
  ];

  const standing = (name: string, file: string): string[] => [
    'upload',
    file,
    ...['--key', 'Sample Name', '--standing', name, '--auto-commit'],
  ];

  return {
    mirror: () => [
      { args: ['mirror', present.url, '--once', '--token', token], env: in_('copy'), code: 0 },
      { args: ['mirror', '--end'], env: in_('copy'), code: 0 },
      { args: ['mirror', '--end'], env: in_('copy'), code: 1 },
      { args: ['mirror', present.url, '--end'], env: in_('copy'), code: 1 },
      { args: ['mirror', present.url, '--once'], env: in_('copy'), code: 1 },
      { args: ['mirror', present.url, '--once', '--token', 'wrong'], env: in_('other copy'), code: 4 },
    ],
    'profile guess': () => [
      { args: ['profile', 'guess', example('no-sample-name.tsv'), '-o', 'guessed.json'], code: 0 },
      {
        args: [
          'profile',
          'guess',
          example('cp1252.tsv'),
          '--encoding',
          'windows-1252',
          '--header-line',
          '1',
          '--sheet',
          '1',
        ],
        code: 0,
      },
      { args: ['profile', 'guess', 'nowhere.tsv'], code: 1 },
      { args: ['profile', 'guess', example('small.tsv'), ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['profile', 'guess', example('small.tsv'), '--header-line', '900'], code: 4 },
    ],
    'profile save': () => [
      { args: ['profile', 'save', 'guessed', 'guessed.json'], code: 0 },
      { args: ['profile', 'save', 'guessed', 'nowhere.json'], code: 1 },
      { args: ['profile', 'save', 'guessed', 'guessed.json', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['profile', 'save', 'guessed', 'guessed.json', '--shared'], code: 4 },
      { args: ['profile', 'save', 'No Name', 'guessed.json'], code: 4 },
    ],
    'profile list': () => [
      { args: ['profile', 'list'], code: 0 },
      { args: ['profile', 'list', 'more'], code: 1 },
      { args: ['profile', 'list', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['profile', 'list', '--token', 'wrong'], code: 4 },
    ],
    'profile show': () => [
      { args: ['profile', 'show', 'guessed', '--of-version', '1'], code: 0 },
      { args: ['profile', 'show'], code: 1 },
      { args: ['profile', 'show', 'guessed', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['profile', 'show', 'nothing'], code: 4 },
    ],
    'profile delete': () => [
      { args: ['profile', 'delete', 'guessed'], code: 0 },
      { args: ['profile', 'delete'], code: 1 },
      { args: ['profile', 'delete', 'guessed', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['profile', 'delete', 'guessed'], code: 4 },
    ],
    upload: () => [
      {
        args: [
          'upload',
          example('small.tsv'),
          '--checklist',
          'minimal',
          '--update',
          'merge',
          '--clear-marker',
          'none',
          '--errors',
          'e',
        ],
        code: 0,
      },
      { args: ['upload', example('small.tsv'), '--allow-duplicate', '--result', 'r', '--mapping', 'm'], code: 0 },
      { args: ['upload', example('cp1252.tsv'), '--encoding', 'windows-1252', '--idempotency-key', 'k'], code: 0 },
      { args: ['upload', example('no-release-date.tsv'), '--release-date', '2025-01-01', '--wait', '--json'], code: 0 },
      {
        args: ['upload', example('small.tsv'), '--release-date', '2025-01-01', '--release-existing', '--dry-run'],
        code: 0,
      },
      { args: ['upload', example('no-sample-name.tsv'), '--name-column', 'Source Name'], code: 0 },
      {
        args: [
          'upload',
          example('small.tsv'),
          '--key',
          'Sample Name',
          '--key-space',
          'lims',
          '--only-update',
          '--dry-run',
        ],
        code: 0,
      },
      { args: ['upload', example('small.tsv'), '--key', 'Sample Name', '--only-create', '--dry-run'], code: 2 },
      { args: ['upload', example('bad-rows.tsv'), '--max-rejected', '0', '--dry-run'], code: 4 },
      { args: [...standing('nightly', example('small.tsv')), '--missing', 'withdraw', '--max-missing', '5%'], code: 0 },
      { args: [...standing('stopped', 'lims/inbox/plate.tsv'), '--max-changes', '0'], code: 5 },
      { args: ['upload', example('small.tsv'), '--profile', 'none', '--dry-run'], code: 0 },
      { args: ['upload', 'nowhere.tsv'], code: 1 },
      { args: ['upload', example('bad-rows.tsv'), '--dry-run'], code: 2 },
      { args: ['upload', example('bad-rows.tsv'), '--mode', 'atomic'], code: 2 },
      { args: ['upload', example('small.tsv'), ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['upload', example('unknown-columns.tsv'), '--unknown-columns', 'reject'], code: 4 },
      { args: ['upload', example('small.tsv'), '--relationships', 'soon'], code: 1 },
      { args: ['upload', example('small.tsv'), '--token', 'wrong'], code: 4 },
    ],
    status: () => [
      { args: ['status', id, '--wait'], code: 2 },
      { args: ['status'], code: 1 },
      { args: ['status', id, ...IMPATIENT, '--url', AWAY.SAMPLE_REGISTRY_URL], code: 3 },
      { args: ['status', NOBODY], code: 4 },
    ],
    list: () => [
      { args: ['list', '--limit', '2'], code: 0 },
      { args: ['list', '--limit', 'all'], code: 1 },
      { args: ['list', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['list', '--token', 'wrong'], code: 4 },
    ],
    search: () => [
      { args: ['search', 'sapiens', '--filter', 'attr:organism:Homo sapiens', '--json'], code: 0 },
      { args: ['search', '--limit', '0'], code: 1 },
      { args: ['search', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['search', '--filter', 'no such filter'], code: 4 },
    ],
    commit: () => [
      { args: ['commit', id], code: 4 },
      { args: ['commit'], code: 1 },
      { args: ['commit', NOBODY, '--wait'], code: 4 },
      { args: ['commit', id, ...IMPATIENT], env: AWAY, code: 3 },
    ],
    completion: () => [
      ...['bash', 'zsh', 'fish'].map((shell): Run => ({ args: ['completion', shell], code: 0 })),
      { args: ['completion', 'cmd'], code: 1 },
    ],
    result: () => [...part('result')(), { args: ['result', id, '--format', 'xlsx', '-o', 'result.xlsx'], code: 0 }],
    mapping: part('mapping'),
    errors: () => [...part('errors')(), { args: ['errors', id, '--format', 'json'], code: 0 }],
    original: part('original'),
    'ro-crate': part('ro-crate'),
    cancel: async () => {
      const held = await present.uploadHeld();
      return [
        { args: ['cancel', held], code: 0 },
        { args: ['cancel'], code: 1, before: present.goOn },
        { args: ['cancel', NOBODY], code: 4 },
      ];
    },
    undo: () => [
      { args: ['undo', id, '--wait'], code: 0 },
      { args: ['undo'], code: 1 },
      { args: ['undo', NOBODY], code: 4 },
    ],
    get: () => [
      { args: ['get', accession], code: 0 },
      { args: ['get'], code: 1 },
      { args: ['get', accession, ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['get', 'SAMR999999999'], code: 4 },
    ],
    'samples facets': () => [
      { args: ['samples', 'facets', '--text', 'blood', '--values', '3'], code: 0 },
      { args: ['samples', 'facets', '--of', 'organism', '--filter', 'attr:organism', '--json'], code: 0 },
      { args: ['samples', 'facets', '--of', '99'], code: 4 },
      { args: ['samples', 'facets', ...IMPATIENT], env: AWAY, code: 3 },
    ],
    'samples export': () => [
      { args: ['samples', 'export', '--text', 'blood', '-o', 'blood.tsv'], code: 0 },
      { args: ['samples', 'export', '--filter', 'attr:organism', '--filter', 'acc:SAMR1', '--format', 'csv'], code: 0 },
      { args: ['samples', 'export', '--format', 'ndjson', '--as-submitted'], code: 0 },
      { args: ['samples', 'export', '--format', 'isa-json'], code: 0 },
      { args: ['samples', 'export', '--keep', '-o', 'kept.tsv'], code: 0 },
      { args: ['samples', 'export', '--keep'], code: 1 },
      { args: ['samples', 'export', '--count'], code: 0 },
      { args: ['samples', 'export', '--format', 'pdf'], code: 1 },
      { args: ['samples', 'export', ...IMPATIENT], env: AWAY, code: 3 },
      { args: ['samples', 'export', '--filter', 'colour:blue'], code: 4 },
    ],
    'samples edit': () => {
      writeFileSync(join(folder, 'changes.json'), '[{"set":"age","values":[{"text":"5","unit":"year"}]}]');
      const edit = (...args: string[]): string[] => ['samples', 'edit', ...args];
      const blood = ['--text', 'blood'];
      return [
        { args: edit(...blood, '--set', 'site=north', '--clear', 'nothing', '--wait'), code: 0 },
        {
          args: edit('--filter', 'attr:site:north', '--rename', 'site=place', '--dry-run', '--mode', 'atomic'),
          code: 0,
        },
        { args: edit(...blood, '--set', 'site=far', '--existing', 'append', '--checklist', 'minimal'), code: 0 },
        { args: edit(...blood, '--changes', 'changes.json', '--dry-run', '--idempotency-key', 'edit-1'), code: 0 },
        { args: edit(...blood, '--release', '2024-05-02', '--dry-run'), code: 0 },
        { args: edit('--accession', 'SAMR999999999', '--clear', 'site'), code: 2 },
        { args: edit('--all', '--set', 'site'), code: 1 },
        { args: edit('--all', '--clear', 'site', ...IMPATIENT), env: AWAY, code: 3 },
        { args: edit('--filter', 'attr:site:nowhere-at-all', '--clear', 'site'), code: 4 },
        { args: edit('--all'), code: 4 },
      ];
    },
    template: () => [
      { args: ['template', '--checklist', 'minimal', '--format', 'xlsx', '-o', 'empty.xlsx'], code: 0 },
      { args: ['template', '--accession', accession], code: 0 },
      { args: ['template', '--submission', id], code: 0 },
      { args: ['template'], code: 1 },
      { args: ['template', '--checklist', 'nowhere'], code: 4 },
      // The workbook has no such sheet.
      { args: ['upload', 'empty.xlsx', '--sheet', 'Nowhere'], code: 4 },
      { args: ['upload', 'empty.xlsx', '--sheet', '1', '--every-table'], code: 1 },
    ],
    missing: () => [
      { args: ['missing', id], code: 4 },
      { args: ['missing'], code: 1 },
      { args: ['missing', NOBODY], code: 4 },
    ],
    'open-relationships': () => [
      { args: ['open-relationships', id], code: 0 },
      { args: ['open-relationships'], code: 1 },
      { args: ['open-relationships', NOBODY], code: 4 },
    ],
    watch: () => [
      { args: ['watch', 'lims', '--once', '--stable', '0', '--poll', '0.1'], code: 0 },
      { args: ['watch', 'lims', '--concurrency', 'many'], code: 1 },
    ],
    login: () => {
      const nobody = { SAMPLE_REGISTRY_TOKEN: '' };
      return [
        { args: ['login', '--token-stdin'], env: nobody, input: `${token}\n`, code: 0 },
        { args: ['get', accession], env: nobody, code: 0 },
        { args: ['login'], env: nobody, code: 1 },
        { args: ['login', '--token-stdin'], env: nobody, input: 'wrong\n', code: 4 },
      ];
    },
    'token create': () => [
      {
        args: ['token', 'create', '--account', 'bo', '--name', 'n', '--scopes', 'read', '--expires-in-days', '1'],
        code: 0,
      },
      { args: ['token', 'create'], code: 1 },
    ],
    operations: () => [
      { args: ['operations'], code: 0 },
      { args: ['operations', '--account', 'ada', '--json'], code: 0 },
      { args: ['operations', '--submissions'], code: 0 },
      { args: ['operations', 'all'], code: 1 },
    ],
    'audit find': () => [
      { args: ['audit', 'find', 'token'], code: 0 },
      { args: ['audit', 'find', 'named nowhere', '--json'], code: 4 },
      { args: ['audit', 'find'], code: 1 },
    ],
    'token list': () => [{ args: ['token', 'list'], code: 0 }],
    'token revoke': () => [
      { args: ['token', 'revoke', NOBODY], code: 1 },
      { args: ['token', 'revoke', tokenId], code: 0 },
    ],
    'account create': () => [
      { args: ['account', 'create', 'cy', '--password-stdin'], input: 'a good password\n', code: 0 },
      { args: ['account', 'create', 'di', '--password-stdin'], input: 'short\n', code: 1 },
      { args: ['login', '--username', 'cy', '--password-stdin'], input: 'a good password\n', code: 0 },
      { args: ['login', '--username', 'cy', '--password-stdin'], input: 'another password\n', code: 4 },
    ],
    'account passwd': () => [
      { args: ['account', 'passwd', 'cy', '--password-stdin'], input: 'another password\n', code: 0 },
      { args: ['account', 'passwd', 'nobody', '--password-stdin'], input: 'another password\n', code: 1 },
    ],
    serve: () => [{ args: ['serve'], env: { PORT: 'none' }, code: 2 }],
    worker: () => [{ args: ['worker'], env: { LEASE_SECONDS: 'long' }, code: 2 }],
    indexer: () => [{ args: ['indexer'], env: { STORE_URL: 'mysql://x' }, code: 2 }],
    migrate: () => [
      { args: ['migrate'], env: in_('new'), code: 0 },
      { args: ['migrate'], env: { STORE_URL: 'mysql://x' }, code: 1 },
    ],
    backup: () => [
      { args: ['backup', 'saved'], code: 0 },
      { args: ['backup', 'saved'], code: 1 },
      { args: ['backup', '--record'], code: 0 },
      { args: ['backup', 'saved', '--record'], code: 1 },
    ],
    restore: () => [
      { args: ['restore', 'saved'], env: in_('back'), code: 0 },
      { args: ['restore', 'saved'], env: in_('back'), code: 1 },
      { args: ['restore', 'saved', '--continue-after', 'SAMR900000'], env: in_('further'), code: 0 },
      { args: ['restore', 'saved', '--continue-after', '900000'], env: in_('elsewhere'), code: 1 },
    ],
    'migrate-store': () => {
      const from = `sqlite:${join(folder, 'back', 'registry.db')}`;
      const moved = (): Run => ({ args: ['migrate-store', '--from', from, '--to', freshSchemaUrl()], code: 0 });
      return [
        ...(without('postgres') ? [] : [moved()]),
        { args: ['migrate-store', '--from', 'sqlite:nowhere.db', '--to', 'postgres://127.0.0.1:19/x'], code: 1 },
      ];
    },
    verify: () => [
      { args: ['verify', '--originals'], env: in_('back'), code: 0 },
      { args: ['verify'], env: { STORE_URL: 'mysql://x' }, code: 1 },
      { args: ['restore', 'saved'], env: in_('spoilt'), code: 0 },
      { args: ['verify'], env: in_('spoilt'), before: () => loseOneSample(join(folder, 'spoilt')), code: 4 },
    ],
    reindex: () => [
      { args: ['reindex'], env: in_('back'), code: 0 },
      { args: ['reindex'], env: { STORE_URL: 'mysql://x' }, code: 1 },
    ],
    purge: () => [
      { args: ['purge'], env: in_('back'), code: 0 },
      { args: ['purge', '--find-orphans'], env: in_('back'), code: 0 },
      { args: ['purge', '--remove-orphans'], env: in_('back'), code: 0 },
      { args: ['purge'], env: { RETENTION_ORIGINALS_DAYS: 'never' }, code: 1 },
    ],
    erase: () => [
      { args: ['erase', accession], env: in_('back'), code: 0 },
      { args: ['erase', accession, '--yes', '--with-keys'], env: in_('back'), code: 0 },
      { args: ['erase', accession, '--yes', '--vacuum'], env: in_('back'), code: 0 },
      { args: ['erase'], env: in_('back'), code: 1 },
      { args: ['erase', 'sample 1', '--yes'], env: in_('back'), code: 1 },
    ],
    'audit verify': () => {
      const audit = join(folder, 'audit');
      mkdirSync(audit);
      writeFileSync(join(audit, 'audit-2026-01-01.jsonl'), '{"event":{},"hash":"none"}\n');
      return [
        { args: ['audit', 'verify'], code: 0 },
        { args: ['audit', 'verify'], env: { AUDIT_DIR: audit }, code: 4 },
      ];
    },
  };
}

/** Behind everybody's back. */
function loseOneSample(dataDir: string): void {
  const database = new Database(join(dataDir, 'registry.db'));
  const { changes } = database.prepare('delete from sample where id = (select max(id) from sample)').run();
  database.close();
  if (changes !== 1) throw new Error('There was no sample to lose.');
}
