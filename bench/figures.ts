/** Figures, their targets and their table. */

export interface Figure {
  what: string;
  target: string;
  /** As measured, with units. */
  figure: string;
  /** Beside the peer in the same run, where there is one. */
  ratio?: string;
  met: boolean;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that this share of all values does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
  return sorted[Math.max(0, at)] ?? Number.NaN;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
export const millis = (ms: number): string => `${ms.toFixed(1)} ms`;
export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;

export function table(figures: Figure[]): string {
  const rows = figures.map(
    ({ what, target, figure, ratio, met }) =>
      `| ${what} | ${target} | ${figure} | ${ratio ?? ''} | ${met ? 'met' : 'missed'} |`,
  );
  return ['| what | target | figure | ratio | verdict |', '|---|---|---|---|---|', ...rows].join('\n');
}
