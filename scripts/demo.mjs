/**
 * `npm run demo`: sets up, serves from a temporary folder on a free port, and uploads one small and one large example
 * over HTTP, showing what comes back. Keeps serving until Ctrl-C; `-- --once` ends instead; `-- FILE…` uploads these files.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithNpm } from './end-with-npm.mjs';
import { ROOT, setUpOrExit } from './setup.mjs';

const args = process.argv.slice(2);
const once = args.includes('--once');
const named = args
  .filter((argument) => argument !== '--once')
  .map((path) => resolve(process.env.INIT_CWD ?? '.', path));
const examples = ['small.tsv', 'large.tsv'].map((name) => join(ROOT, 'samples-tsv', name));
const files = named.length > 0 ? named : examples;

const absent = files.filter((path) => !existsSync(path));
if (absent.length > 0) {
  console.error(`There is no file ${absent.join(', ')}.`);
  process.exit(1);
}

endWithNpm();
setUpOrExit();
const folder = mkdtempSync(join(tmpdir(), 'sample-registry-demo-'));
const token = `demo-${randomBytes(16).toString('hex')}`;
const server = serve();
let closing;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => close(0));
// A reader that has seen enough, such as `head`: without this the server would be left behind.
process.stdout.on('error', () => close(0));

try {
  const url = await address();
  console.log(`The registry runs at ${url}, with its data in ${folder}.\nThe administrator's token is ${token}`);
  let refused = 0;
  for (const file of files) if (!(await show(url, file))) refused += 1;
  if (once) await close(refused > 0 ? 1 : 0);
  else sayWhatNext(url);
} catch (error) {
  if (!closing) console.error(error.message);
  await close(1);
}

/** Its own process group: Ctrl-C reaches this script, which then asks the server to end, once. */
function serve() {
  // No setting of a registry that runs for real: neither its store nor its audit log, addresses or limits.
  const { PATH, HOME, TMPDIR, SystemRoot, NODE_OPTIONS } = process.env;
  const needed = { PATH, HOME, TMPDIR, SystemRoot, NODE_OPTIONS };
  const own = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, ADMIN_TOKEN: token, LOG_LEVEL: 'warn' };
  return spawn(process.execPath, [join(ROOT, 'dist', 'src', 'server.js')], {
    cwd: folder,
    env: { ...needed, ...own },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function address() {
  return new Promise((give, fail) => {
    let printed = '';
    server.once('error', fail);
    server.once('exit', (code) => fail(new Error(`The server ended with ${code} before it listened.\n${printed}`)));
    server.stdout.setEncoding('utf8').on('data', (text) => {
      printed = (printed + text).slice(-10_000);
      const found = /listening on (http:\/\/[^\s"]+)/.exec(printed);
      if (found) give(found[1]);
    });
  });
}

/** Uploads one file and prints what a submitter would look at; false when it was refused. */
async function show(url, file) {
  console.log(`\n── ${basename(file)} ${'─'.repeat(Math.max(0, 70 - basename(file).length))}`);
  let answer = await upload(url, file, {});
  if (lacksReleaseDate(answer)) {
    const today = new Date().toISOString().slice(0, 10);
    console.log(`${JSON.parse(answer.text).detail}\nSent again with releaseDate=${today}:`);
    answer = await upload(url, file, { releaseDate: today });
  }
  if (answer.status === 201) console.log(`201: small, so the result comes at once.\n\n${shorten(answer.text, 24)}`);
  else if (answer.status === 202) console.log(`202: large, so only a submission ID comes.\n\n${answer.text.trim()}`);
  else console.log(`${answer.status}: ${readable(answer.text)}`);
  const submission = answer.location && (await followed(answer.location));
  if (submission) await showMapping(submission);
  return answer.status < 300;
}

/** Real ISA-Tab tables have no such column; the upload then needs the option. */
function lacksReleaseDate({ status, text }) {
  if (status !== 422) return false;
  const { code, detail } = JSON.parse(text);
  return code === 'file.header' && /option releaseDate/.test(detail);
}

async function upload(url, file, options) {
  const form = new FormData();
  for (const [name, value] of Object.entries(options)) form.append(name, value);
  form.append('file', new File([readFileSync(file)], basename(file)));
  const answer = await fetch(`${url}/submissions`, { method: 'POST', headers: bearer(), body: form });
  const location = answer.ok ? new URL(answer.headers.get('location'), url).href : undefined;
  return { status: answer.status, text: await answer.text(), location };
}

/** Prints the progress as it changes, until the submission has ended. */
async function followed(location) {
  console.log(`\nSubmission ${location}`);
  for (let last = ''; ; await sleep(100)) {
    const submission = await (await fetch(location, { headers: bearer() })).json();
    const { rows, created, updated, unchanged, rejected } = submission.counts;
    const state = `${submission.submissionStatus} ${submission.phase}: ${rows} rows, ${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
    if (state !== last) console.log(`  ${state}`);
    last = state;
    if (submission.submissionStatus === 'ACTIVE') continue;
    return { location, ...submission };
  }
}

async function showMapping({ location }) {
  const mapping = await (await fetch(`${location}/mapping`, { headers: bearer() })).json();
  const pairs = mapping.sampleNameAccessionPairs;
  console.log(`\nMapping (${location}/mapping), ${pairs.length} pairs:`);
  for (const { sampleName, sampleAccession } of pairs.slice(0, 5)) console.log(`  ${sampleAccession}  ${sampleName}`);
  if (pairs.length > 5) console.log('  …');
}

function sayWhatNext(url) {
  console.log(`
── try next ${'─'.repeat(60)}
In a browser:   ${url}/
Your own file:  curl -H 'Authorization: Bearer ${token}' -F file=@FILE.tsv -F releaseDate=2025-01-01 ${url}/submissions
One sample:     curl ${url}/samples
All uploads:    curl -H 'Authorization: Bearer ${token}' ${url}/submissions
Ctrl-C ends the registry and deletes its data.`);
}

/** A table's lines with their middle cut out to fit a screen (accessions stand last), and the middle lines when there are many. */
function shorten(text, most) {
  const lines = text.trimEnd().split(/\r\n|\n|\r/);
  const cut = (line) => (line.length > 120 && line.includes('\t') ? `${line.slice(0, 80)} … ${line.slice(-30)}` : line);
  if (lines.length <= most) return lines.map(cut).join('\n');
  return [...lines.slice(0, most / 2), `… ${lines.length - most} lines …`, ...lines.slice(-most / 2)]
    .map(cut)
    .join('\n');
}

function readable(text) {
  try {
    const { title, detail } = JSON.parse(text);
    return `${title} ${detail ?? ''}`;
  } catch {
    return text.slice(0, 500);
  }
}

function bearer() {
  return { authorization: `Bearer ${token}` };
}

/** Ends the server, deletes its folder and ends this process; the second call waits for the first. */
async function close(code) {
  if (closing) return closing;
  closing = (async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((done) => server.once('exit', done));
      server.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  })();
  return closing;
}
