/** docker-compose.yml and Dockerfile keep to the settings, and to what a container must be. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
// @ts-expect-error: a script has no types.
import * as composed from '../../scripts/containers/compose-file.mjs';
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
  stop_grace_period?: string;
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

interface Started extends Container {
  name: string;
  replicas: number;
  waitsFor: { name: string; condition: string }[];
}

const readCompose: (path: string, env: Record<string, string>) => Started[] = composed.readCompose;
const runArguments: (
  service: Started,
  site: { project: string; number: number; fileOf(service: string, config: { target: string }): string },
) => string[] = composed.runArguments;

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

/** How long the proxy may take to turn from a service that says that it leaves. */
function secondsUntilLeft(conf: string): number {
  const check = /^ {2}default-server check inter (\d+)s fastinter (\d+)ms fall (\d+) /m.exec(conf) ?? [];
  const [inter, fastinter, fall] = check.slice(1).map(Number);
  if (inter === undefined || fastinter === undefined || fall === undefined) throw new Error('the proxy does not ask');
  return inter + ((fall - 1) * fastinter) / 1000;
}

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

  it('is given the time that it may take to end, and a service more than the proxy needs to turn to the other', () => {
    const { LEAVE_SECONDS, SHUTDOWN_SECONDS } = loadConfig(valuesOf(container.environment));
    const serves = container.command === undefined;
    const given = Number.parseInt(container.stop_grace_period ?? '10', 10);
    expect(given).toBeGreaterThan(SHUTDOWN_SECONDS + (serves ? LEAVE_SECONDS : 0));
    expect(LEAVE_SECONDS).toBeGreaterThan(secondsUntilLeft(compose.configs.proxy?.content ?? ''));
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
    expect(published).toEqual([['proxy', '127.0.0.1:8080:8080']]);
  });

  it('gives the engines the passwords that the programs have', () => {
    const { environment } = compose.services['api-1'] as Container;
    const { postgres, bucket } = compose.services;
    expect(postgres?.environment?.POSTGRES_PASSWORD).toBe(environment?.STORE_PASSWORD);
    expect(bucket?.environment?.AWS_SECRET_ACCESS_KEY).toBe(environment?.BLOB_SECRET);
    expect(compose.configs.storage?.content).toContain(`"secretKey": "${environment?.BLOB_SECRET}"`);
  });

  it('has a proxy that asks each service whether it leaves, and finds one again which was replaced', () => {
    const conf = compose.configs.proxy?.content ?? '';
    expect(conf).toMatch(/^ {2}http-check send meth GET uri \/health\/live$/m);
    expect(conf).toMatch(/^ {2}http-check expect ! string "leaving"$/m);
    expect(conf).toMatch(/^ {2}default-server check .*resolvers names init-addr none$/m);
    // Otherwise HAProxy refuses the file.
    expect(conf.endsWith('\n')).toBe(true);
    const backends = conf.split(/^(?=backend )/m).slice(1);
    expect(backends.map((text) => /^backend (\w+)$/m.exec(text)?.[1])).toEqual(['api', 'files']);
    for (const text of backends)
      expect([...text.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, , address]) => address)).toEqual([
        'api-1:8080',
        'api-2:8080',
      ]);
    expect(backends[1]).toMatch(/^ {2}balance source$/m);
  });

  it.each(Object.entries(compose.services).filter(([name]) => ['postgres', 'redis'].includes(name)))(
    'asks %s whether it is ready',
    (_name, { healthcheck }) => expect(healthcheck?.test?.[0]).toBe('CMD'),
  );
});

describe('the containers that the proof starts', () => {
  const started = readCompose(join(ROOT, 'docker-compose.yml'), { ADMIN_TOKEN: 'a token', PORT: '9000' });
  const argumentsOf = (name: string, number = 1): string =>
    runArguments(started.find((service) => service.name === name) as Started, {
      project: 'p',
      number,
      fileOf: (service, { target }) => `/configs/${service}${target}`,
    }).join(' ');

  it('are those of the file, each after those that it waits for', () => {
    expect(started.map(({ name }) => name).sort()).toEqual(Object.keys(compose.services).sort());
    const at = (name: string): number => started.findIndex((service) => service.name === name);
    for (const { name, waitsFor } of started)
      for (const other of waitsFor) expect(at(other.name)).toBeLessThan(at(name));
    expect(started.find(({ name }) => name === 'worker')?.replicas).toBe(2);
  });

  it('have no more rights than the file gives them', () => {
    for (const [name] of ours)
      expect(argumentsOf(name)).toMatch(/--read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs \/tmp /);
  });

  it('have the settings, ports, files and commands of the file, with what compose fills in', () => {
    expect(argumentsOf('api-1')).toContain('--env ADMIN_TOKEN=a token --env METRICS_TOKEN= ');
    expect(argumentsOf('api-1')).toMatch(/ localhost\/sample-registry$/);
    expect(argumentsOf('worker', 2)).toMatch(
      /--name p-worker-2 .* localhost\/sample-registry node dist\/workers\/ingest\.js$/,
    );
    expect(argumentsOf('proxy')).toContain('--publish 127.0.0.1:9000:8080');
    expect(argumentsOf('proxy')).toContain('--volume /configs/proxy/usr/local/etc/haproxy/haproxy.cfg:');
    expect(argumentsOf('postgres')).toContain('--health-cmd ["pg_isready","-U","registry"]');
    expect(argumentsOf('indexer')).toContain('--no-healthcheck');
    expect(argumentsOf('bucket')).toContain('for try in $(seq 60)');
  });

  it('have images that can be made where no registry answers', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base as string);
    for (const service of started) if (service.build === undefined) images.push(service.image as string);
    for (const name of images) {
      const folder = /([^/:]+):[^:]*$/.exec(name)?.[1] as string;
      expect(existsSync(join(ROOT, 'scripts', 'containers', 'images', folder, 'Dockerfile')), name).toBe(true);
    }
  });
});

describe('the Dockerfile', () => {
  it('copies folders that there are', () => {
    const copied = [...dockerfile.matchAll(/--from=build \/app\/([\w./-]+)/g)].map(([, folder]) => folder as string);
    expect(copied.length).toBeGreaterThan(4);
    for (const folder of copied) {
      if (!/^(node_modules|dist|web\/dist)$/.test(folder)) expect(existsSync(join(ROOT, folder)), folder).toBe(true);
    }
  });

  it('is built and run by a Node that is looked after, on the Debian that it is made for', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    const [, debian] = /^node:2[4-9]-(\w+-slim)$/.exec(bases[0] ?? '') ?? [];
    expect(bases.slice(1)).toEqual([`debian:${debian}`, `debian:${debian}`]);
    expect(image).toMatch(/^COPY --from=build \/usr\/local\/bin\/node \/usr\/local\/bin\/node$/m);
  });

  it('runs as an ordinary user, and any user id of the group root may write to /data', () => {
    expect(image).toMatch(/^USER node$/m);
    expect(image).toMatch(/chown node:root \/data && chmod g=u \/data/);
    expect(image).toMatch(/^VOLUME \/data$/m);
  });

  it('has what an operator needs: the command, and pg_dump for backups', () => {
    expect(image).toMatch(/^COPY --from=postgres-client \/client \/usr\/local\/bin$/m);
    for (const program of ['pg_dump', 'pg_restore']) expect(dockerfile).toContain(`/bin/${program}`);
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
