/** Milliseconds of processor time that this process takes for `work`: as many on a machine with other work as on one without. */
export function processorMs(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
