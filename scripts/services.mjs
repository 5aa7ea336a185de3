/**
 * Throwaway services for one test run: each in a temporary folder, on a free port of the loopback interface, gone
 * afterwards. As root on Debian what is missing is installed; elsewhere what is there is used. Run by itself, it installs
 * all of them, and ends with 1 and the names of those that could not be had.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Program → Debian package that holds it, and those without which it does nothing here. */
const PACKAGES = {
  'redis-server': 'redis-server',
  postgres: 'postgresql',
  chromium: 'chromium',
  sqlite3: 'sqlite3',
  'sqlite-utils': 'sqlite-utils',
  prometheus: 'prometheus',
  strace: 'strace',
  pgbouncer: 'pgbouncer',
  podman: 'podman runc netavark aardvark-dns iptables',
  debootstrap: 'debootstrap',
  'systemd-analyze': 'systemd',
};
/** What the suites start. */
export const OFTEN_STARTED = ['redis-server', 'postgres', 'chromium', 'sqlite3'];
/** What suites of their own start, 300 MB: used where it is, installed where everything must be proven. */
export const RARELY_STARTED = ['prometheus', 'pgbouncer', 'systemd-analyze'];
/** What the benchmark measures with. */
export const MEASURED_WITH = ['sqlite3', 'sqlite-utils', 'redis-server', 'postgres'];
/** Chromium without windows: it draws the same pages for four fifths of the processor's time. Not every Debian has it. */
const HEADLESS = 'chromium-headless-shell';
const START_MS = 30_000;
/** Clusters of PostgreSQL as they begin, by version; `npm ci` deletes them. */
const KEPT = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', 'postgres');

const run = promisify(execFile);

/** Path of a program, or undefined. PostgreSQL's own programs lie outside the search path on Debian. */
export function find(program) {
  if (program === 'chromium') return commandOf(HEADLESS) ?? commandOf('chromium');
  if (program !== 'postgres') return commandOf(program);
  const ofDebian = '/usr/lib/postgresql';
  const versions = existsSync(ofDebian) ? readdirSync(ofDebian).sort((one, other) => Number(other) - Number(one)) : [];
  return (
    versions.map((version) => join(ofDebian, version, 'bin', 'postgres')).find(hasInitdb) ??
    [join(spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? '', 'postgres')].find(hasInitdb)
  );
}

const hasInitdb = (postgres) => existsSync(postgres) && existsSync(beside(postgres, 'initdb'));
const beside = (postgres, program) => join(dirname(postgres), program);

const commandOf = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());

/** Installs those that are missing where that is possible; returns the programs that could not be had. */
export function install(programs) {
  const missing = programs.filter((program) => !find(program));
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return missing;
  if (missing.length > 0) {
    const packages = () => missing.map(packagesOf);
    console.log(`Installing ${packages().join(', ')} (apt-get) …`);
    withoutAutostart(() => {
      if (apt('install', packages())) return;
      apt('update', []);
      apt('install', packages());
    });
  }
  if (programs.includes('chromium') && !commandOf(HEADLESS) && isOffered(HEADLESS)) {
    console.log(`Installing ${HEADLESS} (apt-get), which is quicker than the Chromium that is here …`);
    apt('install', [HEADLESS]);
  }
  return missing.filter((program) => !find(program));
}

const packagesOf = (program) => (program === 'chromium' && isOffered(HEADLESS) ? HEADLESS : PACKAGES[program]);

/** In the lists of packages that are here. */
const isOffered = (name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;

function apt(command, packages) {
  const names = packages.flatMap((each) => each.split(' '));
  const args = command === 'install' ? ['install', '-y', '--no-install-recommends', ...names] : [command];
  const { status } = spawnSync('apt-get', ['-qq', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

/** Debian starts a service as soon as it is installed; we start our own. */
function withoutAutostart(work) {
  const policy = '/usr/sbin/policy-rc.d';
  const ours = !existsSync(policy);
  if (ours) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    chmodSync(policy, 0o755);
  }
  try {
    work();
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}

/** @returns {Promise<{url: string, stop: () => void}>} a Redis that keeps nothing */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'sample-registry-redis-'));
  const port = await freePort();
  const settings = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ];
  return running('redis', find('redis-server'), settings.map(String), {
    folder,
    port,
    url: `redis://127.0.0.1:${port}`,
  });
}

/**
 * `durable`: it waits for the disk, as a real one does; the suites do without.
 * @returns {Promise<{url: string, stop: () => void}>} an empty PostgreSQL whose superuser needs no password
 */
export async function startPostgres({ durable = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sample-registry-postgres-'));
  const port = await freePort();
  const postgres = find('postgres');
  const user = ownerOf(folder);
  const data = join(folder, 'data');
  await initialise(postgres, data, { ...user, cwd: folder });
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    `fsync=${durable ? 'on' : 'off'}`,
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  // It takes connections a while before it answers them otherwise than that it is starting up.
  const ready = /ready to accept connections/;
  return running('postgres', postgres, args, { folder, port, url, user, signal: 'SIGINT', ready });
}

/** What initdb writes takes a second, and is kept for the next time: a run of one folder of tests is over in a few. */
async function initialise(postgres, data, owner) {
  const version = execFileSync(postgres, ['--version'], { encoding: 'utf8' });
  const kept = join(KEPT, version.trim().replaceAll(/[^\w.]+/g, '-'));
  if (existsSync(kept) && (await copied(kept, data))) return;
  const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run(beside(postgres, 'initdb'), words, owner);
  const copy = `${kept}-${randomUUID()}`;
  if (!(await copied(data, copy))) return;
  try {
    renameSync(copy, kept);
  } catch {
    // Another run has kept it, or another user.
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Whether a whole copy could be made: not of what belongs to another user, and not where nothing may be written. */
async function copied(from, to) {
  try {
    mkdirSync(dirname(to), { recursive: true });
    await run('cp', ['-a', from, to]);
    return true;
  } catch {
    rmSync(to, { recursive: true, force: true });
    return false;
  }
}

/** PostgreSQL refuses to run as root: the folder then goes to the user that Debian makes for it. */
function ownerOf(folder) {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = { uid: id('-u'), gid: id('-g') };
  chownSync(folder, user.uid, user.gid);
  return user;
}

/** Starts the program away from the terminal's Ctrl-C and resolves once it takes connections. */
async function running(name, program, args, { folder, port, url, user = {}, signal = 'SIGTERM', ready = /(?:)/ }) {
  const child = spawn(program, args, { ...user, cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output = (output + text).slice(-4000);
    });
  }
  const stop = () => {
    if (child.exitCode === null) {
      child.kill(signal);
      waitForEnd(child.pid);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + START_MS; !(ready.test(output) && (await accepts(port))); await sleep(50)) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    stop();
    throw new Error(`${name} did not start:\n${output}`);
  }
  return { url, stop };
}

/** Blocks, so that it may be called while the process is ending; kills after 5 s. */
function waitForEnd(pid) {
  const script = `for i in $(seq 50); do grep -qs '^State:.[^Z]' /proc/${pid}/status || exit 0; sleep 0.1; done; kill -9 ${pid}`;
  spawnSync('sh', ['-c', script]);
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = install([...new Set([...OFTEN_STARTED, ...RARELY_STARTED, ...MEASURED_WITH])]);
  console.log(missing.length === 0 ? 'All services are here.' : `Not to be had here: ${missing.join(', ')}.`);
  process.exit(missing.length === 0 ? 0 : 1);
}
