/**
 * Names of receivers are asked of the name servers themselves. The system's lookup waits in one of two threads of the process for as
 * long as a name server likes: whoever named twenty receivers of a domain that does not answer kept everybody's from being found.
 */
import { NODATA, NOTFOUND, promises } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Of an answer, and of another one to a question that may have been lost. */
const ANSWER_MS = 2_000;
const TRIES = 2;

/** No name server is asked of it (RFC 6761, 6.3). */
const LOCAL = /(?:^|\.)localhost\.?$/i;
const LOOPBACK = { address: '127.0.0.1', family: 4 };

/** A lookup by `resolver`, for `net.connect`; without one by the name servers that the system names. */
export function nameServerLookup(
  resolver = new promises.Resolver({ timeout: ANSWER_MS, tries: TRIES }),
): LookupFunction {
  return (hostname, options, callback) => {
    if (LOCAL.test(hostname)) return callback(null, options.all ? [LOOPBACK] : LOOPBACK.address, LOOPBACK.family);
    const found = Promise.allSettled([
      resolver.resolve4(hostname).then((all) => all.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((all) => all.map((address) => ({ address, family: 6 }))),
    ]);
    void found.then((answers) => {
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const [first] = addresses;
      if (first === undefined) return callback(unknown(hostname, answers), '');
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** As the system's lookup would say it: what else the name server answered with is not the receiver's. */
function unknown(hostname: string, answers: readonly PromiseSettledResult<unknown>[]): NodeJS.ErrnoException {
  const isAnswered = answers.every(
    (answer) => answer.status === 'fulfilled' || [NODATA, NOTFOUND].includes(answer.reason?.code),
  );
  const code = isAnswered ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${hostname} was not found (${code})`), { code });
}
