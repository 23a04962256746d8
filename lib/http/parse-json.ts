import { parseJsonObject } from '../domain/json-object.ts';
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
    const json = parseJsonObject(exchange.request.body);
    if (json === undefined) throw new ServiceError('INVALID_JSON');
    exchange.json = json;
  },
};
