/** How a new file is read: by the import profile that it names or looks like, or as a sheet of the registry's own. */
import { RegistryError } from '../../registry/errors.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import type { KnownProfile } from '../../tsv/header/profile.js';
import { releaseBy } from '../../tsv/header/profile-release.js';
import { planFile } from '../json-file/plan.js';
import { sheetOptions } from '../reading/read-submission.js';
import { sourceOf } from '../reading/stored-source.js';
import type { UploadOptions } from '../submission.js';
import type { NewSubmission } from '../submission-store.js';
import { HEAD_BYTES } from './upload-head.js';

/** PORT: the import profiles that an account keeps or that are shared with it. */
export interface KeptProfiles {
  kept(account: string): Promise<KnownProfile[]>;
  version(account: string, name: string, version: number): Promise<KnownProfile | undefined>;
}

/** The plan of a new file, by whichever profile reads it; a kept one is noted in the draft as it is now. */
export async function planByProfile(
  { profiles, prefix }: { profiles?: KeptProfiles; prefix: string },
  draft: NewSubmission,
  head: Buffer,
): Promise<SheetPlan> {
  const complete = sourceOf(draft).size <= HEAD_BYTES;
  const kept = (await profiles?.kept(draft.account)) ?? [];
  const read = (known: readonly KnownProfile[]): SheetPlan =>
    planFile(head, { ...sheetOptions(draft.options, prefix), profiles: known, isNew: true }, complete);
  let known = kept;
  let plan = read(known);
  const { name, asked } = plan.profile ?? {};
  if (name !== undefined && asked !== undefined) {
    const earlier = await profiles?.version(draft.account, name, asked);
    if (!earlier) throw versionGone(name, asked);
    known = [earlier];
    plan = read(known);
  }
  const readBy = known.find((each) => each.name === plan.profile?.name && each.rank === plan.profile.rank);
  if (!readBy) return plan;
  const key = keySaid(readBy, draft.options);
  draft.options = { ...draft.options, readBy, ...releaseSaid(readBy, draft), ...key };
  return key ? read(known) : plan;
}

/** What the upload says counts before what its profile says. */
function releaseSaid(
  readBy: KnownProfile,
  { options, created }: NewSubmission,
): Pick<UploadOptions, 'releaseDate' | 'datedBy'> {
  const releaseDate = options.releaseDate === undefined ? releaseBy(readBy, created) : undefined;
  return releaseDate === undefined ? {} : { releaseDate, datedBy: 'profile' };
}

/** An upload that says its key names the key space, too. */
function keySaid(
  { document: { key } }: KnownProfile,
  options: UploadOptions,
): Pick<UploadOptions, 'key' | 'keySpace'> | undefined {
  if (key === undefined || options.key !== undefined) return undefined;
  return { key: key.column, ...(key.space === undefined ? {} : { keySpace: key.space }) };
}

const versionGone = (name: string, version: number): RegistryError =>
  new RegistryError(
    'file.header',
    `The sheet asks to be read by version ${version} of the import profile ${name}, which is not kept any more. Take the row #profile away, or upload with the option profile=${name} for the present version.`,
    { extra: { line: 1, profiles: [name] } },
  );
