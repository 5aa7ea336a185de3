/** Tests on file systems of their own, which only root may mount. */

/**
 * Whether `mount` fails; then the test is skipped, except in CI, where that is a failure. It is taken back by `unmount`: a file
 * whose tests are all left out runs no hooks, and what it had mounted would stay.
 */
export function lacksMount(test: string, mount: () => void, unmount: () => void): boolean {
  try {
    mount();
    unmount();
    return false;
  } catch (error) {
    if (process.env.CI) throw new Error(`${test} mounts a small file system and needs to be root.`, { cause: error });
    console.warn(`${test}: skipped, a small file system can be mounted by root only`);
    return true;
  }
}
