/**
 * A session ends after some hours, perhaps in the middle of work. Requests that were refused because of it wait here
 * until somebody has signed in again, and are then repeated; the view and what was typed in it stay as they are.
 */
interface Waiting {
  repeat: () => void;
  refuse: (reason: unknown) => void;
}

/** Somebody is wanted to sign in, over the view. */
export interface SignInWanted {
  /** Whose session has ended; undefined when nobody was signed in. */
  account: string | undefined;
}

let account: string | undefined;
/** A session that has ended is asked about once, however many requests wait. */
let wanted: SignInWanted | undefined;
let waiting: Waiting[] = [];
/** How often what somebody had begun was given up. */
let givenUp = 0;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

export function subscribeToSignInWanted(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const signInWanted = (): SignInWanted | undefined => wanted;

/** Asks for a sign-in without a request that waits for it. */
export function askToSignIn(): void {
  wanted ??= { account };
  tell();
}

/** The account that is signed in as far as the page knows; undefined before that, and after signing out. */
export const signedInAccount = (): string | undefined => account;

export function noteAccount(present: string | undefined): void {
  account = present;
}

/**
 * Resolves once the same account has signed in again.
 * @throws `refused` when nobody or another account has; AbortError when the request is not wanted any more
 */
export function untilSignedIn(refused: unknown, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw aborted();
    const one: Waiting = { repeat: resolve, refuse: () => reject(refused) };
    waiting.push(one);
    signal?.addEventListener(
      'abort',
      () => {
        waiting = waiting.filter((other) => other !== one);
        reject(aborted());
      },
      { once: true },
    );
    askToSignIn();
  });
}

const aborted = (): DOMException => new DOMException('The request was given up.', 'AbortError');

/** The account has signed in again: what waited is repeated. */
export function goOn(): void {
  for (const { repeat } of settle()) repeat();
}

/** Nobody, or another account, has signed in: what waited stays refused, it was never sent in that account's name. */
export function giveUp(): void {
  givenUp += 1;
  for (const { refuse } of settle()) refuse(undefined);
}

/**
 * For work of many requests: whether those to come are still wanted. Once nobody, or another account, has signed in, they
 * are not: only the request that waited is refused by that, and the next one would go out in the other's name.
 */
export function stillWanted(): () => boolean {
  const begun = givenUp;
  return () => givenUp === begun;
}

function settle(): Waiting[] {
  const settled = waiting;
  waiting = [];
  wanted = undefined;
  tell();
  return settled;
}
