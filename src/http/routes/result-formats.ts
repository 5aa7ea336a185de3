/** In which format the results of a submission are asked for. */
import type { Request } from 'express';
import { RegistryError } from '../../registry/errors.js';
import { NDJSON } from '../../registry/json-form.js';
import { negotiate } from '../negotiate.js';
import { queryOf } from '../query.js';
import { XLSX } from './upload.js';

/** By the parameter `format`, else a workbook where the client names that type. */
export function resultFormat(request: Request): 'tsv' | 'xlsx' {
  const format = queryOf(request).get('format');
  if (format === 'tsv' || format === 'xlsx') return format;
  if (format !== null) throw new RegistryError('request.invalid', `format=${format.slice(0, 40)} must be tsv or xlsx.`);
  const { accept } = request.headers;
  if (!accept?.includes(XLSX)) return 'tsv';
  return negotiate(accept, ['text/tab-separated-values', NDJSON, 'application/json', XLSX]) === XLSX ? 'xlsx' : 'tsv';
}

/** By the parameter `format`, else by what the client accepts. */
export function errorsFormat(request: Request): 'tsv' | 'json' | 'xlsx' {
  const format = queryOf(request).get('format');
  if (format === 'tsv' || format === 'json' || format === 'xlsx') return format;
  if (format !== null)
    throw new RegistryError('request.invalid', `format=${format.slice(0, 40)} must be tsv, json or xlsx.`);
  const accepted = negotiate(request.headers.accept, ['text/tab-separated-values', 'application/json', XLSX, NDJSON]);
  return accepted === XLSX ? 'xlsx' : accepted === 'application/json' ? 'json' : 'tsv';
}
