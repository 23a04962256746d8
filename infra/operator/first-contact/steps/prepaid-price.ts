import { deliveriesPerPayment } from '../../../../lib/subscriptions/selling-plans/rhythm.ts';
import { builtFor, finding, type Step } from '../step.ts';
import { chosenContract, numberOf, orderPrice, type TestContract, type TestLine } from '../test-contract.ts';

export const prepaidPrice: Step = {
  name: 'prepaid-price',
  claim:
    'The price of a PRICE policy is that of the whole payment, also where it pays for several deliveries.',
  does: 'Reads what the platform computed for a contract that was bought under such a plan.',
  taken: 'Such a plan has no price in the service, and cannot be chosen: what it means is published nowhere.',
  see: [
    'lib/subscriptions/selling-plans/plan-price.ts',
    'docs/decisions/0115-price-a-line-for-all-deliveries-of-one-payment.md',
  ],
  obstacle: (lab) =>
    chosenContract(lab, isPriced) === undefined
      ? 'No contract was named that was bought so. Make a selling plan that is billed every 3 months, delivered every month, with a price in place of a discount; buy it with a test payment, and add the number of its contract as --contract.'
      : undefined,
  async measure(lab) {
    const contract = chosenContract(lab, isPriced);
    const found = contract && priced(contract);
    if (contract === undefined || found === undefined) throw new Error('There was an obstacle.');
    const { deliveries, line, policyPrice, computed } = found;
    const observed = [
      `contract ${numberOf(contract)}: ${deliveries} deliveries in a payment, base price ${line.pricingPolicy?.basePrice.amount}`,
      `the policy's price ${policyPrice}, computed ${computed}, the line's ${line.currentPrice.amount}, quantity ${line.quantity}`,
      `an order of it costs about ${orderPrice(contract)}`,
    ];
    if (policyPrice === computed) return finding(true, 'The computed price is the policy’s.', observed);
    if (Math.abs(policyPrice * deliveries - computed) < 0.005)
      return builtFor(`It is that of each delivery: the payment is ${deliveries} times as much.`, observed);
    return builtFor('It is neither that of the payment nor that of each delivery.', observed);
  },
};

type Priced = {
  readonly deliveries: number;
  readonly line: TestLine;
  readonly policyPrice: number;
  readonly computed: number;
};

function isPriced(contract: TestContract): boolean {
  return priced(contract) !== undefined;
}

/** The first line under a PRICE, if a payment is for several deliveries. */
function priced(contract: TestContract): Priced | undefined {
  const deliveries = deliveriesPerPayment(contract) ?? 1;
  if (deliveries === 1) return undefined;
  for (const line of contract.lines.nodes) {
    const step = line.pricingPolicy?.cycleDiscounts.find(({ adjustmentType }) => adjustmentType === 'PRICE');
    if (step === undefined) continue;
    const policyPrice = Number(step.adjustmentValue.amount);
    return { deliveries, line, policyPrice, computed: Number(step.computedPrice.amount) };
  }
  return undefined;
}
