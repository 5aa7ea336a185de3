/** What the threads that make whole results are given, and what they say. */

import type { Config } from '../config.js';
import type { PartLeftOut, SharedParts } from '../exports/parts.js';
import type { ExportOrder } from '../exports/production.js';
import { RegistryError } from '../registry/errors.js';
import type { SentError } from '../registry/sent-error.js';

/** Room for the rows of some blocks, which are garbage when they are printed: with 8 MB for new objects a result takes a fifth longer. */
export const EXPORT_MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export interface ExportingData {
  config: Config;
  order: ExportOrder;
  path: string;
  /** That of a `PieceMemory`. */
  memory: SharedArrayBuffer;
  /** For a second thread, which makes parts of a result of the first one. */
  parts?: SharedParts;
}

/** To the service, or from a second thread to the first. */
export type ProductionMessage =
  | { counted: number }
  | { handed: Uint8Array<ArrayBuffer>; part: number }
  | { written: number; part: number }
  | { partEnded: number }
  | { failed: SentError };

/** From a second thread to the first, too. */
export type SecondMessage = { ready: true } | { joined: true } | { leftOut: PartLeftOut[] };
/** From the first thread. */
export interface JoinMessage {
  moment: string;
}

export const interrupted = (): RegistryError =>
  new RegistryError('service.unavailable', 'This result was interrupted while it was made; ask again.');
