/** The schemas of webhook payloads, for docs/webhooks.schema.json. A test validates real payloads with them. */
import { z } from 'zod';
import type { WebhookEventType } from '../../../lib/timeline/event-type.ts';

/** When an event of each type is sent. */
const MEANING_BY_WEBHOOK_TYPE: Readonly<Record<WebhookEventType, string>> = {
  'subscription.created': 'A subscription was created.',
  'subscription.updated': 'A change that has no other type.',
  'subscription.activated': 'A subscription that had ended is active again.',
  'subscription.paused': 'A subscription was paused; `changes` has the end of the pause, if there is one.',
  'subscription.resumed': 'A subscription was resumed after a pause.',
  'subscription.cancelled': 'A subscription was cancelled: `reason.code` is the reason.',
  'subscription.expired': 'A subscription has had all its orders.',
  'subscription.failed': 'The platform marked a subscription as failed because payments failed.',
  'subscription.lines_changed': 'Products, variants or quantities changed.',
  'subscription.interval_changed': 'Orders come more or less often.',
  'subscription.delivery_changed': 'The address or the delivery method changed.',
  'subscription.payment_method_changed':
    'The payment method of a subscription changed, or a payment method in use was replaced or removed.',
  'subscription.discount_changed': 'A discount was applied or removed.',
  'subscription.note_changed': 'The note changed; its text is not sent.',
  'order.upcoming':
    'An order is due in 3 days, or in the number of days set for the store. Sent once for each order.',
  'order.skipped': 'An order was skipped.',
  'order.unskipped': 'A skipped order was restored.',
  'order.rescheduled': 'An order was moved to another day.',
  'order.charged': 'An order was paid.',
  'order.declined':
    'A payment was declined: `order.errorCode` is the reason, `order.nextTryAt` when the service tries again.',
  'order.action_required': "A payment waits for the customer's confirmation (3-D Secure).",
  'order.not_charged':
    'The service bills, and an order ended unpaid: `order.reason` says why, `changes` what the final action changed.',
  'payment_method.expiring': 'A payment method in use expires soon.',
  'customer.erased': 'A customer was erased: delete your data about the customer, too.',
  'billing.run_held':
    'A day on which the service bills is on hold, and nothing is charged until you confirm it: `run.holdReason` says why.',
  'store.uninstalled':
    'The app was removed from the store. Sent when no earlier event waits, at the latest an hour before the service stops sending.',
  'endpoint.test': 'A test that you requested.',
};

/**
 * Returns when a type is sent.
 * @throws Error that names the missing line: `npm run generate` checks no types of TypeScript.
 */
export function meaningOfWebhookType(type: WebhookEventType): string {
  const meaning: string | undefined = MEANING_BY_WEBHOOK_TYPE[type];
  if (meaning !== undefined) return meaning;
  throw new Error(
    `MEANING_BY_WEBHOOK_TYPE in tools/generate/webhooks/payload-schemas.ts needs a line for ${type}.`,
  );
}

const createGidSchema = (type: string) => z.string().regex(new RegExp(`^gid://[a-z][a-z0-9-]*/${type}/.+$`));
const orderSchema = z.strictObject({
  cycleIndex: z.int().nullable().describe("The billing cycle's index."),
  date: z.string().nullable().describe('The instant of the order, ISO 8601, UTC.'),
  billingAttemptId: createGidSchema('SubscriptionBillingAttempt').nullable(),
  errorCode: z.string().nullable().describe("The platform's code of a decline."),
});
const declinedOrderSchema = orderSchema.extend({
  tryCount: z.int().nullable().describe('How many attempts of the order have failed; null if others bill.'),
  nextTryAt: z.string().nullable().describe('When it is tried again by itself, ISO 8601, UTC.'),
});
const unpaidOrderSchema = orderSchema.extend({
  reason: z.string().nullable().describe('A BillingChargeReason.'),
});
const runSchema = z.strictObject({
  id: createGidSchema('BillingRun'),
  date: z.iso.date().describe("The day in the store's time zone."),
  holdReason: z.string().describe('A BillingHoldReason.'),
  expectedCount: z.int().nullable().describe('How many orders the preview had; null if there was none.'),
  foundCount: z.int(),
});
const moneySchema = z.strictObject({ amount: z.string(), currencyCode: z.string() });
const intervalSchema = z.strictObject({ interval: z.string(), intervalCount: z.int() });
const factValueSchema = z.union([z.string(), z.int(), z.boolean(), moneySchema, intervalSchema]).nullable();
const changeSchema = z.strictObject({
  field: z.string().describe('As in SubscriptionEvent.changes.'),
  before: factValueSchema.describe('The after of the previous event with the same field.'),
  after: factValueSchema,
});
const reasonSchema = z.strictObject({ code: z.string().nullable() });
const actorSchema = z.strictObject({
  kind: z
    .enum(['CUSTOMER', 'MERCHANT', 'SERVICE', 'UNKNOWN'])
    .describe('UNKNOWN: changed outside the service.'),
  label: z.string().nullable().describe('The label of the admin key.'),
});
const dataSchema = z.strictObject({
  id: z
    .string()
    .describe(
      'The SubscriptionEvent in the timeline. For events without a timeline entry, a unique text that is not a global id.',
    ),
  contractId: createGidSchema('SubscriptionContract').nullable(),
  customerId: createGidSchema('Customer').nullable(),
  actor: actorSchema.nullable().describe('Who made the change; null for events without a timeline entry.'),
  onBehalfOf: createGidSchema('Customer').nullable().describe('The customer for whom a key acted.'),
  outcome: z.enum(['DONE', 'UNKNOWN']).describe('UNKNOWN: it is not known whether the change was made.'),
  occurredAt: z.iso.datetime().describe('The time of the change, UTC.'),
  isEstimate: z
    .boolean()
    .describe('True if occurredAt is when the service found the change, or shortly before.'),
  recordedAt: z.iso.datetime().describe("When the event was appended to the store's stream, UTC."),
  position: z.int().describe("The event's number in the store's stream."),
  revisionId: z
    .string()
    .nullable()
    .describe('The revisionId of the contract when the change was found, if it is known.'),
  causedBy: createGidSchema('SubscriptionEvent').nullable().describe('The event that caused these changes.'),
  ordersChanged: z.boolean().describe('True if all orders have changed. Query the orders.'),
  changes: z.array(changeSchema),
});

const causeSchema = z
  .strictObject({ action: z.string(), from: z.iso.datetime(), to: z.iso.datetime() })
  .describe(
    'The postponement, its revert, or the order sent now in another billing cycle that changed the order: where the date of the next order was, and is.',
  );

const dataSchemas = {
  data: dataSchema,
  orderData: dataSchema.extend({ order: orderSchema, cause: causeSchema.optional() }),
  declinedOrderData: dataSchema.extend({ order: declinedOrderSchema, cause: causeSchema.optional() }),
  unpaidOrderData: dataSchema.extend({ order: unpaidOrderSchema, cause: causeSchema.optional() }),
  runData: dataSchema.extend({ run: runSchema }),
  paymentMethodData: dataSchema.extend({ paymentMethodId: z.string() }),
  cancelledData: dataSchema.extend({ reason: reasonSchema }),
};

function dataSchemaOfWebhookType(type: WebhookEventType) {
  if (type === 'order.declined') return dataSchemas.declinedOrderData;
  if (type === 'order.not_charged') return dataSchemas.unpaidOrderData;
  if (type === 'billing.run_held') return dataSchemas.runData;
  if (type.startsWith('order.')) return dataSchemas.orderData;
  if (type === 'subscription.cancelled') return dataSchemas.cancelledData;
  return type === 'payment_method.expiring' ? dataSchemas.paymentMethodData : dataSchemas.data;
}

/**
 * The schema of a type's body.
 * @internal A test holds the page's example against it.
 */
export function createPayloadSchema(type: WebhookEventType) {
  const timestamp = z.iso.datetime().describe('The time of the change, UTC.');
  const schema = z.strictObject({ type: z.literal(type), timestamp, data: dataSchemaOfWebhookType(type) });
  return schema.describe(meaningOfWebhookType(type).replaceAll('`', ''));
}

/** The JSON schemas of all types by their names, and of what they share. */
export function createJsonSchemas(types: readonly WebhookEventType[]): Readonly<Record<string, object>> {
  const schemaRegistry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({
    ...dataSchemas,
    order: orderSchema,
    change: changeSchema,
    actor: actorSchema,
  }))
    schemaRegistry.add(schema, { id });
  for (const type of types) schemaRegistry.add(createPayloadSchema(type), { id: type });
  const { schemas } = z.toJSONSchema(schemaRegistry, {
    uri: (id) => `#/$defs/${id}`,
    io: 'input',
    override: allowNewFields,
  });
  const schemaNames = [
    ...types,
    ...Object.keys(schemas).filter((id) => !types.includes(id as WebhookEventType)),
  ];
  return Object.fromEntries(
    schemaNames.map((id) => {
      const { $schema: _, $id: __, ...schema } = schemas[id] as Record<string, unknown>;
      return [id, schema];
    }),
  );
}

/** New fields may come, so a receiver that validates must not refuse them. */
function allowNewFields({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
