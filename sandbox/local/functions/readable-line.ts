/** Formats a log line for people: time, level, function, message, then the facts. */

import { escapeInvisibleCharacters } from '../../../lib/observability/escape-invisible-characters.ts';

/** Fields that the line already contains in another form, or that do not help at a terminal. */
const OMITTED_FIELDS = new Set([
  'level',
  'message',
  'timestamp',
  'service',
  'function_name',
  'function_arn',
  'function_memory_size',
  'function_request_id',
  'cold_start',
  '_aws',
  'stackTrace',
]);
const SYMBOL_BY_LEVEL: Readonly<Record<string, string>> = {
  ERROR: '✗',
  CRITICAL: '✗',
  WARN: '!',
  DEBUG: '·',
};

/** Formats a line: `08:40:29 headless-auth  request method=POST path=/headless-auth/start status=200`. */
export function formatReadableLine(entry: Readonly<Record<string, unknown>>): string {
  const timeOfDay = String(entry.timestamp ?? '').slice(11, 19);
  const levelSymbol = SYMBOL_BY_LEVEL[String(entry.level)] ?? ' ';
  const fieldTexts = Object.entries(entry)
    .filter(([name, value]) => !OMITTED_FIELDS.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = Array.isArray(entry.stackTrace) ? entry.stackTrace.map((line) => `\n    ${line}`) : [];
  const head = `${timeOfDay} ${levelSymbol} ${String(entry.service ?? '').padEnd(17)} ${String(entry.message ?? '')}`;
  return [head, ...fieldTexts].map(escapeInvisibleCharacters).join(' ') + stack.join('');
}
