/** The log events of changes that a restored table lacks. Each is a line with a JSON object. */
import * as z from 'zod/mini';
import { type CustomerId, parseCustomerId } from '../../domain/customer-id.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../domain/json-object.ts';
import type { SessionId } from '../../domain/session-id.ts';
import { parseShopId, type ShopId } from '../../domain/shop-id.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type CustomerHash, parseCustomerHash } from '../../storage/privacy/tombstones.ts';

const shopIdSchema = z.pipe(
  z.number().check(z.refine((value) => parseShopId(value) !== undefined)),
  z.transform((value) => value as ShopId),
);
const customerIdSchema = z.pipe(
  z.number().check(z.refine((value) => parseCustomerId(value) !== undefined)),
  z.transform((value) => value as CustomerId),
);
const customerSessionIdSchema = z.pipe(
  z.string(),
  z.transform((value) => value as SessionId),
);
const customerHashSchema = z.pipe(
  z.string().check(z.refine((text) => parseCustomerHash(text) !== undefined)),
  z.transform((text) => text as CustomerHash),
);
const loggedChangeSchema = z.union([
  z.object({
    message: z.literal('session.revoked'),
    shopId: shopIdSchema,
    customerId: customerIdSchema,
    sessionId: customerSessionIdSchema,
    reason: z.string(),
  }),
  z.object({
    message: z.literal('key.revoked_itself'),
    shopId: shopIdSchema,
    keyId: z.string(),
    revokedAtMs: z.number(),
  }),
  z.object({
    message: z.literal('key.claimed'),
    shopId: shopIdSchema,
    keyId: z.string(),
    claimedAtMs: z.number(),
  }),
  z.object({
    message: z.literal(['store.installed', 'store.uninstalled', 'store.purged']),
    shopId: shopIdSchema,
  }),
  z.object({ message: z.literal('store.updated'), shopId: shopIdSchema, changed: z.array(z.string()) }),
  z.object({ message: z.literal(['key.issued', 'key.revoked']), shopId: shopIdSchema, keyId: z.string() }),
  z.object({
    message: z.literal('customer.erased'),
    shopId: shopIdSchema,
    hash: customerHashSchema,
    erasedAtMs: z.number(),
  }),
  z.object({
    message: z.literal('billing.changed'),
    shopId: shopIdSchema,
    // All settings of the store's billing, as the table had them after the change.
    settings: z.looseObject({ version: z.number(), enabled: z.boolean(), hour: z.number() }),
  }),
  // An operator's stop of all stores, or its end.
  z.object({ message: z.literal('billing.changed'), allStores: z.literal(['resumed', 'stopped']) }),
  z.object({
    message: z.literal(['key.rotated', 'key.leaked']),
    shopId: shopIdSchema,
    successor: z.string(),
  }),
]);
const filterLogEventsSchema = z.object({ events: z.array(z.object({ message: z.string() })) });
/** The time of a log line. Functions write `timestamp`; the operators' log of earlier versions has `at`. */
const logLineTimeSchema = z.object({ timestamp: z.optional(z.string()), at: z.optional(z.string()) });

export type LoggedChange = z.infer<typeof loggedChangeSchema> & { readonly atMs: number };

/**
 * Reads the events in log lines, sorted by time, from `sinceMs` (epoch milliseconds) on. The text may contain plain
 * lines, and the JSON output of `aws logs filter-log-events`. Ignores other lines, and text before and after the JSON
 * object of a line.
 * @throws StoreChangeRefused when such an output is incomplete
 */
export function parseLoggedChanges(text: string, sinceMs: number): LoggedChange[] {
  return [...parseJsonObjectsInText(text)]
    .flatMap((value) => logLinesOfCloudWatchResponse(value) ?? [value])
    .flatMap((value) => parseLoggedChange(value, logLineTimeMs(value)))
    .filter(({ atMs }) => atMs >= sinceMs)
    .sort((a, b) => a.atMs - b.atMs);
}

/**
 * Yields the JSON objects of a text. An object is on one line, or on several lines of which the first and the last are
 * only a brace.
 */
function* parseJsonObjectsInText(text: string): Generator<unknown> {
  let unfinishedObjectLines: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (unfinishedObjectLines === undefined && line !== '{') yield parseJsonObjectInLine(line);
    else unfinishedObjectLines = [...(unfinishedObjectLines ?? []), line];
    if (unfinishedObjectLines !== undefined && line === '}') {
      yield parseJsonObjectInLine(unfinishedObjectLines.join('\n'));
      unfinishedObjectLines = undefined;
    }
  }
  if (unfinishedObjectLines !== undefined)
    throw new StoreChangeRefused('The events end in the middle of an answer: fetch them again.', 'INPUT');
}

/**
 * Returns the log lines in a FilterLogEvents response of CloudWatch Logs.
 * @returns undefined when the value is not such a response
 */
function logLinesOfCloudWatchResponse(value: unknown): unknown[] | undefined {
  const fetchResult = filterLogEventsSchema.safeParse(value);
  return fetchResult.data?.events.map(({ message }) => parseJsonObjectInLine(message));
}

/**
 * Parses the event of one log line. `atMs` is the time of the line, epoch milliseconds. Empty when the line is of
 * another kind.
 */
export function parseLoggedChange(json: unknown, atMs: number): LoggedChange[] {
  const event = loggedChangeSchema.safeParse(withCurrentEventName(json));
  return event.success && !Number.isNaN(atMs) ? [{ ...event.data, atMs }] : [];
}

/**
 * Converts the event names of earlier versions: `session_revoked` is now `session.revoked`. Old logs still contain
 * them.
 */
function withCurrentEventName(json: unknown): unknown {
  if (!isJsonObject(json) || typeof json.message !== 'string') return json;
  return { ...json, message: json.message.replace(/^([a-z]+)_/, '$1.') };
}

function logLineTimeMs(json: unknown): number {
  const time = logLineTimeSchema.safeParse(json);
  return Date.parse(time.data?.timestamp ?? time.data?.at ?? '');
}

function parseJsonObjectInLine(line: string): JsonObject | undefined {
  const jsonStart = line.indexOf('{');
  return jsonStart < 0 ? undefined : parseJsonObject(line.slice(jsonStart));
}
