/** docker-compose.yml and Dockerfile keep to the settings, and to what a container must be. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, SETTINGS } from '../../src/config.js';
import { SECRETS } from '../../src/secret-settings.js';
import { ROOT } from '../support/output.js';

interface Container {
  build?: string;
  image: string;
  command?: string[];
  ports?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  user?: string;
  container_name?: string;
  deploy?: { replicas: number };
  healthcheck?: { disable?: boolean; test?: string[] };
  depends_on?: Record<string, { condition: string }> | string[];
}

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Container>;
  configs: Record<string, { content: string }>;
};
const dockerfile = read('Dockerfile');
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

/** As compose gives them with an empty .env. */
const valuesOf = (environment: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );

/** The last stage: what the image is. */
const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

describe.each(ours)('the container %s', (name, container) => {
  it('has settings that there are, with values that the program takes', () => {
    const settings = valuesOf(container.environment);
    const known = [...Object.keys(SETTINGS.shape), ...SECRETS.map((secret) => `${secret}_FILE`)];
    expect(Object.keys(settings).filter((key) => !known.includes(key))).toEqual([]);
    expect(loadConfig(settings)).toMatchObject({
      WORKERS: 0,
      TRUST_PROXY: '1',
      STORE_URL: 'postgres://registry:registry@postgres:5432/registry',
      QUEUE_URL: 'redis://redis:6379',
    });
  });

  it('takes any password', () => {
    const [POSTGRES_PASSWORD, S3_SECRET] = ['p@ss:w/rd?#%', 's/3+='];
    const settings = valuesOf({ ...container.environment, STORE_PASSWORD: POSTGRES_PASSWORD, BLOB_SECRET: S3_SECRET });
    expect(new URL(loadConfig(settings).STORE_URL).password).toBe(encodeURIComponent(POSTGRES_PASSWORD));
    for (const secret of ['STORE_PASSWORD', 'BLOB_SECRET']) expect(container.environment?.[secret]).toMatch(/^\$\{/);
  });

  it('writes to /data and /tmp only, without rights of its own', () => {
    expect(container).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    expect(container.security_opt).toContain('no-new-privileges:true');
    expect(container.user ?? 'node').not.toMatch(/^(root|0)/);
    for (const volume of container.volumes ?? []) expect(volume).toMatch(/:\/data$/);
  });

  it('is asked whether it lives, but for the indexer, which has nothing to ask', () => {
    if (name === 'indexer') expect(container.healthcheck).toEqual({ disable: true });
    else expect(container.healthcheck?.disable ?? false).toBe(false);
    const port = container.environment?.WORKER_METRICS_PORT;
    if (container.command?.some((part) => part.endsWith('ingest.js'))) {
      expect(port).toMatch(/^\d+$/);
      expect(container.healthcheck?.test?.join(' ')).toContain(`http://127.0.0.1:${port}`);
    }
  });

  it('starts when its engines are there, with a program that the build makes', () => {
    expect(container.depends_on).toMatchObject({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
      bucket: { condition: 'service_completed_successfully' },
    });
    for (const program of (container.command ?? []).filter((part) => part.endsWith('.js'))) {
      expect(existsSync(join(ROOT, program.replace(/^dist\//, '').replace(/\.js$/, '.ts'))), program).toBe(true);
    }
  });
});

describe('docker-compose.yml', () => {
  it('has two services, workers that can be more, and an indexer', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['api-1', 'api-2', 'indexer', 'worker']);
    const { worker } = compose.services;
    expect(worker?.deploy?.replicas).toBeGreaterThan(1);
    // Either would keep a second one from starting.
    expect(worker).not.toHaveProperty('container_name');
    expect(worker).not.toHaveProperty('ports');
  });

  it('is reached from this machine only, as long as nobody says otherwise: its passwords have defaults', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
    );
    expect(published).toEqual([['proxy', '127.0.0.1:8080:80']]);
  });

  it('gives the engines the passwords that the programs have', () => {
    const { environment } = compose.services['api-1'] as Container;
    const { postgres, bucket } = compose.services;
    expect(postgres?.environment?.POSTGRES_PASSWORD).toBe(environment?.STORE_PASSWORD);
    expect(bucket?.environment?.AWS_SECRET_ACCESS_KEY).toBe(environment?.BLOB_SECRET);
    expect(compose.configs.storage?.content).toContain(`"secretKey": "${environment?.BLOB_SECRET}"`);
  });

  it('has a proxy that finds a service again which was replaced', () => {
    const { environment } = compose.services.proxy as Container;
    const conf = compose.configs.proxy?.content ?? '';
    expect(environment).toHaveProperty('NGINX_ENTRYPOINT_LOCAL_RESOLVERS');
    expect(conf).toMatch(/^resolver \$\$\{NGINX_LOCAL_RESOLVERS\} valid=\d+s;$/m);
    const upstreams = [...conf.matchAll(/^upstream (\w+) \{(.*)\}$/gm)];
    expect(upstreams.map(([, name]) => name)).toEqual(['api', 'files']);
    for (const [, name, servers = ''] of upstreams) {
      expect(servers).toContain(`zone ${name} `);
      const named = [...servers.matchAll(/server (\S+):8080( resolve)?;/g)];
      expect(named.map(([, host, resolved]) => [host, resolved])).toEqual([
        ['api-1', ' resolve'],
        ['api-2', ' resolve'],
      ]);
    }
  });

  it.each(Object.entries(compose.services).filter(([name]) => ['postgres', 'redis'].includes(name)))(
    'asks %s whether it is ready',
    (_name, { healthcheck }) => expect(healthcheck?.test?.[0]).toBe('CMD'),
  );
});

describe('the Dockerfile', () => {
  it('copies folders that there are', () => {
    const copied = [...dockerfile.matchAll(/--from=build \/app\/([\w./-]+)/g)].map(([, folder]) => folder as string);
    expect(copied.length).toBeGreaterThan(4);
    for (const folder of copied) {
      if (!/^(node_modules|dist|web\/dist)$/.test(folder)) expect(existsSync(join(ROOT, folder)), folder).toBe(true);
    }
  });

  it('is of a Node that is looked after, in both stages the same, and within what package.json takes', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:2[4-9]-\w+-slim$/);
  });

  it('runs as an ordinary user, and any user id of the group root may write to /data', () => {
    expect(image).toMatch(/^USER node$/m);
    expect(image).toMatch(/chown node:root \/data && chmod g=u \/data/);
    expect(image).toMatch(/^VOLUME \/data$/m);
  });

  it('has what an operator needs: the command, and pg_dump for backups', () => {
    expect(image).toContain('postgresql-client');
    const [, target] = /ln -s \/app\/dist\/(\S+)\.js \/usr\/local\/bin\/sample-registry/.exec(image) ?? [];
    expect(image).toContain(`chmod +x dist/${target}.js`);
    expect(read(`${target}.ts`)).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('asks for life at an address that there is', () => {
    const path =
      /fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}\$\{process\.env\.BASE_PATH \?\? ''\}([^`]+)`/.exec(image);
    expect(read('src/http/openapi/service-operations.ts')).toContain(`'${path?.[1]}'`);
  });
});
