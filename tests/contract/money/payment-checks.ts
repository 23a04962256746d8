/**
 * Runs a random scenario of payments, and compares each change with the oracle: its plans, its prices, or its
 * rejection.
 */
import { expect } from '@jest/globals';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS } from '../../../sandbox/platform/state/instant.ts';
import { LINES, lineId } from '../world/lines-operation.ts';
import { type Acting, gid } from '../world/operation-world.ts';
import { deliveryOptionPrices } from './delivery-table.ts';
import { type MoneyLedger, simulateSubscription } from './money-ledger.ts';
import { deliveriesNow, oracleContract, oraclePlans } from './oracle-view.ts';
import {
  CONTRACT,
  type Command,
  createPaymentWorld,
  FREQUENCIES,
  type PaymentWorld,
  type Scenario,
  VARIANTS,
} from './payment-world.ts';
import {
  type Expected,
  expectedInterval,
  type OracleContract,
  type OraclePlan,
  type Refusal,
} from './plan-oracle.ts';
import { deliveriesOf, minorOf, nextPrice, stepInForce } from './price-oracle.ts';

const OPTIONS = `query ($contractId: ID!, $lineId: ID, $after: String) {
  subscriptionLineOptions(contractId: $contractId, lineId: $lineId, first: 50, after: $after) {
    nodes { productVariant { id } sellingPlan { id } currentPrice { amount } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** How often each thing came about: a property of nothing but refusals proves nothing. */
export type Tally = Record<string, number>;

/**
 * Runs the scenario.
 * @throws Error when a result differs from the oracle's.
 */
export async function runScenario(scenario: Scenario, tally: Tally): Promise<void> {
  const world = createPaymentWorld(scenario);
  if (world === undefined) return;
  for (const command of scenario.commands) {
    // The platform's points come back with time.
    world.later(60_000);
    const what = await runCommand(world, command);
    tally[what] = (tally[what] ?? 0) + 1;
  }
  await charge(world, 40);
}

const recordOf = (world: PaymentWorld) => {
  const contract = world.shop().contracts.get(CONTRACT);
  if (contract === undefined) throw new Error('no contract');
  return contract;
};
const view = (world: PaymentWorld) => oracleContract(world.shop(), CONTRACT);
const actingOf = (as: Acting) => (as === 'store' ? 'merchant' : 'customer');
const numberOf = (id: string) => Number(id.split('/').at(-1));

async function runCommand(world: PaymentWorld, command: Command): Promise<string> {
  if (command.kind === 'wait') return charge(world, command.days);
  if (command.kind === 'skip') return skip(world);
  if (command.kind === 'lines') return changeLines(world, command);
  return changeInterval(world, command);
}

/** Orders that come due are paid as the contract says, and bring what they pay for. */
async function charge(world: PaymentWorld, days: number): Promise<string> {
  const { lines, deliveryPrice } = view(world);
  const d = deliveriesNow(world.shop(), CONTRACT);
  // An order of this very moment is in the ledger of the stretch before.
  world.later(1000);
  const untilMs = world.platform.holder.nowMs + days * DAY_MS;
  const ledger: MoneyLedger = await simulateSubscription(world.platform, { contractId: CONTRACT, untilMs });
  const linesMinor = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const cycles = ledger.payments.map(({ cycleIndex }) => cycleIndex);
  expect(new Set(cycles).size).toBe(cycles.length);
  for (const payment of ledger.payments) {
    expect(payment).toMatchObject({ isPaid: true, linesMinor, deliveryMinor: deliveryPrice });
    expect(payment.deliveries).toHaveLength(d);
    expect(payment.lines.map(({ pieces }) => pieces)).toEqual(lines.map(({ quantity }) => quantity));
  }
  expect(lines.every(({ price }) => price > 0)).toBe(true);
  return ledger.payments.length > 0 ? 'charged' : 'waited';
}

async function skip(world: PaymentWorld): Promise<string> {
  const contract = recordOf(world);
  const cycle = findCycleAt(contract, world.platform.holder.nowMs);
  const before = view(world);
  await world.ask(
    'mutation ($contractId: ID!, $index: Int!) { subscriptionBillingCycleSkip(contractId: $contractId, billingCycleIndex: $index) { userErrors { code } } }',
    { index: (cycle?.index ?? 0) + 1 },
  );
  expect(view(world)).toEqual(before);
  return 'skipped';
}

async function changeInterval(
  world: PaymentWorld,
  command: Extract<Command, { kind: 'interval' | 'plan' }>,
): Promise<string> {
  const before = view(world);
  const all = [...world.shop().sellingPlans.keys()].filter((id) => id > 830_900_000);
  const offered = before.lines[0]?.offers.map(({ id }) => id) ?? [];
  const plans = command.kind === 'plan' && command.isOffered && offered.length > 0 ? offered : all;
  const planId = command.kind === 'plan' ? (plans[command.plan % plans.length] ?? 0) : undefined;
  const interval = command.kind === 'interval' ? FREQUENCIES[command.frequency] : undefined;
  const { payload } = await world.change(
    planId === undefined ? { interval } : { plan: gid('SellingPlan', planId) },
    command.as,
  );
  const [error] = payload.userErrors;
  const after = view(world);
  if (error !== undefined) expect(after).toEqual(before);
  if (error?.code === 'ORDER_TOO_CLOSE') return 'too close';
  const requested = planId === undefined ? { interval: interval ?? before.billing } : { planId };
  const expected = expectedChange(world, before, { requested, as: command.as });
  if ('refused' in expected) {
    expect([error?.code, requested]).toEqual([expected.refused, requested]);
    return `${command.kind} refused`;
  }
  expect([error, requested]).toEqual([undefined, requested]);
  const deliveryPrice = deliveryPriceOf(world, { before, expected }, command.as);
  expectInForce(after, { before, expected: { ...expected, deliveryPrice } });
  return JSON.stringify(after) === JSON.stringify(before) ? 'unchanged' : `${command.kind} changed`;
}

type IntervalInput = Parameters<typeof expectedInterval>[1];

/** The oracle's word; and where its rules were read otherwise, or are silent. */
function expectedChange(
  world: PaymentWorld,
  before: OracleContract,
  { requested, as }: { readonly requested: IntervalInput; readonly as: Acting },
): Expected | Refusal {
  const same = inForce(before, requested, world);
  if (same !== undefined) return same;
  const refused: Refusal = { refused: 'INTERVAL_NOT_OFFERED' };
  // Lines without a plan are the merchant's.
  if (as !== 'store' && before.lines.some(({ planId }) => planId === null)) return refused;
  const expected = expectedInterval(...readOtherwise(before, requested, { world, as }), actingOf(as));
  if ('refused' in expected) return expected;
  const isGift = expected.lines.some(({ id, planId, prices }) => {
    const line = before.lines.find((one) => one.id === id);
    const steps = planId === null ? line?.pricing?.steps : planById(world, planId)?.steps;
    const isFixed = stepInForce(steps ?? [], before.ordersMade)?.type === 'FIXED_AMOUNT';
    return line?.pricing != null && isFixed && prices.includes(0);
  });
  return isGift ? refused : expected;
}

/**
 * A merchant's line without a plan has none at another interval. A merchant may name a plan that sells no line: then
 * each line takes its own plan with these terms, else the named one.
 */
function readOtherwise(
  before: OracleContract,
  requested: IntervalInput,
  { world, as }: { readonly world: PaymentWorld; readonly as: Acting },
): [OracleContract, IntervalInput] {
  if (as !== 'store') return [before, requested];
  const named = 'planId' in requested ? planById(world, requested.planId) : undefined;
  if (named === undefined) {
    const lines = before.lines.map((line) => (line.planId === null ? { ...line, offers: [] } : line));
    return [{ ...before, lines }, requested];
  }
  const isOffered = before.lines.some(({ offers }) => offers.some(({ id }) => id === named.id));
  const lines = before.lines.map((line) => {
    const equal = line.offers
      .filter((plan) => terms(plan) === terms(named))
      .sort((one, other) => one.position - other.position || one.id - other.id);
    if (!isOffered) return { ...line, offers: [equal[0] ?? named] };
    return line.planId === null && equal.length === 0 ? { ...line, offers: [named] } : line;
  });
  const planId = isOffered ? named.id : (lines[0]?.offers[0]?.id ?? named.id);
  return [{ ...before, lines }, { planId }];
}

type Terms = Pick<OraclePlan, 'billing' | 'delivery' | 'anchors'>;

/** Returns a comparable form, regardless of the order of keys and of the objects' realm. */
const terms = ({ billing, delivery, anchors }: Terms) =>
  JSON.stringify([
    [billing, delivery].map(({ interval, intervalCount }) => [interval, intervalCount]),
    anchors.map(({ type, day, month, cutoffDay }) => [type, day, month, cutoffDay]),
  ]);

function planById(world: PaymentWorld, planId: number): OraclePlan | undefined {
  return VARIANTS.flatMap((variant) => oraclePlans(world.shop(), variant)).find(({ id }) => id === planId);
}

/** Returns the unchanged contract, prices included, if the requested interval is already in force. */
function inForce(
  before: OracleContract,
  requested: IntervalInput,
  world: PaymentWorld,
): Expected | undefined {
  const plan = 'planId' in requested ? planById(world, requested.planId) : undefined;
  const isInState =
    'planId' in requested
      ? plan !== undefined &&
        terms(plan) === terms(before) &&
        before.lines.every(({ planId }) => planId === requested.planId)
      : terms({ ...before, billing: requested.interval }) === terms(before);
  if (!isInState) return undefined;
  const lines = before.lines.map(({ id, planId, price }) => ({ id, planId, prices: [price] }));
  return { ...before, d: deliveriesOf(before.billing, before.delivery) ?? 0, lines };
}

type Change = { readonly before: OracleContract; readonly expected: Expected };

/** With one delivery per payment again, a customer pays the store's price of the option. */
function deliveryPriceOf(world: PaymentWorld, { before, expected }: Change, as: Acting): number {
  const { content } = recordOf(world);
  const isBack = expected.d === 1 && deliveriesOf(before.billing, before.delivery) !== 1;
  const code = content.deliveryMethod?.option.code ?? '';
  const requested = deliveryOptionPrices(world.shop(), content).get(code);
  return (as === 'store' || !isBack ? undefined : requested) ?? expected.deliveryPrice;
}

function expectInForce(after: OracleContract, { before, expected }: Change): void {
  const { billing, delivery, anchors, d, deliveryPrice } = expected;
  expect(after).toMatchObject({ billing, anchors, deliveryPrice });
  expect(deliveriesOf(after.billing, after.delivery)).toBe(d);
  if (delivery !== null) expect(after.delivery).toEqual(delivery);
  const isRescheduled = terms(after) !== terms(before);
  for (const line of after.lines) {
    const was = before.lines.find(({ id }) => id === line.id);
    const to = expected.lines.find(({ id }) => id === line.id);
    if (was === undefined || to === undefined) throw new Error('another line');
    expect(line.planId).toBe(to.planId ?? was.planId);
    expect(line.quantity).toBe(was.quantity);
    const isUnchanged = !isRescheduled && line.planId === was.planId;
    expect(isUnchanged ? [was.price] : to.prices).toContain(line.price);
  }
}

type Option = { readonly planId: number; readonly price: number };

/**
 * Changes lines. The listed options are accepted from each actor; options that are not listed for a line are rejected.
 */
async function changeLines(
  world: PaymentWorld,
  { as, variant, isAdded }: Extract<Command, { kind: 'lines' }>,
): Promise<string> {
  const before = view(world);
  const contract = recordOf(world);
  const line = isAdded ? undefined : lineId(contract);
  const options = await optionsOf(world, as, line);
  expect(await optionsOf(world, as === 'store' ? 'customer' : 'store', line)).toEqual(options);
  for (const [variantId, option] of options) expectPrice(world, before, { variantId, option });
  const variantId = VARIANTS[variant] ?? 0;
  const [first] = before.lines;
  if (!isAdded && contract.content.lines[0]?.variantId === variantId) return 'unchanged';
  const productVariantId = gid('ProductVariant', variantId);
  const { payload } = await world.ask(
    LINES,
    isAdded ? { add: [{ productVariantId, quantity: 1 }] } : { update: [{ lineId: line, productVariantId }] },
    as,
  );
  const [error] = payload.userErrors;
  const after = view(world);
  const option = options.get(variantId);
  if (error !== undefined) {
    expect(after).toEqual(before);
    const isThere = before.lines.some(
      (_line, index) => contract.content.lines[index]?.variantId === variantId,
    );
    expect(option === undefined || isThere ? ['VARIANT_NOT_AVAILABLE', 'INVALID'] : []).toContain(error.code);
    return 'lines refused';
  }
  const changed = isAdded ? after.lines.at(-1) : after.lines.find(({ id }) => id === first?.id);
  if (changed === undefined) throw new Error('no line');
  const taken = { planId: changed.planId ?? 0, price: changed.price };
  // A plan that does not sell the line's product gives no option, though it may be chosen.
  if (option !== undefined) expect(taken).toEqual(option);
  else expect(isAdded || !first?.offers.some(({ id }) => id === first.planId)).toBe(true);
  expectPrice(world, before, { variantId, option: taken });
  const remaining = ({ lines }: OracleContract) => lines.filter(({ id }) => id !== changed.id);
  expect(remaining(after)).toEqual(remaining(before));
  return isAdded ? 'added' : 'swapped';
}

async function optionsOf(
  world: PaymentWorld,
  as: Acting,
  line: string | undefined,
): Promise<ReadonlyMap<number, Option>> {
  const found = new Map<number, Option>();
  let after: string | null = null;
  do {
    const { payload } = await world.ask(OPTIONS, { lineId: line, after }, as);
    for (const { productVariant, sellingPlan, currentPrice } of payload.nodes) {
      const price = minorOf(currentPrice.amount, world.shop().currencyCode);
      found.set(numberOf(productVariant.id), { planId: numberOf(sellingPlan.id), price });
    }
    after = payload.pageInfo.hasNextPage ? payload.pageInfo.endCursor : null;
  } while (after !== null);
  return found;
}

type Offer = { readonly variantId: number; readonly option: Option };

/**
 * Checks the price of a line: it follows from the catalogue's price for all deliveries of the next payment, and is
 * never zero.
 */
function expectPrice(world: PaymentWorld, contract: OracleContract, { variantId, option }: Offer): void {
  const plan = oraclePlans(world.shop(), variantId).find(({ id }) => id === option.planId);
  const base = world.shop().variants.get(variantId)?.priceMinor ?? 0;
  const d = deliveriesOf(contract.billing, contract.delivery) ?? 0;
  const { ordersMade } = contract;
  expect(option.price).toBe(nextPrice(plan?.steps ?? [], { base, d, ordersMade }));
  expect(option.price).toBeGreaterThan(0);
  // A plan's discount never applies to another interval if its group has a plan for the contract's interval.
  const isOf = (one: OraclePlan | undefined) =>
    one !== undefined && terms({ ...one, anchors: [] }) === terms({ ...contract, anchors: [] });
  const groupOf = (id: number) => Math.floor(id / 100);
  const group = oraclePlans(world.shop(), variantId).filter(
    ({ id }) => groupOf(id) === groupOf(option.planId),
  );
  expect(isOf(plan) || !group.some(isOf)).toBe(true);
}
