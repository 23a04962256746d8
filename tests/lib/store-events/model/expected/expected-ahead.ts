/**
 * The events without an entry: upcoming orders, expiring cards, a removed app. Each has one id, even if it is reported
 * again.
 */

import { listCyclesBetween } from '../../../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../../sandbox/platform/state/contract-records.ts';
import type { StoreState } from '../../../../../sandbox/platform/state/state.ts';
import type { Receipt } from './recorded-event.ts';

const DAY_MS = 86_400_000;
const [UPCOMING_DAYS, EXPIRING_DAYS] = [3, 30];
const ORDERS = 60;

/** Returns the announcements of a reconciliation for an unchanged contract, as `type contract what`. */
export function aheadOf(
  contract: ContractRecord,
  store: StoreState,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): string[] {
  const { status, paymentMethodId } = contract.content;
  const recorded: string[] = [];
  const orders = listCyclesBetween(contract, 1, ORDERS).filter(
    ({ expectedMs, skipped, billed }) =>
      !skipped && !billed && expectedMs > untilMs && expectedMs <= sinceMs + UPCOMING_DAYS * DAY_MS,
  );
  if (status === 'ACTIVE')
    recorded.push(...orders.map(({ index }) => `order.upcoming ${contract.id} ${index}`));
  const method = store.paymentMethods.get(paymentMethodId ?? '');
  const isUsed = (status === 'ACTIVE' || status === 'PAUSED') && method?.revokedAt === null;
  if (isUsed && method.instrument.__typename === 'CustomerCreditCard') {
    const { expiryYear, expiryMonth } = method.instrument;
    const isEnding = Date.UTC(expiryYear, expiryMonth) - sinceMs <= EXPIRING_DAYS * DAY_MS;
    if (isEnding) recorded.push(`payment_method.expiring ${contract.id} ${method.id}`);
  }
  return recorded;
}

const TYPES: ReadonlySet<string> = new Set([
  'order.upcoming',
  'payment_method.expiring',
  'store.uninstalled',
]);

/** `must`: at least once, each under one id. */
export function wronglyAhead(
  name: string,
  receipts: readonly Receipt[],
  must: ReadonlySet<string>,
): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { id, type, contract, ahead } of receipts.filter((one) => TYPES.has(one.type))) {
    const key = type === 'store.uninstalled' ? type : `${type} ${contract?.split('/').at(-1)} ${ahead}`;
    ids.set(key, (ids.get(key) ?? new Set()).add(id));
  }
  const missing = [...must].filter((key) => !ids.has(key)).map((key) => `${name} never got ${key}`);
  const doubled = [...ids].filter(([, all]) => all.size > 1).map(([key]) => `${name} got ${key} as several`);
  return [...missing, ...doubled];
}
