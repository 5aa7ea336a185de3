/** docker-compose.yml as it is written → its containers, with the values that compose would fill in. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Of compose: `$$` is a dollar, `${NAME:-otherwise}` a setting. */
const filled = (text, env) =>
  text.replaceAll(/\$\$|\$\{(\w+)(?::-([^}]*))?\}/g, (whole, name, otherwise = '') =>
    whole === '$$' ? '$' : env[name] || otherwise,
  );

function filledIn(value, env) {
  if (typeof value === 'string') return filled(value, env);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, env));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, env)]));
}

const conditionsOf = (on = {}) =>
  Array.isArray(on)
    ? on.map((name) => ({ name, condition: 'service_started' }))
    : Object.entries(on).map(([name, { condition }]) => ({ name, condition }));

/** In the order in which they may start. */
export function readCompose(path, env = {}) {
  // Not before: the packages may be installed by whoever asks.
  const { parse } = require('yaml');
  const document = filledIn(parse(readFileSync(path, 'utf8'), { merge: true }), env);
  const services = Object.entries(document.services).map(([name, service]) => ({
    ...service,
    name,
    replicas: service.deploy?.replicas ?? 1,
    waitsFor: conditionsOf(service.depends_on),
    configs: (service.configs ?? []).map(({ source, target }) => ({
      target,
      content: document.configs[source].content,
    })),
  }));
  const ordered = [];
  const place = (service) => {
    if (ordered.includes(service)) return;
    for (const { name } of service.waitsFor) place(services.find((each) => each.name === name));
    ordered.push(service);
  };
  services.forEach(place);
  return ordered;
}

const SECONDS = { s: 1, m: 60, h: 3600 };
export const secondsOf = (text) => Number.parseFloat(text) * (SECONDS[/[smh]$/.exec(text)?.[0]] ?? 1);

/** podman takes the words of the command without compose's CMD before them, and is asked for each check. */
function healthArguments(check) {
  if (check?.disable) return ['--no-healthcheck'];
  if (!check?.test) return [];
  return ['--health-cmd', JSON.stringify(check.test.slice(1)), '--health-interval', 'disable'];
}

/** Arguments of `podman run` that say the same; `fileOf` writes a config and says where it lies. */
export function runArguments(service, { project, number, fileOf }) {
  const args = ['--name', nameOf(project, service.name, number), '--network', project, '--network-alias', service.name];
  args.push('--label', `proof=${project}`);
  if (service.restart) args.push('--restart', service.restart);
  if (service.read_only) args.push('--read-only');
  for (const each of service.cap_drop ?? []) args.push('--cap-drop', each);
  for (const each of service.security_opt ?? [])
    args.push('--security-opt', each.replace('no-new-privileges:true', 'no-new-privileges'));
  for (const each of service.tmpfs ?? []) args.push('--tmpfs', each);
  for (const each of service.ports ?? []) args.push('--publish', each);
  for (const each of service.volumes ?? []) args.push('--volume', `${project}-${each}`);
  for (const each of service.configs) args.push('--volume', `${fileOf(service.name, each)}:${each.target}:ro`);
  for (const [key, value] of Object.entries(service.environment ?? {})) args.push('--env', `${key}=${value}`);
  if (service.shm_size) args.push('--shm-size', service.shm_size);
  if (service.user) args.push('--user', service.user);
  if (service.stop_grace_period) args.push('--stop-timeout', String(secondsOf(service.stop_grace_period)));
  args.push(...healthArguments(service.healthcheck));
  if (service.entrypoint) args.push('--entrypoint', JSON.stringify(service.entrypoint));
  return [...args, imageOf(service), ...(service.command ?? [])];
}

export const nameOf = (project, name, number) => `${project}-${name}-${number}`;

/** As podman finds it without asking a registry. */
export const imageOf = ({ image, build }) =>
  build ? `localhost/${image}` : `docker.io/${image.includes('/') ? image : `library/${image}`}`;
