/** Milliseconds of processor time that this process takes for `work`: as many on a machine with other work as on one without. */
export function processorMs(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  return since(began);
}

/** The same of work that is waited for. */
export async function processorMsOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  return since(began);
}

function since(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
