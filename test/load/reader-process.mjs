/**
 * Reads addresses at even distances until its standard input ends, then prints what it was answered as JSON. A process
 * of its own: the loop that attacks must not count its own pauses as those of the service.
 */
import { Agent, get } from 'node:http';

const [url, perSecond, ...paths] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const answers = [];
const failures = [];
let stopped = false;
let running = 0;
const began = performance.now();

process.stdin.on('end', () => {
  stopped = true;
  endWhenQuiet();
});
process.stdin.resume();

function readNext(n) {
  if (stopped) return;
  running += 1;
  const sent = performance.now();
  const ended = () => {
    running -= 1;
    endWhenQuiet();
  };
  get(`${url}${paths[n % paths.length]}`, { agent }, (response) => {
    response.resume();
    response.once('end', () => {
      answers.push([response.statusCode, performance.now() - sent]);
      ended();
    });
  }).once('error', (error) => {
    failures.push(String(error));
    ended();
  });
  setTimeout(readNext, began + ((n + 1) * 1000) / Number(perSecond) - performance.now(), n + 1);
}

function endWhenQuiet() {
  if (!stopped || running > 0) return;
  process.stdout.write(JSON.stringify({ answers, failures }), () => process.exit());
}

readNext(0);
