/** Files that another view gives to the upload; taken once. */
let waiting: File[] = [];

export function handOver(file: File): void {
  waiting = [file];
}

export function takeHandedOver(): File[] {
  const taken = waiting;
  waiting = [];
  return taken;
}
