/** Writes the items of a store that full-history.ts, the history of one customer, does not write. */
import { createBillingPreviews } from '../../../lib/billing/preview/previews.ts';
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../../lib/billing/records/settings-record.ts';
import { eraseCustomer } from '../../../lib/privacy/erase-customer.ts';
import { exchangeCodeForTokens } from '../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { writeAdminKeyRevocation, writeAdminKeyUse } from '../../../lib/storage/admin-key-usage.ts';
import { createSecretUseRepository } from '../../../lib/storage/inbox/secret-uses.ts';
import { createOneTimeLinkId, createOneTimeLinkRepository } from '../../../lib/storage/one-time-links.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { writeReconciliation } from '../../../lib/store-events/reconciliation/reconciliation-record.ts';
import { createUnfinishedIntervalChangeRepository } from '../../../lib/subscriptions/interval/unfinished-intervals.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { createWebhookDeliveryWork } from '../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import { sealEndpointSecret } from '../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpointRepository, type EndpointId } from '../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../lib/webhooks/guard-address.ts';
import { createWebhookSecret } from '../../../lib/webhooks/webhook-secret.ts';
import { HOUR_MS, MINUTE_MS, WEEKLY } from '../../world/store-world.ts';
import { signInToCode } from '../sign-in/world/journey.ts';
import { type ErasureWorld, PAGE, PERSON } from './erasure-world.ts';

const { shopId } = PERSON;
const OTHER_CUSTOMER = { ...PERSON, customerId: 7_001_002 as typeof PERSON.customerId };

/** Uses the store's keys, endpoints and workers, and erases another customer. */
export async function useStore(world: ErasureWorld): Promise<void> {
  await useAdminKeys(world);
  await interruptWork(world);
  await deliverToEndpoint(world);
  world.later(1000);
  await eraseCustomer(world.eraser(), OTHER_CUSTOMER, 'operator');
  await signInFromPage(world);
  await prepareBilling(world);
}

/** A store that the service bills, and the preview of a day. */
async function prepareBilling({ table, now }: ErasureWorld): Promise<void> {
  const settings = createBillingSettings({ table, now });
  await settings.write(shopId, DEFAULT_BILLING_SETTINGS, { ...DEFAULT_BILLING_SETTINGS, enabled: true });
  const previews = createBillingPreviews({ table });
  const amount = { amount: '16.8', currencyCode: 'USD' };
  const date = '2026-07-02';
  await previews.put(shopId, { date, preparedAtMs: now(), orderCount: 1, totals: [amount] });
  const order = { shopId, contractNumber: `${WEEKLY}` as ContractNumber, cycleIndex: 7 };
  const warnings = ['METHOD_EXPIRES'] as const;
  await previews.putEntry({ ...order, date, expectedAtMs: now(), amount, warnings });
  const runs = createBillingRuns({ table, now });
  await runs.create({
    ...{ shopId, date, status: 'SETTLING', expectedCount: 1, foundCount: 1, startedAtMs: now() },
    ...{ countByState: { RETRYING: 1 }, totals: [amount], countedAtMs: now(), cursor: { after: 'cursor-1' } },
  });
  await runs.putLine({ ...order, date, expectedAtMs: now() });
  const workQueue = createWorkQueue({ table, now, newId: () => crypto.randomUUID() });
  const charges = createBillingCharges({
    ...{ table, now },
    enqueueStore: (shop, atMs) => workQueue.enqueue('billing', shop, atMs),
  });
  await charges.create({
    ...order,
    ...{ state: 'RETRYING', expectedAtMs: now(), runDate: date, failedTryCount: 1, firstTryAtMs: now() },
    ...{ nextTryAtMs: now() + HOUR_MS, remindAtMs: now() + HOUR_MS, lastErrorCode: 'CARD_DECLINED' },
    ...{ attemptId: 'gid://platform/SubscriptionBillingAttempt/51', failedAttemptIds: ['51'], amount },
  });
}

/** A sign-in of a web page that is done. */
async function signInFromPage({ signIns }: ErasureWorld): Promise<void> {
  await exchangeCodeForTokens(signIns.deps, await signInToCode(signIns, `${PERSON.customerId}`, PAGE));
}

/** A key that is used and revokes itself, and a link that is opened with the second domain. */
async function useAdminKeys({ table, now, signIns }: ErasureWorld): Promise<void> {
  const keyId = 'key-1' as Parameters<typeof writeAdminKeyUse>[2]['keyId'];
  await writeAdminKeyUse(table, { shopId }, { keyId, hourMs: now() });
  await writeAdminKeyRevocation(table, { shopId }, { keyId, revokedAtMs: now() });
  const links = createOneTimeLinkRepository({ table });
  const linkId = createOneTimeLinkId(signIns.deps.random);
  await links.put({
    ...{ linkId, shopId, keyId, label: 'ERP', issuedBy: 'operator', scopes: ['READ'] },
    ...{ networks: ['10.0.0.0/8'], notAfter: now() + 24 * HOUR_MS, sealedKey: 'sealed', proofHash: 'hash' },
    ...{ createdAtMs: now(), voidAtMs: now() + HOUR_MS, claimId: undefined, claimedAtMs: undefined },
    ...{ wrongDomains: 0, wrongDomainsSinceMs: 0, expiresAt: Math.ceil(now() / 1000) + 86_400 },
  });
  await links.countClaimAttempt(linkId, now(), { maxWrongDomains: 5, windowMs: HOUR_MS });
  await links.claim(linkId, { claimId: 'claim-1', nowMs: now() });
}

/** Work that waits: a queued store, a reconciliation between two pages, and half an interval change. */
async function interruptWork({ table, now }: ErasureWorld): Promise<void> {
  const workQueue = createWorkQueue({ table, now, newId: () => crypto.randomUUID() });
  await workQueue.enqueue('store-events', shopId);
  await workQueue.enqueue('webhook-deliveries', shopId, now() + HOUR_MS);
  for await (const { shopId: leased } of workQueue.leaseStores('store-events'))
    await workQueue.enqueue('store-events', leased);
  await createSecretUseRepository({ table }).record(shopId, { versionId: 'v1', usedAtMs: now() });
  await writeReconciliation(
    { table },
    {
      ...{ shopId, baselineAtMs: now(), beganAtMs: now(), chargesSinceMs: now(), night: '2026-07-01' },
      ...{ after: 'cursor-1', state: 'pages', waiting: [`${WEEKLY}` as ContractNumber] },
      waitingCharges: ['51'],
    },
  );
  const date = new Date(now()).toISOString();
  await createUnfinishedIntervalChangeRepository({ table, now }).store(
    { shopId, contractNumber: `${WEEKLY}` as ContractNumber },
    {
      interval: { interval: 'MONTH', intervalCount: 2 },
      edits: [{ cycleIndex: 3, date, skipped: false, moved: true, originalDate: date, isChosen: true }],
      pastOrders: [{ firstCycleIndex: 3, untilMs: now() }],
      beganAtMs: now(),
    },
  );
}

/** An endpoint that accepts the first event, refuses the others, and is sent all of them once more. */
async function deliverToEndpoint({ table, now, later, signIns }: ErasureWorld): Promise<void> {
  const { tokenKeys, random, logger } = signIns.deps;
  const endpoints = createEndpointRepository({ table, now, newId: () => crypto.randomUUID() });
  const created = await endpoints.create({
    ...{ shopId, id: 'endpoint01' as EndpointId, url: 'https://erp.example/webhooks' as EndpointUrl },
    ...{ description: 'ERP', types: null, startsAt: 0 },
    sealSecret: (place) => sealEndpointSecret({ tokenKeys, random, now }, place, createWebhookSecret(random)),
  });
  if (created === undefined) throw new Error('no endpoint');
  const named = await endpoints.configure(created, { description: 'The ERP' });
  let sent = 0;
  const send = async () => ({ status: sent++ === 0 ? 200 : 500 });
  const work = createWebhookDeliveryWork({
    table,
    tokenKeys,
    logger,
    now,
    send,
    random: () => 0,
    gidNamespace: 'platform',
  });
  const signal = new AbortController().signal;
  const deliver = () => work({ shopId, endAtMs: now() + MINUTE_MS, signal });
  await deliver();
  later(MINUTE_MS);
  const replay = { id: 'replay-1', askedAtMs: now(), fromNumber: 0 };
  await endpoints.requestReplay(named ?? created, {
    replay,
    resends: [{ id: 'resend-1', askedAtMs: now(), number: 1 }],
  });
  await deliver();
}
