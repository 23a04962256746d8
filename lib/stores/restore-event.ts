/** What the log tells of changes that a restored table has forgotten: one JSON object a line. */
import * as z from 'zod/mini';
import { type CustomerId, parseCustomerId } from '../domain/customer-id.ts';
import type { SessionId } from '../domain/session-id.ts';
import { parseShopId, type ShopId } from '../domain/shop-id.ts';

const shopId = z.pipe(
  z.number().check(z.refine((value) => parseShopId(value) !== undefined)),
  z.transform((value) => value as ShopId),
);
const customerId = z.pipe(
  z.number().check(z.refine((value) => parseCustomerId(value) !== undefined)),
  z.transform((value) => value as CustomerId),
);
const sessionId = z.pipe(
  z.string(),
  z.transform((value) => value as SessionId),
);
const eventSchema = z.union([
  z.object({ message: z.literal('session_revoked'), shopId, customerId, sessionId, reason: z.string() }),
  z.object({ message: z.literal('key_claimed'), shopId, keyId: z.string(), claimedAtMs: z.number() }),
  z.object({ message: z.literal(['store_installed', 'store_uninstalled', 'store_purged']), shopId }),
]);
/** Functions write `timestamp`, the command line `at`. */
const timeSchema = z.object({ timestamp: z.optional(z.string()), at: z.optional(z.string()) });

export type RestoreEvent = z.infer<typeof eventSchema> & { readonly atMs: number };

/**
 * The events of log lines since a time, oldest first. Lines of other kinds, and text around a line's object as
 * exports have it, are passed over. `sinceMs`: epoch milliseconds.
 */
export function readRestoreEvents(text: string, sinceMs: number): RestoreEvent[] {
  return text
    .split('\n')
    .flatMap((line) => readEvent(line))
    .filter(({ atMs }) => atMs >= sinceMs)
    .sort((a, b) => a.atMs - b.atMs);
}

function readEvent(line: string): RestoreEvent[] {
  const json = parseObject(line);
  const event = eventSchema.safeParse(json);
  const time = timeSchema.safeParse(json);
  const atMs = Date.parse(time.data?.timestamp ?? time.data?.at ?? '');
  return event.success && !Number.isNaN(atMs) ? [{ ...event.data, atMs }] : [];
}

function parseObject(line: string): unknown {
  const from = line.indexOf('{');
  if (from < 0) return undefined;
  try {
    return JSON.parse(line.slice(from));
  } catch {
    return undefined;
  }
}
