/** Import profiles as accounts see them: their own, those that are shared, and those that ship with the product. */
import { RegistryError } from '../registry/errors.js';
import type { Caller } from '../registry/permissions.js';
import type { Conditions } from '../registry/samples/conditions.js';
import { type ImportProfile, type KnownProfile, NO_PROFILE } from '../tsv/header/profile.js';
import { SHIPPED_PROFILES } from '../tsv/header/shipped-profiles.js';
import { KEPT_CHARACTERS, KEPT_NAMES, type KeptProfile, type ProfileStore } from './profile-store.js';

/** A profile with whose it is. */
export interface ListedProfile extends KnownProfile {
  created?: number;
  /** Of an own one: everybody may read sheets by it. */
  shared?: boolean;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export class Profiles {
  constructor(
    private readonly store: ProfileStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** Own ones first, then shared ones, then those that ship. */
  async list(account: string): Promise<ListedProfile[]> {
    const kept = (await this.store.listProfiles(account)).map((each) => listed(each, account));
    const own = new Set(kept.flatMap(({ rank, name }) => (rank === 'own' ? [name] : [])));
    return [...kept.filter(({ rank, name }) => rank === 'own' || !own.has(name)), ...SHIPPED_PROFILES];
  }

  /** Those that may read a sheet of the account beside the ones that ship. */
  async kept(account: string): Promise<KnownProfile[]> {
    return (await this.list(account)).filter(({ rank }) => rank !== 'shipped').map(known);
  }

  /** @throws RegistryError not-found */
  async find(account: string, name: string, version?: number): Promise<ListedProfile> {
    const kept = await this.store.findProfile(account, name, version);
    if (kept) return listed(kept, account);
    const shipped = version === undefined ? SHIPPED_PROFILES.find((each) => each.name === name) : undefined;
    if (shipped) return shipped;
    const which = version === undefined ? '' : ` in version ${version}`;
    throw new RegistryError(
      'not-found',
      `There is no import profile ${JSON.stringify(name.slice(0, 100))}${which}; GET /profiles lists those that there are.`,
    );
  }

  async version(account: string, name: string, version: number): Promise<KnownProfile | undefined> {
    const kept = await this.store.findProfile(account, name, version);
    return kept && known(listed(kept, account));
  }

  /** @throws RegistryError request.invalid, conflict, precondition.failed; auth.forbidden for a shared one that is no administrator's to change */
  async keep(
    { account, admin }: Pick<Caller, 'account' | 'admin'>,
    name: string,
    document: ImportProfile,
    shared: boolean | undefined,
    conditions: Conditions = {},
  ): Promise<{ profile: ListedProfile; isNew: boolean }> {
    checkName(name);
    const kept = await this.store.keepProfile({
      account,
      admin,
      name,
      document,
      conditions,
      ...(shared === undefined ? {} : { shared }),
      now: this.now(),
    });
    if (kept.kind === 'kept') return { profile: listed(kept.profile, account), isNew: kept.isNew };
    if (kept.kind === 'shared') throw notWithoutAdministrator(name, 'changes');
    throw new RegistryError('conflict', NOT_KEPT[kept.kind](name));
  }

  /** @throws RegistryError not-found, precondition.failed; auth.forbidden as above */
  async remove(
    { account, admin }: Pick<Caller, 'account' | 'admin'>,
    name: string,
    conditions: Conditions = {},
  ): Promise<void> {
    const removed = await this.store.removeProfile({ account, name, admin, conditions }, this.now());
    if (removed === 'removed') return;
    if (removed === 'shared') throw notWithoutAdministrator(name, 'deletes');
    throw new RegistryError(
      'not-found',
      `This account keeps no import profile ${JSON.stringify(name.slice(0, 100))}; GET /profiles lists those that there are.`,
    );
  }
}

const NOT_KEPT: Record<'too-many' | 'too-long' | 'shared-elsewhere', (name: string) => string> = {
  'too-many': () => `The account keeps ${KEPT_NAMES} import profiles, the most that it may; delete one first.`,
  'too-long': () =>
    `The import profiles of the account would have more than ${KEPT_CHARACTERS} characters together, the most that they may; delete one first.`,
  'shared-elsewhere': (name) => `Another account shares an import profile ${name} with everybody; choose another name.`,
};

/** Everybody's sheets are read by it. */
const notWithoutAdministrator = (name: string, does: 'changes' | 'deletes'): RegistryError =>
  new RegistryError(
    'auth.forbidden',
    `The import profile ${name} is shared with everybody, so only an administrator ${does} it; use a token with the scope "admin", or keep one of another name.`,
  );

function checkName(name: string): void {
  if (!NAME.test(name)) {
    throw new RegistryError(
      'request.invalid',
      `${JSON.stringify(name.slice(0, 100))} is no name for an import profile; write up to 63 small letters, digits, points, dashes and underscores, a letter or digit first.`,
    );
  }
  if (name === NO_PROFILE || SHIPPED_PROFILES.some((each) => each.name === name)) {
    throw new RegistryError(
      'conflict',
      `${name} is the name of a profile that ships with the product; choose another.`,
    );
  }
}

const listed = (
  { account: owner, name, version, shared, created, document }: KeptProfile,
  account: string,
): ListedProfile => ({
  name,
  version,
  created,
  document,
  ...(owner === account ? { rank: 'own' as const, shared } : { rank: 'shared' as const }),
});

const known = ({ name, rank, version, document }: ListedProfile): KnownProfile => ({
  name,
  rank,
  ...(version === undefined ? {} : { version }),
  document,
});
