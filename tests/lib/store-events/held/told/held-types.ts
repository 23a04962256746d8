/** The type under which each change is told, by what docs/webhooks.md says of types: from the facts that it changes alone. */
import { isOfCharge } from './held-charges.ts';
import type { Receipt, Told } from './held-told.ts';

type Change = Told['changes'][number];

const UPDATED = 'subscription.updated';
const ENDS: Readonly<Record<string, string>> = {
  PAUSED: 'subscription.paused',
  CANCELLED: 'subscription.cancelled',
  EXPIRED: 'subscription.expired',
  FAILED: 'subscription.failed',
};
const BY_FIELD: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^billingCycles\.\d+\.billingAttemptExpectedDate$|^nextBillingDate$/, ['order.rescheduled']],
  [/^lines\..+\.currentPrice$/, ['subscription.lines_changed', UPDATED]],
  [/^lines(?:\.|$)/, ['subscription.lines_changed']],
  [/^(?:billing|delivery)Policy$/, ['subscription.interval_changed']],
  [/^deliveryPrice$/, ['subscription.delivery_changed', UPDATED]],
  [/^deliveryMethod$/, ['subscription.delivery_changed']],
  [/^customerPaymentMethod$/, ['subscription.payment_method_changed']],
  [/^discounts(?:\.|$)/, ['subscription.discount_changed']],
  [/^note$/, ['subscription.note_changed']],
  [/^customAttributes$/, ['subscription.note_changed', UPDATED]],
];

/** The types that may tell of one fact. */
function typesOf({ field, before, after }: Change): readonly string[] {
  if (field === 'status' && after === 'ACTIVE')
    return [before === 'PAUSED' ? 'subscription.resumed' : 'subscription.activated'];
  if (field === 'status') return [ENDS[after ?? ''] ?? UPDATED];
  if (field.endsWith('.skipped')) return [after === 'true' ? 'order.skipped' : 'order.unskipped'];
  return BY_FIELD.find(([pattern]) => pattern.test(field))?.[1] ?? [UPDATED];
}

/** What is wrong with the types of what an endpoint was sent. */
export function wronglyTyped(name: string, receipts: readonly Receipt[], all: readonly Told[]): string[] {
  const told = new Map(all.filter((entry) => !isOfCharge(entry)).map((entry) => [entry.id, entry]));
  return receipts.flatMap(({ id, type, changes }) => {
    const entry = told.get(id);
    if (entry === undefined || mayBe(entry, type)) return [];
    return [`${name} got ${changes.map(({ field }) => field)} by ${entry.actor.kind} as ${type}`];
  });
}

/** An own change has the type of what was asked for; what was changed elsewhere has none of its own if it is of several. */
function mayBe({ action, actor, changes }: Told, type: string): boolean {
  if (action === 'subscription_created') return type === 'subscription.created';
  const facts = changes.filter(({ field }) => !field.startsWith('currentPause.'));
  const kinds = facts.map(typesOf);
  if (actor.kind !== 'UNKNOWN') return kinds.some((types) => types.includes(type)) || facts.length === 0;
  const common = kinds.reduce((shared, types) => shared.filter((one) => types.includes(one)), kinds[0] ?? []);
  const isOfSeveral = common.length === 0 || kinds.some((types) => types.includes(UPDATED));
  return (isOfSeveral && type === UPDATED) || common.includes(type);
}
