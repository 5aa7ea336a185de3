/** What types of relationships say of the descent of samples. Types are compared without case, blanks and underscores. */
import { foldType } from '../curations/curation-rules.js';
import { RegistryError } from '../errors.js';

/** Which end of a relationship is the older sample; `same`: both ends are one sample. */
export type Descent = 'target' | 'source' | 'same';

/** Types that are followed where none are asked for. */
export const DESCENT_TYPES = ['derived from', 'child of', 'same as'] as const;

const DERIVED_FROM = foldType('derived from');

/** Whether the type says that the source was made of the target. */
export const saysDerived = (type: string): boolean => foldType(type) === DERIVED_FROM;

/** Of every other type the target is taken to be the older one, as in "source derived from target". */
const KNOWN = new Map<string, Descent>([
  ['sameas', 'same'],
  ['hasmember', 'source'],
  ['parentof', 'source'],
  ['haschild', 'source'],
]);

/** So many types are followed at once. */
export const MOST_TYPES = 10;
const TYPE_LENGTH = 100;

/** Type as compared → what it says. */
export type FollowedTypes = ReadonlyMap<string, Descent>;

export const followedTypes = (types: readonly string[]): FollowedTypes =>
  new Map(types.map(foldType).map((type) => [type, KNOWN.get(type) ?? 'target']));

/** As a client names them; none given: the usual ones. @throws RegistryError request.invalid */
export function readTypes(given: readonly string[]): string[] {
  const types = given.map((type) => type.trim()).filter((type) => type !== '');
  if (types.length === 0) return [...DESCENT_TYPES];
  const long = types.find((type) => type.length > TYPE_LENGTH);
  if (long !== undefined) {
    throw new RegistryError('request.invalid', `types=${long.slice(0, 40)}… has more than ${TYPE_LENGTH} characters.`);
  }
  if (types.length > MOST_TYPES) {
    throw new RegistryError(
      'request.invalid',
      `types= names ${types.length} types; ${MOST_TYPES} at most are followed at once.`,
    );
  }
  return types;
}
