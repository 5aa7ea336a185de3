/** The containers of docker-compose.yml on this machine, started, killed, replaced and removed as compose would. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { nameOf, readCompose, runArguments } from './compose-file.mjs';
import { podman, succeeds, until } from './podman.mjs';

const START_SECONDS = 120;

export class Site {
  /** The name server of the network, and no other: podman also names those of the machine, which know no container. */
  #names = '';
  #folder = mkdtempSync(join(tmpdir(), 'proof-site-'));

  constructor(path, project, env) {
    this.project = project;
    this.services = readCompose(path, env);
  }

  service(name) {
    return this.services.find((each) => each.name === name);
  }

  /** Services that are built, not fetched. */
  get ours() {
    return this.services.filter(({ build }) => build);
  }

  container(name, number = 1) {
    return nameOf(this.project, name, number);
  }

  async up() {
    podman('network', 'create', this.project);
    this.#names = podman('network', 'inspect', this.project, '--format', '{{(index .Subnets 0).Gateway}}');
    for (const service of this.services) await this.#start(service);
    for (const service of this.services) await this.healthy(service);
  }

  async #start(service) {
    for (const { name, condition } of service.waitsFor) await this.#reached(this.service(name), condition);
    for (let number = 1; number <= service.replicas; number++) this.run(service, number);
  }

  run(service, number) {
    podman('run', '--detach', ...this.#arguments(service, number));
  }

  /** A command in a container of its own, with the volumes and settings of the service: `docker compose run --rm`. */
  runOnce(service, ...command) {
    const alone = { ...service, command, restart: undefined, healthcheck: { disable: true } };
    return podman('run', '--rm', ...this.#arguments(alone, 'once'));
  }

  #arguments(service, number) {
    const fileOf = (...config) => this.#fileOf(...config);
    return ['--dns', this.#names, ...runArguments(service, { project: this.project, number, fileOf })];
  }

  stop(service) {
    for (const container of this.#containersOf(service)) podman('stop', container);
  }

  start(service) {
    for (const container of this.#containersOf(service)) podman('start', container);
  }

  #containersOf({ name, replicas }) {
    return Array.from({ length: replicas }, (_, at) => this.container(name, at + 1));
  }

  /** Where the text of a config lies. */
  #fileOf(service, { target, content }) {
    const folder = join(this.#folder, service);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, basename(target));
    writeFileSync(path, content);
    return path;
  }

  async #reached(service, condition) {
    if (condition === 'service_healthy') return this.healthy(service);
    if (condition !== 'service_completed_successfully') return undefined;
    const code = podman('wait', this.container(service.name));
    if (code !== '0') throw new Error(`${service.name} ended with ${code}:\n${this.logs(service.name)}`);
    return undefined;
  }

  /** Of every container of the service; one that has no health check is well while it runs. */
  async healthy(service) {
    if (service.restart === undefined) return;
    const checked = service.healthcheck?.disable !== true && (service.build || service.healthcheck);
    for (let number = 1; number <= service.replicas; number++) {
      const container = this.container(service.name, number);
      await until(`${container} to be well`, START_SECONDS, () =>
        checked ? succeeds('healthcheck', 'run', container) : this.running(container),
      ).catch((error) => {
        throw new Error(`${error.message}\n${podman('ps', '--all')}\n${this.logs(service.name, number)}`);
      });
    }
  }

  running(container) {
    return podman('inspect', container, '--format', '{{.State.Running}}') === 'true';
  }

  /** Its process ends as by a crash (what the engine itself kills it does not start again), and it is back afterwards. */
  async kill(container) {
    const restarts = () => Number(podman('inspect', container, '--format', '{{.RestartCount}}'));
    const before = restarts();
    process.kill(Number(podman('inspect', container, '--format', '{{.State.Pid}}')), 'SIGKILL');
    await until(
      `${container} to be started again`,
      START_SECONDS,
      () => restarts() > before && this.running(container),
    );
  }

  /** The container of a newer image takes the place of this one. */
  async replace(service, number) {
    podman('stop', this.container(service.name, number));
    podman('rm', this.container(service.name, number));
    this.run(service, number);
    await this.healthy({ ...service, replicas: number });
  }

  logs(name, number = 1) {
    return podman('logs', '--tail', '30', this.container(name, number));
  }

  exec(name, ...command) {
    return podman('exec', this.container(name), ...command);
  }

  /** Nothing of the project stays, its data neither. */
  down() {
    const mine = podman('ps', '--all', '--quiet', '--filter', `label=proof=${this.project}`)
      .split('\n')
      .filter(Boolean);
    if (mine.length > 0) podman('rm', '--force', '--time', '5', ...mine);
    const volumes = podman('volume', 'ls', '--quiet')
      .split('\n')
      .filter((name) => name.startsWith(`${this.project}-`));
    if (volumes.length > 0) podman('volume', 'rm', '--force', ...volumes);
    if (succeeds('network', 'exists', this.project)) podman('network', 'rm', '--force', this.project);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
