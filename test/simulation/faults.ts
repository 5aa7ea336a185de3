/** What strikes a site, and how it comes to rest again. */
import type { Disk } from './disk.js';
import type { Fault } from './plan.js';
import { SECOND_SERVER, type Site } from './processes.js';
import { HEAVEN, type Life, type World } from './world.js';

const kinds = {
  storeIsAway: 'store is away',
  storeLosesAnswer: 'store loses an answer',
  storeIsFull: 'store is full',
  diskFails: 'disk is away',
  diskLosesAnswer: 'disk loses an answer',
} as const;

export class Faults {
  #next = 0;

  constructor(
    private readonly world: World,
    private readonly site: Site,
    private readonly disk: Disk,
    private readonly faults: readonly Fault[],
  ) {
    world.beforeEvent = () => {
      for (let fault = faults[this.#next]; fault && fault.before <= world.happened; fault = faults[this.#next]) {
        this.#next++;
        this.#strike(fault);
      }
    };
  }

  get over(): boolean {
    return this.#next >= this.faults.length;
  }

  /** Nothing strikes any more; who is ended is started again, and what goes wrong goes well from now on. */
  calm(): void {
    this.#next = this.faults.length;
    const { site, disk, world } = this;
    site.lost = 0;
    site.twice = 0;
    site.receivers.failing = 0;
    disk.full = false;
    for (const name of site.names) {
      const life = site.lives.get(name);
      if (!life?.alive) site.start(name);
      else {
        life.failing.clear();
        life.slowCalls = 0;
        life.frozenUntil = Math.min(life.frozenUntil, world.now);
      }
    }
  }

  #strike(fault: Fault): void {
    const { world, site, disk } = this;
    const name = site.names[fault.pick % site.names.length] as string;
    const life = site.lives.get(name) as Life;
    const many = 1 + Math.floor(fault.size * 4);
    // Nobody waits for the second server: it may be away for longer than a message of a webhook is left to it.
    const long = fault.size ** 2 * (name === SECOND_SERVER ? 200_000 : 40_000);
    switch (fault.kind) {
      case 'kill':
        this.#kill(name, fault.size * 3000);
        return;
      case 'powerCut':
        for (const each of site.names) this.#kill(each, 500 + fault.size * 3000);
        disk.cutPower();
        world.note('*', 'the power is cut');
        return;
      case 'freeze':
        world.note('*', `${name} is frozen for ${Math.round(long)} ms`);
        life.frozenUntil = world.now + long;
        return;
      case 'slow':
        world.note('*', `${name} is slow`);
        life.slowCalls = 60;
        return;
      case 'diskIsFull':
        world.note('*', `the disk is full for ${Math.round(long)} ms`);
        disk.full = true;
        world.after(long, HEAVEN, 'the disk has room again', () => {
          disk.full = false;
        });
        return;
      case 'clock':
        world.ahead += Math.round((fault.size < 0.2 ? -3 * 3600 : (fault.size - 0.6) * 60) * 1000);
        world.note('*', `the clock is set to ${world.ahead} ms ahead`);
        return;
      case 'clockOfOne':
        // As far as clocks of several machines may differ (docs/decisions/0063).
        life.ahead = Math.round((fault.size - 0.5) * 9000);
        world.note('*', `${name}'s clock is ${life.ahead} ms ahead`);
        return;
      case 'ringsLost':
      case 'ringsTwice':
        site[fault.kind === 'ringsLost' ? 'lost' : 'twice'] = 0.5 + fault.size / 2;
        world.note('*', fault.kind);
        return;
      default:
        life.failing.set(kinds[fault.kind], many);
        world.note('*', `${name}: ${kinds[fault.kind]}, ${many} times`);
    }
  }

  #kill(name: string, awayMs: number): void {
    const { world, site } = this;
    if (!site.end(name)) return;
    world.note('*', `${name} is killed`);
    world.after(awayMs, HEAVEN, '', () => site.start(name));
  }
}
