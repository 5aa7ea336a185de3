/**
 * What the manifests of deploy/kubernetes may say: of the kinds that they use, the fields that they use, as Kubernetes' own
 * schemas (API 1.29 and later) have them. A field that is not listed is refused, as the API server would drop it without
 * a word.
 */
import { z } from 'zod';

const strict = z.strictObject;
const labels = z.record(z.string(), z.string().max(63));
const name = z.string().regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
const port = z.int().min(1).max(65_535);
const targetPort = z.union([port, name]);
const quantity = z.string().regex(/^\d+(m|Ki|Mi|Gi)?$/);
const resources = strict({ cpu: quantity.optional(), memory: quantity.optional() });
const metadata = strict({ name, labels: labels.optional(), annotations: z.record(z.string(), z.string()).optional() });
const selector = strict({ matchLabels: labels });

const probe = strict({
  httpGet: strict({ path: z.string().startsWith('/'), port: targetPort }).optional(),
  tcpSocket: strict({ port: targetPort }).optional(),
  periodSeconds: z.int().positive().optional(),
  timeoutSeconds: z.int().positive().optional(),
  failureThreshold: z.int().positive().optional(),
}).refine(({ httpGet, tcpSocket }) => (httpGet === undefined) !== (tcpSocket === undefined), 'asks in one way');

const container = strict({
  name,
  image: z.string(),
  command: z.array(z.string()).optional(),
  env: z
    .array(
      strict({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: strict({
          fieldRef: strict({ fieldPath: z.enum(['metadata.namespace', 'metadata.name']) }),
        }).optional(),
      }),
    )
    .optional(),
  envFrom: z.array(strict({ configMapRef: strict({ name }) })).optional(),
  ports: z.array(strict({ name, containerPort: port })).optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  startupProbe: probe.optional(),
  lifecycle: strict({ preStop: strict({ exec: strict({ command: z.array(z.string()) }) }) }).optional(),
  resources: strict({ requests: resources, limits: resources }),
  securityContext: strict({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: strict({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z.array(strict({ name, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() })),
});
export type Container = z.infer<typeof container>;

const volume = strict({
  name,
  emptyDir: strict({}).optional(),
  secret: strict({ secretName: name, defaultMode: z.int().max(0o777) }).optional(),
  configMap: strict({ name }).optional(),
});

const template = strict({
  metadata: metadata.omit({ name: true }),
  spec: strict({
    automountServiceAccountToken: z.boolean(),
    terminationGracePeriodSeconds: z.int().optional(),
    securityContext: strict({
      runAsNonRoot: z.boolean(),
      runAsUser: z.int(),
      runAsGroup: z.int(),
      fsGroup: z.int().optional(),
      seccompProfile: strict({ type: z.enum(['RuntimeDefault', 'Localhost', 'Unconfined']) }),
    }),
    topologySpreadConstraints: z
      .array(
        strict({
          maxSkew: z.int().positive(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
          labelSelector: selector,
        }),
      )
      .optional(),
    containers: z.array(container).length(1, 'one process in each pod'),
    volumes: z.array(volume),
  }),
});

const claim = strict({
  metadata: strict({ name }),
  spec: strict({
    accessModes: z.array(z.enum(['ReadWriteOnce', 'ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOncePod'])),
    resources: strict({ requests: strict({ storage: quantity }) }),
  }),
});

const kind = <Name extends string, Version extends string, Rest extends z.core.$ZodShape>(
  apiVersion: Version,
  named: Name,
  rest: Rest,
) => strict({ apiVersion: z.literal(apiVersion), kind: z.literal(named), metadata, ...rest });

export const MANIFEST = z.discriminatedUnion('kind', [
  kind('v1', 'ConfigMap', { data: z.record(z.string(), z.string()) }),
  kind('apps/v1', 'Deployment', { spec: strict({ replicas: z.int().positive(), selector, template }) }),
  kind('apps/v1', 'StatefulSet', {
    spec: strict({
      serviceName: name,
      replicas: z.int().positive(),
      podManagementPolicy: z.enum(['OrderedReady', 'Parallel']),
      selector,
      template,
      volumeClaimTemplates: z.array(claim),
    }),
  }),
  kind('v1', 'Service', {
    spec: strict({
      clusterIP: z.literal('None').optional(),
      publishNotReadyAddresses: z.boolean().optional(),
      selector: labels,
      ports: z.array(strict({ name, port, targetPort })),
    }),
  }),
  kind('policy/v1', 'PodDisruptionBudget', { spec: strict({ maxUnavailable: z.int(), selector }) }),
  kind('networking.k8s.io/v1', 'Ingress', {
    spec: strict({
      tls: z.array(strict({ hosts: z.array(z.string()), secretName: name })),
      rules: z.array(
        strict({
          host: z.string(),
          http: strict({
            paths: z.array(
              strict({
                path: z.string().startsWith('/'),
                pathType: z.enum(['Prefix', 'Exact', 'ImplementationSpecific']),
                backend: strict({ service: strict({ name, port: strict({ name }) }) }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
]);
export type Manifest = z.infer<typeof MANIFEST>;
