import { ServiceError } from '../errors/service-error.ts';
import type { Step } from './exchange.ts';

/** The exchange once `parseJson` has run. */
export type ParsedBody = { json: Readonly<Record<string, unknown>> };

/**
 * Parses the body as a JSON object. Throws INVALID_JSON for anything else, arrays (batches) and bare values included.
 */
export const parseJson: Step<ParsedBody> = {
  name: 'parseJson',
  before: ({ event: { exchange } }) => {
    exchange.json = parseObject(exchange.request.body);
  },
};

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (cause) {
    throw new ServiceError('INVALID_JSON', { cause });
  }
  throw new ServiceError('INVALID_JSON');
}
