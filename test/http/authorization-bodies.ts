/** What a request of the authorization matrix sends. */
export const ASKERS = ['none', 'bad', 'expired', 'revoked', 'read', 'other', 'owner', 'administrator'] as const;
export type Asker = (typeof ASKERS)[number];

export interface Row {
  method: string;
  path: string;
  /** What stands behind the address: `public`, `private`, `for the owner`, … */
  condition: string;
  statuses: number[];
}

/** What an address speaks of, and what bodies of its requests name. */
export interface Prepared {
  path: string;
  accession: string;
  sample: object;
}

const accounts: Record<string, string> = { read: 'owner', owner: 'owner', other: 'other', administrator: 'admin' };
let accountsMade = 0;

export const PROFILE = { profile: 1, title: 'x', columns: [{ header: 'Tube', as: 'name' }] };
export const tables = (accession: string) => ({
  accession,
  data: [{ type: 'T', content: [{ a: { value: 'b', iri: null } }] }],
});
/** Names of this kind lead nowhere (RFC 2606). */
export const RECEIVER = { url: 'https://receiver.invalid/hook' };

type Body = (made: Prepared, asker: Asker, condition: string) => unknown;

/** Of a request, the first that its method and path fit; it is the sample for all others. */
const BODIES: readonly [RegExp, Body][] = [
  [
    /^POST \/tokens$/,
    (_, asker, condition) => ({
      account: condition === 'for the owner' ? 'owner' : (accounts[asker] ?? 'owner'),
      name: 'x',
      scopes: condition.includes('admin') ? ['admin'] : ['read'],
    }),
  ],
  [
    / \/auth\/password$/,
    (_, asker) => ({
      ...(asker === 'owner' ? {} : { account: 'owner' }),
      current: 'a good password',
      password: 'a good password',
    }),
  ],
  [/ \/accounts$/, (_, asker) => ({ account: `new ${asker} ${++accountsMade}` })],
  [/ \/samples\/accession$/, () => ({ name: 's' })],
  // Another account's is answered with a submission that refuses it (test/http/uploads/batch-edit.test.ts).
  [/ \/submissions\/edits$/, () => ({ select: { accessions: ['SAMR1'] }, changes: [{ clear: 'a' }] })],
  [/^POST \/v2\/samples/, ({ sample }) => [sample]],
  [/\/check$/, () => ({ rows: [{ line: 2, cells: ['s', '2020-01-01'] }] })],
  [/ \/profiles\/\{name\}$/, () => PROFILE],
  [/ \/me\/settings$/, () => ({ othersMayAttachData: false })],
  [/\/(decline|accept)$/, () => ({})],
  // Say in their address what they want, and refuse a body that says something.
  [/ \/samples\/exports$|\/(withdrawal|commit|undo)$/, () => ({})],
  [/ \/samples\/by-key/, ({ sample }, asker) => ({ ...sample, name: `changed by ${asker}` })],
  [/ \/webhooks$/, () => RECEIVER],
  [/ \/samples\/template$/, ({ accession }) => ({ accessions: [accession] })],
  [/ \/structureddata/, ({ accession }) => tables(accession)],
  [/\/curationlinks$/, ({ accession }) => ({ sample: accession, curation: {} })],
  [/^PUT /, ({ sample, accession }, asker) => ({ ...sample, accession, name: `changed by ${asker}` })],
];

export function bodyFor({ path, method, condition }: Row, asker: Asker, made: Prepared): unknown {
  const [, body] = BODIES.find(([pattern]) => pattern.test(`${method} ${path}`)) ?? [];
  return body ? body(made, asker, condition) : made.sample;
}
