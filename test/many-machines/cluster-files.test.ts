/** deploy/kubernetes keeps to Kubernetes' rules, to the settings, and to what docker-compose.yml has shown to work. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, SETTINGS } from '../../src/config.js';
import { SECRETS } from '../../src/secret-settings.js';
import { ROOT } from '../support/output.js';
import { PROOF } from '../support/proof.js';
import { type Container, MANIFEST, type Manifest } from './cluster-schema.js';

const FOLDER = join(ROOT, 'deploy', 'kubernetes');
const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml');
const documents = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as unknown),
);
const manifests = documents.map((document) => MANIFEST.safeParse(document).data).filter((one) => one !== undefined);
const kustomization = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8')) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};
const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, { image: string; environment?: Record<string, string> }>;
  configs: Record<string, { content: string }>;
};

type Published = new (value: unknown) => { validate(): void };
type Of<Kind extends Manifest['kind']> = Extract<Manifest, { kind: Kind }>;
const all = <Kind extends Manifest['kind']>(kind: Kind): Of<Kind>[] =>
  manifests.filter((one): one is Of<Kind> => one.kind === kind);
const workloads = [...all('Deployment'), ...all('StatefulSet')];
const podOf = (workload: (typeof workloads)[number]) => workload.spec.template.spec;
const containerOf = (workload: (typeof workloads)[number]): Container => podOf(workload).containers[0] as Container;
const ours = workloads.filter((workload) => containerOf(workload).image === 'sample-registry');
const settings = all('ConfigMap').find(({ metadata }) => metadata.name === 'registry-settings')?.data ?? {};

describe('the manifests', () => {
  it.each(documents.map((one) => [`${(one as Manifest).kind} ${(one as Manifest).metadata.name}`, one] as const))(
    'have of %s what Kubernetes knows, and nothing else',
    (_, document) => expect(MANIFEST.safeParse(document).error?.issues ?? []).toEqual([]),
  );

  it('are all named by the kustomization, whose image is of this version', () => {
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted());
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(kustomization.images).toMatchObject([{ name: 'sample-registry', newTag: version }]);
  });

  it('are the processes of docker-compose.yml: services behind a proxy, workers, an indexer', () => {
    expect(ours.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'registry-indexer',
      'registry-service',
      'registry-worker',
    ]);
    const proxy = workloads.find((workload) => !ours.includes(workload));
    expect(proxy && containerOf(proxy).image).toBe(compose.services.proxy?.image);
    for (const workload of ours) {
      const program = (containerOf(workload).command?.[1] ?? '').replace(/^dist\//, '').replace(/\.js$/, '.ts');
      expect(existsSync(join(ROOT, program)), program).toBe(true);
    }
  });

  // Only what it fetches is heavier than a rule: the published schemas of all versions of all kinds.
  it.runIf(PROOF)('are taken by the published schemas', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cluster-schemas-'));
    try {
      execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'kubernetes-models@5'], {
        stdio: 'pipe',
      });
      for (const document of documents as Manifest[]) {
        const path = join(folder, 'node_modules', 'kubernetes-models', document.apiVersion, 'index.js');
        const models = createRequire(path)(path) as Record<string, Published>;
        const Model = models[document.kind];
        if (!Model) throw new Error(`no published ${document.apiVersion} ${document.kind}`);
        expect(() => new Model(document).validate()).not.toThrow();
        const broken = { ...document, metadata: { ...document.metadata, name: 5 } };
        expect(() => new Model(broken).validate()).toThrow();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the settings of the pods', () => {
  it('are settings that there are, with values that the program takes, as those of docker-compose.yml', () => {
    const known = [...Object.keys(SETTINGS.shape), ...SECRETS.map((secret) => `${secret}_FILE`)];
    expect(Object.keys(settings).filter((key) => !known.includes(key))).toEqual([]);
    const values = Object.fromEntries(Object.entries(settings).filter(([key]) => !key.endsWith('_FILE')));
    const secrets = { STORE_PASSWORD: 'p@ss', BLOB_SECRET: 's/3' };
    expect(loadConfig({ ...values, ...secrets })).toMatchObject({
      WORKERS: 0,
      STORE_URL: 'postgres://registry:p%40ss@postgres:5432/registry',
    });
    const shown = compose.services['api-1']?.environment ?? {};
    for (const key of ['QUEUE_URL', 'BLOB_URL', 'LEAVE_SECONDS', 'STORE_URL']) expect(settings[key]).toBe(shown[key]);
  });

  it('hold no secret: each comes from a file of the secret that docs/operations.md makes', () => {
    for (const secret of SECRETS) {
      if (secret.endsWith('_URL')) continue;
      expect(settings).not.toHaveProperty(secret);
    }
    const guide = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
    const paths = Object.entries(settings).filter(([key]) => key.endsWith('_FILE'));
    expect(paths.length).toBeGreaterThan(2);
    for (const [, path] of paths) {
      const [, file] = /^\/run\/secrets\/registry\/([\w-]+)$/.exec(path) ?? [];
      expect(guide).toContain(`--from-literal=${file}=`);
    }
    for (const workload of ours) {
      expect(containerOf(workload).volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: '/run/secrets/registry',
        readOnly: true,
      });
      // Numbers, since what 0440 means depends on who reads the file.
      expect(podOf(workload).volumes).toContainEqual({
        name: 'secrets',
        secret: { secretName: 'sample-registry', defaultMode: 0o440 },
      });
    }
  });
});

describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
  'the pods of %s',
  (_, workload) => {
    const container = containerOf(workload);

    it('have no rights, and write to volumes alone', () => {
      expect(podOf(workload)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const claimed = workload.kind === 'StatefulSet' ? workload.spec.volumeClaimTemplates : [];
      const volumes = [
        ...podOf(workload).volumes.map((volume) => volume.name),
        ...claimed.map((one) => one.metadata.name),
      ];
      expect(container.volumeMounts.map((mount) => mount.name).toSorted()).toEqual(volumes.toSorted());
    });

    it('are found by their own labels, and asked at ports that they open', () => {
      expect(workload.spec.template.metadata.labels).toEqual(workload.spec.selector.matchLabels);
      const open = (container.ports ?? []).map(({ name }) => name);
      for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
        if (probe) expect(open).toContain(probe.httpGet?.port ?? probe.tcpSocket?.port);
      for (const { name, containerPort } of container.ports ?? []) {
        if (!ours.includes(workload)) continue;
        expect(String(containerPort)).toBe(name === 'http' ? settings.PORT : settings.WORKER_METRICS_PORT);
      }
    });

    it('are given the time that they may take to end', () => {
      if (!ours.includes(workload)) return expect(container.lifecycle?.preStop.exec.command).toEqual(['sleep', '5']);
      const { LEAVE_SECONDS, SHUTDOWN_SECONDS } = loadConfig({ LEAVE_SECONDS: settings.LEAVE_SECONDS as string });
      const least = SHUTDOWN_SECONDS + (workload.kind === 'StatefulSet' ? LEAVE_SECONDS : 0);
      return expect(podOf(workload).terminationGracePeriodSeconds).toBeGreaterThan(least);
    });
  },
);

describe('the way in', () => {
  it('leads from the ingress by the proxy to every service', () => {
    const [ingress] = all('Ingress');
    const [path] = ingress?.spec.rules[0]?.http.paths ?? [];
    const front = all('Service').find(({ metadata }) => metadata.name === path?.backend.service.name);
    const proxy = workloads.find(({ metadata }) => metadata.name === 'registry-proxy');
    expect(proxy?.spec.template.metadata.labels).toEqual(front?.spec.selector);
    expect(front?.spec.ports.map(({ name }) => name)).toContain(path?.backend.service.port.name);
  });

  it('has the proxy of docker-compose.yml, but for names, and for what the ingress has said of the client', () => {
    const conf = all('ConfigMap').find(({ metadata }) => metadata.name === 'registry-proxy')?.data['haproxy.cfg'] ?? '';
    const service = all('StatefulSet')[0];
    const names = /^ {2}server (\S+) "([\w.-]+)\.\$\{NAMESPACE\}\.svc\.\$\{CLUSTER_DOMAIN\}:8080"$/gm;
    const addresses = [...conf.matchAll(names)].map(([, , address]) => address);
    const pods = Array.from(
      { length: service?.spec.replicas ?? 0 },
      (__, at) => `registry-service-${at}.registry-service`,
    );
    expect(addresses).toEqual([...pods, ...pods]);
    expect(service?.spec.serviceName).toBe('registry-service');
    const likeCompose = conf
      .replace(names, (_line, server: string) => `  server ${server} ${server}:8080`)
      .replace('balance hdr(X-Forwarded-For)', 'balance source');
    const here = (compose.configs.proxy?.content ?? '').replace(/^ {2}http-request set-header .*\n/gm, '');
    expect(likeCompose).toBe(here);
  });
});
