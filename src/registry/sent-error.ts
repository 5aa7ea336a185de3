/** Errors on their way from one thread to another, of which only plain values arrive. */
import { type ErrorCode, RegistryError } from './errors.js';

export interface SentError {
  /** Of a RegistryError. */
  code?: ErrorCode;
  extra?: Record<string, unknown>;
  /** Of any other, e.g. ENOSPC. */
  cause?: string;
  message: string;
  stack?: string;
}

export function sentError(error: unknown): SentError {
  if (error instanceof RegistryError) {
    const { code, message, detail } = error;
    return { code, message, ...(detail.extra ? { extra: detail.extra } : {}) };
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  return { message, ...(code === undefined ? {} : { cause: code }), ...(stack === undefined ? {} : { stack }) };
}

export function receivedError({ code, cause, message, stack, extra }: SentError): Error {
  if (code) return new RegistryError(code, message, extra ? { extra } : {});
  return Object.assign(new Error(message), { ...(cause ? { code: cause } : {}), ...(stack ? { stack } : {}) });
}
