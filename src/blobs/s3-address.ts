/**
 * Where S3-compatible storage is, as one address:
 *
 *     s3://[KEY:SECRET@]bucket[/prefix][?endpoint=https://host:9000][&region=eu-west-1][&pathStyle=true]
 *
 * Without `endpoint`: Amazon's. Without key and secret: the AWS SDK's own sources (environment, profile, machine role).
 */
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { RegistryError } from '../registry/errors.js';

export interface S3Address {
  bucket: string;
  /** Before every key; empty, or ends in a slash. */
  prefix: string;
  client: S3ClientConfig;
}

/** @throws RegistryError request.invalid, naming what is wrong with the address (never its secret) */
export function parseS3Address(url: string): S3Address {
  const match = /^s3:\/\/(?:([^:@/?]+):([^@/?]+)@)?([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?]*))?(?:\?(.*))?$/.exec(
    url,
  );
  if (!match) throw refused('has the form s3://bucket[/prefix][?endpoint=…&region=…&pathStyle=true]');
  const [, accessKeyId, secretAccessKey, bucket = '', path = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!['endpoint', 'region', 'pathStyle'].includes(name)) throw refused(`has no parameter "${name}"`);
  }
  const endpoint = parameters.get('endpoint');
  if (endpoint !== null && !/^https?:\/\/[^/]/.test(endpoint))
    throw refused('needs an endpoint like https://host:9000');
  const prefix = path.replace(/^\/+|\/+$/g, '');
  return {
    bucket,
    prefix: prefix && `${prefix}/`,
    client: {
      region: parameters.get('region') ?? 'us-east-1',
      forcePathStyle: parameters.get('pathStyle') === 'true',
      ...(endpoint === null ? {} : { endpoint }),
      ...(accessKeyId && secretAccessKey
        ? {
            credentials: {
              accessKeyId: decodeURIComponent(accessKeyId),
              secretAccessKey: decodeURIComponent(secretAccessKey),
            },
          }
        : {}),
    },
  };
}

function refused(reason: string): RegistryError {
  return new RegistryError('request.invalid', `The S3 address ${reason}.`);
}
