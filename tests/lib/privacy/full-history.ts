/** A random person with texts in unusual scripts, who uses every function that stores personal data. */
import * as fc from 'fast-check';
import { ITEM_FAMILIES } from '../../../infra/definition/rights.ts';
import { ERASURE_RULES_BY_KIND } from '../../../lib/privacy/item-erasure.ts';
import { exchangeCodeForTokens } from '../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { createInbox } from '../../../lib/storage/inbox/inbox.ts';
import { createComplianceRequestRepository } from '../../../lib/storage/privacy/compliance-requests.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createCustomerQuotaRepository } from '../../../lib/storage/sessions/customer-quota-repository.ts';
import { createUsedCodeRepository } from '../../../lib/subscriptions/details/used-codes.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { appendingOver } from '../../appending.ts';
import { observe, readingWith } from '../../contract/world/observe.ts';
import { type Acting, gid } from '../../contract/world/operation-world.ts';
import { HOUR_MS, WEEKLY } from '../../world/store-world.ts';
import { ADA, crashAt, refreshWith, revokeWith, signInToCode, use } from '../sign-in/world/journey.ts';
import { type ErasureWorld, PERSON } from './erasure-world.ts';

export type Texts = Readonly<Record<'name' | 'email' | 'phone' | 'street' | 'device' | 'note', string>>;
type Change = readonly [Acting, string, Readonly<Record<string, unknown>>];

const numbered = (...parts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...parts), fc.integer({ min: 100_000, max: 999_999 }))
    .map(([part, number]) => `${part}${number}`);

/** Each text differs from all data of the world without the person. */
export const person: fc.Arbitrary<Texts> = fc.record({
  name: numbered('Zoë-Ødegård', '李小龍', 'Ñandú', `O'Brien"`, 'محمد', 'Anna\u200dMária', '𝔄𝔫𝔫𝔞'),
  email: numbered('z.o+').map((text) => `${text}@exämple.test`),
  phone: numbered('+49 176 ', '+81-3-'),
  street: numbered('Straße der Einheit ', '東京都 ', 'Улица ', 'Rue de l’Étoile '),
  device: numbered('Phone/1 of Zoë ', 'Gerät ', 'Телефон '),
  note: numbered('I moved\nto my sister ', 'هذا أنا ', '🙂 sick since ', '"quoted" \\ '),
});

const REFUSALS = 'userErrors { field message code }';
export const MONTHLY = 9_101_002;
const OTHER = 9_101_003;

/**
 * The kinds of items in which this history names the person: all that an erasure changes, except the deliveries, which
 * name a customer only in old items.
 */
export const KINDS_OF_PERSON: readonly string[] = Object.keys(ITEM_FAMILIES)
  .filter((kind) => ERASURE_RULES_BY_KIND[kind] !== ERASURE_RULES_BY_KIND.SHOP && kind !== 'DELIVERY')
  .sort();

/** Lives it all; the texts that name the person are in the table then. */
export async function liveToTheFull(world: ErasureWorld, texts: Texts): Promise<void> {
  await signInEverywhere(world, texts);
  for (const change of changesOf(world, texts)) await make(world, change);
  const contract = `${OTHER}` as ContractNumber;
  const known = { contract, customerId: ADA, facts: { note: texts.note } };
  await observe(world, PERSON.shopId, readingWith(known, world.now()));
  await breakOff(world, texts);
  const inbox = createInbox({ ...world, newId: () => crypto.randomUUID() });
  await inbox.put(PERSON.shopId, { topicGroup: 'data-request', object: '7', customerId: `${ADA}` });
  await appendingOver(world)({
    ...{ shopId: PERSON.shopId, id: 'upcoming-1', contract: String(OTHER) },
    event: { type: 'order.upcoming', atMs: world.now(), customerId: ADA },
  });
  const usedCode = { discountId: 'discount-1', code: texts.phone, useCount: 1, chargeIds: [] };
  await createUsedCodeRepository({ ...world, ...PERSON }).record(
    gid('SubscriptionContract', WEEKLY),
    usedCode,
  );
  await createCustomerQuotaRepository(world).charge(PERSON, { chargedMs: 1000, maxUsedMs: 60_000 });
  await createComplianceRequestRepository(world).putDataRequest({
    ...{ kind: 'data request', ...PERSON, id: '7', askedBy: 'platform' },
    receivedAtMs: world.now(),
    dueAtMs: world.now() + 30 * 24 * HOUR_MS,
  });
  const { sessions } = world.signIns.deps;
  for (const session of await sessions.listOf(PERSON.shopId, PERSON.customerId)) {
    await sessions.rememberContracts(session, [`${WEEKLY}`, `${MONTHLY}`]);
  }
}

/** Returns the texts that the table must not contain after the erasure. */
export function searchTextsOf(world: ErasureWorld, texts: Texts): string[] {
  return [...Object.values(texts), `${ADA}`, cardOf(world)];
}

/** One in use, one ended, and three that broke off at different places. */
async function signInEverywhere({ signIns }: ErasureWorld, { device }: Texts): Promise<void> {
  const begin = async () => ({ ...(await signInToCode(signIns)), userAgent: device });
  const phone = await exchangeCodeForTokens(signIns.deps, await begin());
  await use(signIns.deps, await refreshWith(signIns.deps, phone));
  await revokeWith(signIns.deps, await exchangeCodeForTokens(signIns.deps, await begin()));
  for (const point of [
    'exchange.after-keep-grant',
    'exchange.after-commit',
    'exchange.after-session-put',
  ] as const) {
    const request = await begin();
    await crashAt(point, () => exchangeCodeForTokens(signIns.deps, request));
  }
  const expiresAt = Math.ceil(signIns.now() / 1000) + 3600;
  const revocation = { nowMs: signIns.now() - HOUR_MS, expiresAt, reason: 'operator' } as const;
  await signIns.deps.sessions.markSignInsEnded(PERSON, revocation);
}

function changesOf(world: ErasureWorld, { name, email, phone, street, note }: Texts): readonly Change[] {
  const [weekly, monthly] = [WEEKLY, MONTHLY].map((id) => ({ id: gid('SubscriptionContract', id) }));
  const card = { id: gid('CustomerPaymentMethod', cardOf(world)) };
  const until = new Date(world.now() + 40 * 24 * HOUR_MS).toISOString();
  const to = {
    ...{ firstName: name, lastName: name, address1: street, phone },
    ...{ city: 'Bangor', countryCode: 'US', provinceCode: 'ME', zip: '04401' },
  };
  const key = JSON.stringify(email);
  const nextMs = findCycleAt(world.contract(WEEKLY), world.now())?.expectedMs ?? 0;
  const nextDate = formatIsoInstant(nextMs);
  const laterDay = formatIsoInstant(nextMs + 48 * HOUR_MS).slice(0, 10);
  return [
    [
      'customer',
      `($id: ID!) { subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: 30) @idempotent(key: ${key}) { ${REFUSALS} } }`,
      weekly ?? {},
    ],
    [
      'store',
      `($id: ID!, $text: String) { subscriptionContractNoteUpdate(contractId: $id, note: $text) { ${REFUSALS} } }`,
      { ...weekly, text: `${name} ${phone}` },
    ],
    [
      'customer',
      `($id: ID!, $to: MailingAddressInput!) { subscriptionContractDeliveryUpdate(contractId: $id, deliveryMethod: { shipping: $to }, optionCode: "express") @idempotent(key: "d") { deliveryOptions { code } ${REFUSALS} } }`,
      { ...weekly, to },
    ],
    [
      'store for a customer',
      `($id: ID!, $text: String!) { subscriptionContractDiscountCodeApply(contractId: $id, redeemCode: $text) @idempotent(key: "c") { ${REFUSALS} } }`,
      { ...weekly, text: name },
    ],
    [
      'store',
      `($id: ID!) { subscriptionContractDiscountCodeApply(contractId: $id, redeemCode: "COFFEE10") { ${REFUSALS} } }`,
      weekly ?? {},
    ],
    [
      'customer',
      '($id: ID!) { customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: $id) { userErrors { field message } } }',
      card,
    ],
    [
      'store for a customer',
      `($id: ID!, $to: MailingAddressInput!) { customerAddressUpdate(customerId: "${gid('Customer', ADA)}", addressId: $id, address: $to) @idempotent(key: "a") { userErrors { field message } } }`,
      { id: addressOf(world), to: { city: street } },
    ],
    [
      'store',
      `($id: ID!, $text: String!) { subscriptionBillingAttemptCreate(subscriptionContractId: $id, subscriptionBillingAttemptInput: { idempotencyKey: $text, billingCycleSelector: { index: 2 } }) { ${REFUSALS} } }`,
      { ...monthly, text: email },
    ],
    [
      'store',
      `($id: ID!, $text: String!) { subscriptionBillingCycleCharge(subscriptionContractId: $id, billingCycleSelector: { index: 40 }, idempotencyKey: $text) { ${REFUSALS} } }`,
      { ...weekly, text: email },
    ],
    [
      'customer',
      `($id: ID!) { subscriptionOrderPostpone(contractId: $id, expectedDate: "${nextDate}", to: "${laterDay}") { ${REFUSALS} } }`,
      weekly ?? {},
    ],
    [
      'customer',
      `($id: ID!, $text: String) { subscriptionContractPause(subscriptionContractId: $id, reason: $text, until: "${until}") { ${REFUSALS} } }`,
      { ...weekly, text: note },
    ],
    [
      'store',
      `($id: ID!, $text: String) { subscriptionContractPause(subscriptionContractId: $id, reason: $text) { ${REFUSALS} } }`,
      { ...monthly, text: `${name} ${note}` },
    ],
    [
      'customer',
      `($id: ID!, $text: String) { subscriptionContractCancel(subscriptionContractId: $id, reason: { code: OTHER, comment: $text }) { ${REFUSALS} } }`,
      { ...monthly, text: note },
    ],
  ];
}

/** The id of what the weekly contract is paid with: it leads to the person. */
export function cardOf(world: ErasureWorld): string {
  return world.contract(WEEKLY).content.paymentMethodId ?? '';
}

function addressOf(world: ErasureWorld): string {
  const all = [...world.platform.store().addresses.values()];
  const own = all.find(({ customerId, model }) => customerId === ADA && model === 'CustomerAddress');
  return gid('MailingAddress', `${own?.id}?model_name=CustomerAddress`);
}

/** Makes one requested change. */
export async function make(world: ErasureWorld, [as, document, variables]: Change): Promise<void> {
  const { asFunction } = world.process();
  const wait = async (ms: number) => world.later(ms);
  const query = `mutation ${document}`;
  const { code } = await world.run({ as, query, variables, ...asFunction, now: world.now, wait });
  if (code !== undefined) throw new Error(`${document}: ${code}`);
  world.later(1000);
}

/** Leaves changes without a recorded outcome among the scheduled tasks. */
async function breakOff({ table, now }: ErasureWorld, { note, email }: Texts): Promise<void> {
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const timeline = createTimeline({
    table,
    now,
    scheduledTasks,
    logger: { error() {} },
    newId: () => crypto.randomUUID(),
  });
  const author = {
    shopId: PERSON.shopId,
    actor: { kind: 'CUSTOMER', customerId: ADA },
    requestId: 'r',
    readAtMs: now(),
  } as const;
  const contractId = gid('SubscriptionContract', OTHER);
  const begin = timeline.begin(author);
  const changes = [{ coordinate: 'any', field: 'note', before: null, after: note }];
  await begin({ action: 'subscription_note_updated', contractId, details: { reason: note }, changes });
  await begin({
    ...{ action: 'billing_cycle_charged', contractId, changes: [] },
    details: { billingCycleIndex: 9, idempotencyKey: email },
  });
}
