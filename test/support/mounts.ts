/** Tests on file systems of their own, which only root may mount. */

/** Whether `mount` fails; then the test is skipped, except in CI, where that is a failure. */
export function lacksMount(test: string, mount: () => void): boolean {
  try {
    mount();
    return false;
  } catch (error) {
    if (process.env.CI) throw new Error(`${test} mounts a small file system and needs to be root.`, { cause: error });
    console.warn(`${test}: skipped, a small file system can be mounted by root only`);
    return true;
  }
}
