/** Understands the arguments of `weed server` that docker-compose.yml gives, and serves S3 on its port. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const S3rver = require('s3rver');
const accounts = require('s3rver/lib/models/account');

const value = (name) => process.argv.find((argument) => argument.startsWith(`-${name}=`))?.slice(name.length + 2);
const { identities } = JSON.parse(readFileSync(value('s3.config'), 'utf8'));
for (const { credentials } of identities)
  for (const { accessKey, secretKey } of credentials) accounts.DUMMY_ACCOUNT.createKeyPair(accessKey, secretKey);

const server = new S3rver({
  address: value('ip.bind') ?? '0.0.0.0',
  port: 8333,
  // The name of the host is no name of a bucket.
  vhostBuckets: false,
  directory: value('dir'),
  silent: true,
});
await server.run();
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.close().then(() => process.exit(0)));
