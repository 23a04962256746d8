import type { BillingCycle } from '../../../../lib/subscriptions/cycles/billing-cycle.ts';
import { cyclesAhead } from '../../../../lib/subscriptions/interval/cycles-ahead.ts';
import { errorWords } from '../platform-answer.ts';
import { finding, type Step } from '../step.ts';
import { chosenContract, NO_CONTRACT, numberOf } from '../test-contract.ts';

type Page = { readonly nodes: readonly BillingCycle[] };

export const cycleRange: Step = {
  name: 'cycle-range',
  claim: 'Billing cycles of the next 50 years are answered as far as they can be named.',
  does: 'Asks for the cycles of a contract as a change of its interval does: the first 250 of 50 years, and the last.',
  taken: 'A change of the interval reads all cycles ahead so, and fails if the platform refuses the range.',
  see: ['lib/subscriptions/interval/cycles-ahead.ts'],
  obstacle: (lab) => (chosenContract(lab) === undefined ? `${NO_CONTRACT}.` : undefined),
  async measure(lab) {
    const contract = chosenContract(lab);
    const { roots, declarations, variables } = cyclesAhead(lab.parts.now());
    const document = `query FirstContactCycles($_svcContractId: ID!, ${declarations.join(', ')}) { ${roots} }`;
    const { data, errors, cost } = await lab.ask(document, { ...variables, _svcContractId: contract?.id });
    const [near, far] = [data?._svcNear, data?._svcFar] as (Page | null | undefined)[];
    const points = `asked for with ${cost?.requestedQueryCost ?? 'unknown'} points`;
    if (!near || !far)
      return finding(false, `The platform refuses the range: ${errorWords(errors)}`, [points]);
    const first = near.nodes[0];
    const last = far.nodes.toSorted((one, other) => one.cycleIndex - other.cycleIndex).at(-1);
    if (first === undefined || last === undefined)
      return finding(false, 'The range is answered with no cycle.', [points]);
    const count = last.cycleIndex - first.cycleIndex + 1;
    return finding(true, `${count} cycles are answered.`, [
      `contract ${contract === undefined ? '' : numberOf(contract)}: cycles ${first.cycleIndex} to ${last.cycleIndex}, the last due ${last.billingAttemptExpectedDate}`,
      points,
    ]);
  },
};
