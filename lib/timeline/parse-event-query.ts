/** Parses the `query` of `events`: one `action`, ranges of `created_at` and of `id`, joined by spaces. */
import { ServiceError } from '../errors/service-error.ts';
import {
  formatEventNumber,
  HIGHEST_EVENT_NUMBER,
  LAST_EVENT_TIME_MS,
  LOWEST_EVENT_NUMBER,
  MAX_SEQUENCE,
  parseEventGid,
  parseEventNumber,
} from './event-record.ts';

/** Selects the entries with numbers from `low` to `high`, both included. */
export type EventFilter = {
  readonly action: string | undefined;
  readonly low: string;
  readonly high: string;
};

type Range = Pick<EventFilter, 'low' | 'high'>;

const TERM = /(\w+):(<=|>=|<|>|=)?("[^"]*"|'[^']*'|[^\s"']+)/y;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?<seconds>:\d{2}(?<fraction>\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
/** Useful filters are much shorter. */
const MAX_LENGTH = 1000;
const DAY_MS = 86_400_000;
const ALLOWED =
  'Allowed are one action (action:subscription_paused), created_at with =, <, <=, > or >= ' +
  '(created_at:>=2026-11-01), and id in the same way, joined by spaces.';

/**
 * Parses the query; without a text, it selects all entries.
 * @throws GRAPHQL_VALIDATION_FAILED, with the allowed terms
 */
export function parseEventQuery(query: string | null | undefined): EventFilter {
  if ((query ?? '').length > MAX_LENGTH) throw tooLong(query?.length ?? 0);
  let filter: EventFilter = { action: undefined, low: LOWEST_EVENT_NUMBER, high: HIGHEST_EVENT_NUMBER };
  for (const term of termsOf(query ?? '')) {
    filter = term.name === 'action' ? withAction(filter, term) : intersectRanges(filter, rangeOf(term));
  }
  return filter;
}

/** Returns the common part of both ranges; `low` is above `high` when there is none. */
export function intersectRanges<R extends Range>(filter: R, range: Range): R {
  const isLater = range.low > filter.low;
  const isEarlier = range.high < filter.high;
  return {
    ...filter,
    low: isLater ? range.low : filter.low,
    high: isEarlier ? range.high : filter.high,
  };
}

/** Returns the next higher or lower number; the number itself when there is none. */
export function adjacentEventNumber(number: string, step: 1 | -1): string {
  const next = BigInt(number) + BigInt(step);
  if (next < 0n || next > BigInt(HIGHEST_EVENT_NUMBER)) return number;
  return String(next).padStart(LOWEST_EVENT_NUMBER.length, '0');
}

type Term = {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly text: string;
};

function termsOf(query: string): Term[] {
  const terms: Term[] = [];
  const text = query.trim();
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const at = TERM.lastIndex;
    const [whole = '', name = '', operator = '=', quoted = ''] = TERM.exec(text) ?? [];
    if (name === '') throw notAllowed(text.slice(at));
    terms.push({ name, operator, value: quoted.replace(/^(["'])(.*)\1$/, '$2'), text: whole });
    const rest = text.slice(TERM.lastIndex);
    if (rest !== '' && !/^\s/.test(rest)) throw notAllowed(rest);
    TERM.lastIndex += rest.length - rest.trimStart().length;
  }
  return terms;
}

function withAction(filter: EventFilter, { operator, value, text }: Term): EventFilter {
  const isOne = filter.action === undefined && operator === '=' && /^\w{1,100}$/.test(value);
  if (!isOne) throw notAllowed(text);
  return { ...filter, action: value };
}

function rangeOf({ name, operator, value, text }: Term): Range {
  const span = name === 'created_at' ? timeSpan(value) : name === 'id' ? idSpan(value) : undefined;
  if (span === undefined) throw notAllowed(text);
  const { low, high } = span;
  switch (operator) {
    case '<':
      return { low: LOWEST_EVENT_NUMBER, high: adjacentEventNumber(low, -1) };
    case '<=':
      return { low: LOWEST_EVENT_NUMBER, high };
    case '>':
      return { low: adjacentEventNumber(high, 1), high: HIGHEST_EVENT_NUMBER };
    case '>=':
      return { low, high: HIGHEST_EVENT_NUMBER };
    default:
      return span;
  }
}

/** Without a time the value is a whole day, without seconds a minute, without a fraction a second. */
function timeSpan(value: string): Range | undefined {
  const match = INSTANT.exec(value);
  const fromMs = match ? Date.parse(value) : Number.NaN;
  if (match === null || !(fromMs >= 0)) return undefined;
  // Numbers have a fixed width, so no entry is later.
  if (fromMs > LAST_EVENT_TIME_MS) return { low: HIGHEST_EVENT_NUMBER, high: HIGHEST_EVENT_NUMBER };
  const { seconds, fraction } = match.groups ?? {};
  const lengthMs = !value.includes('T') ? DAY_MS : fraction ? 1 : seconds ? 1000 : 60_000;
  const low = formatEventNumber({ createdAtMs: fromMs, sequence: 0, contract: undefined });
  const last = {
    createdAtMs: Math.min(fromMs + lengthMs - 1, LAST_EVENT_TIME_MS),
    sequence: MAX_SEQUENCE,
    contract: undefined,
  };
  return { low, high: formatEventNumber(last).replace(/0{19}$/, '9'.repeat(19)) };
}

function idSpan(value: string): Range | undefined {
  const number = (parseEventGid(value) ?? parseEventNumber(value))?.number;
  return number && { low: number, high: number };
}

function tooLong(length: number): ServiceError {
  const [given, maxLength] = [length, MAX_LENGTH].map((one) => one.toLocaleString('en-US'));
  const message = `The query of events has ${given} characters, but the limit is ${maxLength}. ${ALLOWED}`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

function notAllowed(text: string): ServiceError {
  const message = `The query of events does not understand "${text.slice(0, 100)}". ${ALLOWED}`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}
