/**
 * `npm run proof:containers`: builds the image as it is written, starts docker-compose.yml as it is written, and does to
 * it what a site lives through: uploads, a killed worker, a killed database, an upgrade, backup and restore. Wants root,
 * podman and a network that has Debian and npm packages; images that no registry gives are made here.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { provideImages } from './containers/base-images.mjs';
import { busyWith } from './containers/busy-visitor.mjs';
import { imageOf } from './containers/compose-file.mjs';
import { build, podman, preparePodman, until } from './containers/podman.mjs';
import { Site } from './containers/site.mjs';
import { Visitor } from './containers/visitor.mjs';
import { freePort } from './services.mjs';
import { ROOT, setUpOrExit } from './setup.mjs';

const LARGE_ROWS = 100_000;
const PROXY_TURNS_MS = 5_000;
const LARGEST_IMAGE = 300 * 1024 * 1024;
const began = Date.now();
let passed = 0;

setUpOrExit();
const missing = preparePodman();
if (missing.length > 0) {
  console.error(`This proof wants ${missing.join(', ')}: install them, or run it as root on Debian.`);
  process.exit(1);
}

const project = `proof-${process.pid}`;
const port = await freePort();
const token = 'proof-of-the-containers';
const site = new Site(join(ROOT, 'docker-compose.yml'), project, {
  PORT: String(port),
  ADMIN_TOKEN: token,
  POSTGRES_PASSWORD: 'p@ss:w/rd',
  S3_SECRET: 's/3cret+',
});
const visitor = new Visitor(`http://127.0.0.1:${port}`, token);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(130));

try {
  await step('images', async () => {
    const from = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
      ([, image]) => `docker.io/library/${image}`,
    );
    const used = site.services.filter(({ build }) => !build).map(imageOf);
    const made = await provideImages([...new Set([...from, ...used])], (line) => console.log(`   ${line}`));
    if (made.length > 0)
      console.log(
        `   Made here, so not proven: the programs of ${made.join(', ')} in the versions that these names mean.`,
      );
  });
  await step('the image as it is written', async () => {
    await buildImage(ROOT);
    const image = imageOf(site.ours[0]);
    const size = Number(podman('image', 'inspect', image, '--format', '{{.Size}}'));
    const user = podman('image', 'inspect', image, '--format', '{{.User}}');
    console.log(`   ${Math.round(size / 1024 / 1024)} MiB, user ${user}`);
    must(user !== '' && user !== 'root' && user !== '0', 'it is run as root');
    must(size <= LARGEST_IMAGE, `it is larger than ${LARGEST_IMAGE / 1024 / 1024} MiB`);
  });
  await step('docker-compose.yml as it is written', async () => {
    await site.up();
    await until('the proxy', 30, () => visitor.ready());
  });
  await step('containers that write nowhere else, without rights', () => {
    for (const { name } of site.ours) {
      must(
        podman('exec', site.container(name), 'sh', '-c', 'touch /app/x 2>/dev/null && echo written || echo refused') ===
          'refused',
        `${name} can write to its program`,
      );
      must(podman('exec', site.container(name), 'id', '-u') !== '0', `${name} is root`);
    }
  });
  await step('uploads through the proxy', async () => {
    const { text } = await visitor.upload('small', 10);
    must(text.includes('Sample Identifier') && /Created\s+10/.test(text), `the result is ${text.slice(0, 300)}`);
    await registered(await visitor.submit('large', LARGE_ROWS), LARGE_ROWS);
  });
  await step('a worker that is killed', async () => {
    const submissionId = await visitor.submit('killed', LARGE_ROWS);
    await site.kill(await busyWorker());
    await registered(submissionId, LARGE_ROWS);
  });
  await step('a database that is killed', async () => {
    const submissionId = await visitor.submit('databaseless', LARGE_ROWS);
    await busyWorker();
    await site.kill(site.container('postgres'));
    await site.healthy(site.service('postgres'));
    await registered(submissionId, LARGE_ROWS);
  });
  await step('an upgrade without a refused request', async () => {
    await buildSecond();
    const busy = busyWith(visitor);
    for (const service of site.ours)
      for (let number = 1; number <= service.replicas; number++) {
        await site.replace(service, number);
        // As docs/operations.md has it.
        await sleep(PROXY_TURNS_MS);
      }
    const { read, registered: written, refused } = await busy.stop();
    console.log(`   ${read} reads and ${written} uploads were answered meanwhile`);
    must(refused.length === 0, `${refused.length} were refused: ${refused.slice(0, 3).join('; ')}`);
    must(read > 50 && written > 10, 'too few requests to say anything');
    must(site.exec('api-1', 'cat', '/app/docs/second-build.md').includes('second'), 'the old image still runs');
  });
  await step('backup and restore', backUpAndRestore);
  await step('stopped, and nothing left', async () => {
    site.down();
    must(podman('ps', '--all', '--quiet', '--filter', `label=proof=${project}`) === '', 'containers are left');
  });
  end(0);
} catch (error) {
  console.error(error.message);
  end(1);
}

async function step(name, work) {
  const start = Date.now();
  console.log(`── ${name}`);
  await work();
  passed++;
  console.log(`── ${name}: passed (${Math.round((Date.now() - start) / 1000)} s)`);
}

function must(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

function end(code) {
  site.down();
  console.log(`\n${passed} passed, ${code === 0 ? 0 : 1} failed (${Math.round((Date.now() - began) / 1000)} s)`);
  process.exit(code);
}

function buildImage(folder) {
  return build(imageOf(site.ours[0]), folder);
}

/** The same program with a page more, built from a copy. */
async function buildSecond() {
  const copy = mkdtempSync(join(tmpdir(), 'proof-second-'));
  try {
    cpSync(ROOT, copy, {
      recursive: true,
      filter: (path) => !/[\\/](?:node_modules|dist|\.git|test-output|data)$/.test(path),
    });
    writeFileSync(join(copy, 'docs', 'second-build.md'), '# The second build\n');
    await buildImage(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Every row once. */
async function registered(submissionId, rows) {
  const { submissionStatus, counts } = await visitor.ended(submissionId);
  must(submissionStatus === 'COMPLETED' && counts.created === rows, `${submissionStatus}: ${JSON.stringify(counts)}`);
  const accessions = await visitor.mapping(submissionId);
  must(accessions.size === rows && new Set(accessions.values()).size === rows, `${accessions.size} names`);
}

/** The worker that has begun with rows: the one that takes more of the processor. */
async function busyWorker() {
  const { replicas } = site.service('worker');
  const workers = Array.from({ length: replicas }, (_, at) => site.container('worker', at + 1));
  const used = (container) => Number(podman('exec', container, 'awk', '{print $14 + $15}', '/proc/1/stat'));
  const before = workers.map(used);
  let busiest = 0;
  await until('a worker to begin', 30, () => {
    const grown = workers.map((container, at) => used(container) - before[at]);
    busiest = grown.indexOf(Math.max(...grown));
    return grown[busiest] > 20;
  });
  return workers[busiest];
}

/** Into an empty database: what was registered is there under the same accessions, and to the fingerprint. */
async function backUpAndRestore() {
  const before = (await visitor.upload('kept', 20)).text;
  const accession = /\t(SAMR\d+)/.exec(before)[1];
  const { body: sample } = await visitor.call(`/samples/${accession}`);
  console.log(`   ${site.exec('api-1', 'sample-registry', 'backup', '/data/saved').split('\n').at(-1)}`);
  for (const service of site.ours) site.stop(service);
  site.exec('postgres', 'dropdb', '-U', 'registry', 'registry');
  site.exec('postgres', 'createdb', '-U', 'registry', 'registry');
  const restored = site.runOnce(site.service('api-1'), 'sample-registry', 'restore', '/data/saved').split('\n').at(-1);
  for (const service of site.ours) site.start(service);
  for (const service of site.ours) await site.healthy(service);
  await until('the service', 60, () => visitor.ready());
  const { body: found } = await visitor.call(`/samples/${accession}`);
  must(JSON.stringify(found) === JSON.stringify(sample), 'a sample is not what it was');
  const verified = site.exec('api-1', 'sample-registry', 'verify').split('\n').at(-1);
  console.log(`   restored with ${restored}, verified with ${verified}`);
  must(/^fingerprint \w+$/.test(verified) && verified === restored, 'the store is not what was restored');
}
