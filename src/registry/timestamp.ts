/** One reading of dates for requests, sheets and options: date-time.ts. */
export { formatDateTime as formatTimestamp, parseDateTime as parseTimestamp } from './date-time.js';
