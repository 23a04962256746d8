/** Parses the `query` of `events`: one `action`, ranges of `created_at` and of `id`, joined by spaces. */
import { ServiceError } from '../errors/service-error.ts';
import {
  formatEventNumber,
  HIGHEST_EVENT_NUMBER,
  LAST_EVENT_TIME_MS,
  LOWEST_EVENT_NUMBER,
  MAX_EVENT_SEQUENCE,
  parseEventGid,
  parseEventNumber,
} from './event-record.ts';

/** Selects the entries with numbers from `low` to `high`, both included. */
export type EventFilter = {
  readonly action: string | undefined;
  readonly low: string;
  readonly high: string;
};

type EventNumberRange = Pick<EventFilter, 'low' | 'high'>;

const QUERY_TERM_PATTERN = /(\w+):(<=|>=|<|>|=)?("[^"]*"|'[^']*'|[^\s"']+)/y;
const INSTANT_PATTERN =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?<seconds>:\d{2}(?<fraction>\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
/** The maximum number of characters in a query. */
const MAX_QUERY_LENGTH = 1000;
const DAY_MS = 86_400_000;
const ALLOWED_TERMS_TEXT =
  'Allowed are one action (action:subscription_paused), created_at with =, <, <=, > or >= ' +
  '(created_at:>=2026-11-01), and id in the same way, joined by spaces.';

/**
 * Parses the query; without a text, it selects all entries.
 * @throws GRAPHQL_VALIDATION_FAILED, with the allowed terms
 */
export function parseEventQuery(query: string | null | undefined): EventFilter {
  if ((query ?? '').length > MAX_QUERY_LENGTH) throw queryTooLongError(query?.length ?? 0);
  let eventFilter: EventFilter = { action: undefined, low: LOWEST_EVENT_NUMBER, high: HIGHEST_EVENT_NUMBER };
  for (const term of parseQueryTerms(query ?? '')) {
    eventFilter =
      term.name === 'action'
        ? withActionFilter(eventFilter, term)
        : intersectEventNumberRanges(eventFilter, parseTermRange(term));
  }
  return eventFilter;
}

/** Returns the filter limited to a range of numbers. If both have none in common, `low` is above `high`. */
export function intersectEventNumberRanges<R extends EventNumberRange>(
  filter: R,
  range: EventNumberRange,
): R {
  const hasHigherLowerBound = range.low > filter.low;
  const hasLowerUpperBound = range.high < filter.high;
  return {
    ...filter,
    low: hasHigherLowerBound ? range.low : filter.low,
    high: hasLowerUpperBound ? range.high : filter.high,
  };
}

/** Returns the next higher (1) or lower (-1) entry number; the number itself when there is none. */
export function adjacentEventNumber(number: string, step: 1 | -1): string {
  const adjacentNumber = BigInt(number) + BigInt(step);
  if (adjacentNumber < 0n || adjacentNumber > BigInt(HIGHEST_EVENT_NUMBER)) return number;
  return String(adjacentNumber).padStart(LOWEST_EVENT_NUMBER.length, '0');
}

type QueryTerm = {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly text: string;
};

function parseQueryTerms(query: string): QueryTerm[] {
  const queryTerms: QueryTerm[] = [];
  const queryText = query.trim();
  QUERY_TERM_PATTERN.lastIndex = 0;
  while (QUERY_TERM_PATTERN.lastIndex < queryText.length) {
    const termPosition = QUERY_TERM_PATTERN.lastIndex;
    const [termText = '', name = '', operator = '=', quotedValue = ''] =
      QUERY_TERM_PATTERN.exec(queryText) ?? [];
    if (name === '') throw termNotAllowedError(queryText.slice(termPosition));
    queryTerms.push({ name, operator, value: quotedValue.replace(/^(["'])(.*)\1$/, '$2'), text: termText });
    const remainingText = queryText.slice(QUERY_TERM_PATTERN.lastIndex);
    if (remainingText !== '' && !/^\s/.test(remainingText)) throw termNotAllowedError(remainingText);
    QUERY_TERM_PATTERN.lastIndex += remainingText.length - remainingText.trimStart().length;
  }
  return queryTerms;
}

function withActionFilter(filter: EventFilter, { operator, value, text }: QueryTerm): EventFilter {
  const isAllowedActionTerm = filter.action === undefined && operator === '=' && /^\w{1,100}$/.test(value);
  if (!isAllowedActionTerm) throw termNotAllowedError(text);
  return { ...filter, action: value };
}

function parseTermRange({ name, operator, value, text }: QueryTerm): EventNumberRange {
  const numberRange =
    name === 'created_at' ? parseTimeRange(value) : name === 'id' ? parseIdRange(value) : undefined;
  if (numberRange === undefined) throw termNotAllowedError(text);
  const { low, high } = numberRange;
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
      return numberRange;
  }
}

/** Parses a time to its range of numbers: a whole day without a time, a minute without seconds, a second without a fraction. */
function parseTimeRange(value: string): EventNumberRange | undefined {
  const instantMatch = INSTANT_PATTERN.exec(value);
  const fromMs = instantMatch ? Date.parse(value) : Number.NaN;
  if (instantMatch === null || !(fromMs >= 0)) return undefined;
  // Numbers have a fixed width, so no entry can be later than LAST_EVENT_TIME_MS.
  if (fromMs > LAST_EVENT_TIME_MS) return { low: HIGHEST_EVENT_NUMBER, high: HIGHEST_EVENT_NUMBER };
  const { seconds, fraction } = instantMatch.groups ?? {};
  const lengthMs = !value.includes('T') ? DAY_MS : fraction ? 1 : seconds ? 1000 : 60_000;
  const lowNumber = formatEventNumber({ createdAtMs: fromMs, sequence: 0, contract: undefined });
  const lastEvent = {
    createdAtMs: Math.min(fromMs + lengthMs - 1, LAST_EVENT_TIME_MS),
    sequence: MAX_EVENT_SEQUENCE,
    contract: undefined,
  };
  return { low: lowNumber, high: formatEventNumber(lastEvent).replace(/0{19}$/, '9'.repeat(19)) };
}

function parseIdRange(value: string): EventNumberRange | undefined {
  const eventNumber = (parseEventGid(value) ?? parseEventNumber(value))?.number;
  return eventNumber && { low: eventNumber, high: eventNumber };
}

function queryTooLongError(length: number): ServiceError {
  const [actualLength, maxLength] = [length, MAX_QUERY_LENGTH].map((one) => one.toLocaleString('en-US'));
  const message = `The query of events has ${actualLength} characters, but the limit is ${maxLength}. ${ALLOWED_TERMS_TEXT}`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

function termNotAllowedError(text: string): ServiceError {
  const message = `The query of events does not understand "${text.slice(0, 100)}". ${ALLOWED_TERMS_TEXT}`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}
