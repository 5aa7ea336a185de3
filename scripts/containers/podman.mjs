/** podman as the proof of the containers calls it: what it prints is returned, what goes wrong is an error with its words. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { install } from '../services.mjs';

const STORAGE = '/var/lib/containers/storage';

/** Written where the machine has none of its own. Containers within containers lack systemd. */
const SETTINGS = {
  '/etc/containers/storage.conf': () =>
    `[storage]\ndriver = "${overlayMounts() ? 'overlay' : 'vfs'}"\nrunroot = "/run/containers/storage"\ngraphroot = "${STORAGE}"\n`,
  '/etc/containers/containers.conf': () =>
    '[containers]\ndefault_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]\nlog_driver = "k8s-file"\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n[network]\nnetwork_backend = "netavark"\n',
  '/etc/containers/registries.conf.d/docker.conf': () => 'unqualified-search-registries = ["docker.io"]\n',
};

/** @returns {string[]} programs that could not be had */
export function preparePodman() {
  const missing = install(['podman', 'debootstrap']);
  if (missing.length > 0) return missing;
  for (const [path, text] of Object.entries(SETTINGS)) if (!existsSync(path)) writeFileSync(path, text());
  return [];
}

/** Whether OverlayFS works where images are kept; containers within containers lack it, and without it each step of a build copies the whole image. */
function overlayMounts() {
  mkdirSync(STORAGE, { recursive: true, mode: 0o700 });
  const tried = mkdtempSync(join(STORAGE, 'overlay-tried-'));
  try {
    const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(tried, name));
    for (const folder of [lower, upper, work, merged]) mkdirSync(folder);
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    if (spawnSync('mount', ['-t', 'overlay', 'overlay', '-o', options, merged]).status !== 0) return false;
    return spawnSync('umount', [merged]).status === 0;
  } finally {
    rmSync(tried, { recursive: true, force: true });
  }
}

/** @returns {string} standard output, trimmed */
export function podman(...args) {
  const { status, stdout, stderr, error } = spawnSync('podman', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`podman ${args.slice(0, 6).join(' ')} … ended with ${status}:\n${stderr.slice(-3000)}`);
  return stdout.trim();
}

export const succeeds = (...args) => spawnSync('podman', args, { stdio: 'ignore' }).status === 0;

/** For what takes minutes: its last words come with its error. */
function podmanAtLength(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn('podman', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const keep = (text) => {
      said = (said + text).slice(-4000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`podman ${args.slice(0, 4).join(' ')} … ended with ${code}:\n${said}`)),
    );
  });
}

/** Builds as Docker does; base images are those that are here. */
export const build = (image, folder, ...options) =>
  podmanAtLength('build', '--format', 'docker', '--network', 'host', '--pull=never', ...options, '-t', image, folder);

/** Asks again and again; `what` names what was waited for. */
export async function until(what, seconds, holds) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`Waited ${seconds} s for ${what}.`);
    await sleep(300);
  }
}
