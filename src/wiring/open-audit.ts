import { AuditLog } from '../audit/audit-log.js';
import type { Config } from '../config.js';
import { whyNotOpened } from '../submissions/uploads/disk-room.js';

/** @throws RegistryError storage.full, or the system's error where the folder cannot be written to */
export function openAudit({ AUDIT_DIR: folder }: Pick<Config, 'AUDIT_DIR'>): AuditLog {
  try {
    return new AuditLog(folder);
  } catch (error) {
    throw whyNotOpened(error, folder);
  }
}
