/** Which profile reads a sheet: the one that was asked for, else the one whose columns these are. */
import { fold } from '../dialect.js';
import type { ChosenProfile, SheetOptions } from './columns.js';
import { comparedHeaders, HeaderWork, headersOf } from './compared-headers.js';
import { type KnownProfile, NO_PROFILE } from './profile.js';
import { type ChangedHeader, fittingProfiles, nearlyRecognised, recognise, type SeenHeader } from './recognise.js';
import { SHIPPED_PROFILES } from './shipped-profiles.js';

export class ProfileChoice {
  readonly #kept: readonly KnownProfile[];
  readonly #work = new HeaderWork();
  #wanted: string | undefined;
  #version: number | undefined;
  #found: { name: string; known: KnownProfile | undefined } | undefined;

  /** `profile` wins over what a row above the header says. */
  constructor({ profile, profiles = [] }: Pick<SheetOptions, 'profile' | 'profiles'>) {
    this.#wanted = profile;
    this.#kept = profiles;
  }

  /** A profile was asked for, or that there be none. */
  get named(): boolean {
    return this.#wanted !== undefined;
  }

  /** The profile that was asked for. */
  get wanted(): string | undefined {
    return this.#wanted === NO_PROFILE ? undefined : this.#wanted;
  }

  /** What a row above the header says. */
  point({ name, version }: { name: string; version?: number }): void {
    if (this.#wanted !== undefined) return;
    this.#wanted = name;
    this.#version = version;
  }

  /** The profile of this header row. @throws RegistryError file.header when several fit */
  of(row: SeenHeader): ChosenProfile | undefined {
    if (this.#wanted === NO_PROFILE) return undefined;
    if (this.#wanted === undefined) {
      const known = recognise({ ...row, work: this.#work }, [...this.#kept, ...SHIPPED_PROFILES]);
      return known && { known, named: false };
    }
    const known = this.#named;
    if (!known || !this.#hasNames(known, row)) return undefined;
    const asked = this.#version === undefined || this.#version === known.version ? {} : { asked: this.#version };
    return { known, named: true, ...asked };
  }

  /** Whether somebody has written down the columns of this row: as they are, or by name. */
  isKept({ cells, line }: Pick<SeenHeader, 'cells' | 'line'>): boolean {
    if (this.#wanted === undefined)
      return fittingProfiles({ cells, above: [], line, work: this.#work }, this.#kept).length > 0;
    const known = this.#named;
    return (
      known !== undefined && known.rank !== 'shipped' && comparedHeaders(known.document, cells).missing.length === 0
    );
  }

  nearly({ cells, line }: Pick<SeenHeader, 'cells' | 'line'>): ChangedHeader | undefined {
    return this.named ? undefined : nearlyRecognised({ cells, line, work: this.#work }, this.#kept);
  }

  /** The profile of the name that was asked for. */
  get #named(): KnownProfile | undefined {
    const name = this.#wanted as string;
    if (this.#found?.name !== name) this.#found = { name, known: profileNamed(name, this.#kept) };
    return this.#found.known;
  }

  /** Whether the columns that name the samples are there: all of those that are joined, else one. */
  #hasNames({ document }: KnownProfile, { cells, line }: SeenHeader): boolean {
    const { names } = headersOf(document);
    const headers = new Set(cells.map(fold));
    this.#work.spend(names.length, line);
    return document.joinNames === undefined
      ? names.some((name) => headers.has(name))
      : names.every((name) => headers.has(name));
  }
}

/** Of the kept ones and those that ship: one of the account goes before one that is shared, that before one that ships. */
export const profileNamed = (name: string, kept: readonly KnownProfile[] = []): KnownProfile | undefined =>
  [...kept, ...SHIPPED_PROFILES].sort((a, b) => RANK[a.rank] - RANK[b.rank]).find((each) => each.name === name);

const RANK = { own: 0, shared: 1, shipped: 2 };
