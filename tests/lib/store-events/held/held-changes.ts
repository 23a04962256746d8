/** The changes that are asked for: through the service, or made at the platform past it; and what they change. */
import {
  revised,
  touched,
} from '../../../../infra/emulators/platform/admin/resolvers/contracts/contract-changes.ts';
import { cycleByIndex } from '../../../../infra/emulators/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../../infra/emulators/platform/state/contract-records.ts';
import { gid } from '../../../contract/world/operation-world.ts';
import { KEY_LABEL } from '../../../graphql/world/harness.ts';
import type { Doer } from './held-model.ts';
import type { OwnChange } from './held-script.ts';

const ORDERS = 3;
const NOTES = ['ring', 'back door', 'leave it'];

export const DOERS: Readonly<Record<OwnChange['as'], Doer>> = {
  customer: { kind: 'CUSTOMER' },
  store: { kind: 'MERCHANT', label: KEY_LABEL },
  'store for a customer': { kind: 'CUSTOMER', label: KEY_LABEL },
};

export type AskedChange = Pick<OwnChange, 'contract' | 'name' | 'choice'>;

/** Whether both ask for the same. */
export function isSameChange(one: AskedChange, other: AskedChange | undefined): boolean {
  const isStatus = /pause|resume/.test(one.name);
  return (
    one.contract === other?.contract && one.name === other.name && (isStatus || one.choice === other.choice)
  );
}

type At = { readonly first: number; readonly nowMs: number };

/** Makes the change as another app does; false: it was so before. */
export function changeAtPlatform(
  contract: ContractRecord,
  { name, choice }: AskedChange,
  { first, nowMs }: At,
) {
  const index = String(first + choice);
  const { content, cycleEdits } = contract;
  const before = JSON.stringify([content, cycleEdits]);
  if (name === 'pause') content.status = 'PAUSED';
  else if (name === 'resume') content.status = 'ACTIVE';
  else if (name === 'note') content.note = NOTES[choice] ?? '';
  else if (name === 'quantity') for (const line of content.lines) line.quantity = choice + 1;
  else if (name === 'skip') cycleEdits[index] = { skipped: true, billingDate: null, contract: null };
  else delete cycleEdits[index];
  if (before === JSON.stringify([content, cycleEdits])) return false;
  if (/skip/.test(name)) touched(contract, nowMs);
  else revised(contract, nowMs);
  return true;
}

/** Facts as the timeline names and writes them, from the platform's own records. */
export function factsOf(contract: ContractRecord, first: number): Record<string, string> {
  const { status, note, lines } = contract.content;
  const quantities = lines.map(({ id, quantity }) => [`lines.${id}.quantity`, `${quantity}`]);
  const skips = Array.from({ length: ORDERS }, (_, order) => [
    `billingCycles.${first + order}.skipped`,
    String(cycleByIndex(contract, first + order)?.skipped ?? false),
  ]);
  return { status, note: note ?? '', ...Object.fromEntries([...quantities, ...skips]) };
}

/** The mutation of the service's own. */
export function mutationOf(
  { id, content }: ContractRecord,
  { name, choice }: OwnChange,
  first: number,
): string {
  const own = `contractId: "${gid('SubscriptionContract', id)}"`;
  const named = `subscriptionContractId: "${gid('SubscriptionContract', id)}"`;
  const update = content.lines.map(
    (line) => `{ lineId: "${gid('SubscriptionLine', line.id)}", quantity: ${choice + 1} }`,
  );
  const skip = (isSkipped: boolean) =>
    `subscriptionBillingCycleSkip(${own}, billingCycleIndex: ${first + choice}, skip: ${isSkipped})`;
  const mutations = {
    pause: `subscriptionContractPause(${named})`,
    resume: `subscriptionContractActivate(${named})`,
    skip: skip(true),
    unskip: skip(false),
    quantity: `subscriptionContractLinesUpdate(${own}, update: [${update.join(' ')}])`,
    note: `subscriptionContractNoteUpdate(${own}, note: "${NOTES[choice]}")`,
  };
  return mutations[name];
}
