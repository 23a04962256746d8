/** The fields of one contract at the platform, by their names in the timeline, each with possible values. */
import { findCycleByIndex } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord, ContractStatus } from '../../../sandbox/platform/state/contract-records.ts';

export type WorldFact = {
  readonly values: readonly (string | null)[];
  readonly get: () => string | null;
  readonly set: (text: string | null) => void;
  /** Recorded without its previous value, like a person's address. */
  readonly isBare?: boolean;
  /** No change of the service's own names it. */
  readonly isForeign?: boolean;
};

const ADDED = '91';
const DISCOUNT = 'd-1';
const [SKIPPED, MOVED, EDITED] = ['9', '10', '11'];
const instantOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');
const EDITS = [null, '2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'];

type World = { readonly nowMs: number; readonly paymentMethods: readonly string[] };

export function worldFacts(
  contract: ContractRecord,
  { nowMs, paymentMethods }: World,
): Record<string, WorldFact> {
  const { content, cycleEdits } = contract;
  const [line] = content.lines;
  const { deliveryMethod } = content;
  if (line === undefined || deliveryMethod?.kind !== 'shipping') throw new Error('another contract');
  const { address } = deliveryMethod;
  const own = <Name extends keyof typeof content>(
    name: Name,
    values: readonly (string | null)[],
  ): WorldFact => ({
    values,
    get: () => content[name] as string | null,
    set: (text) => void Object.assign(content, { [name]: text }),
  });
  const ofLine = (
    name: 'quantity' | 'variantId' | 'sellingPlanId',
    values: readonly string[],
  ): WorldFact => ({
    values,
    get: () => (line[name] === null ? null : String(line[name])),
    set: (text) => void Object.assign(line, { [name]: Number(text) }),
  });
  const policy = (name: 'billingPolicy' | 'deliveryPolicy'): WorldFact => ({
    values: ['1 WEEK', '2 WEEK', '1 MONTH'],
    get: () => `${content[name].intervalCount} ${content[name].interval}`,
    set: (text) => {
      const [count, interval] = (text ?? '').split(' ');
      content[name] = { ...content[name], intervalCount: Number(count), interval } as never;
    },
  });
  const cycle = (index: string) => cycleEdits[index] ?? { skipped: false, billingDate: null, contract: null };
  const edit = (index: string, change: Partial<ReturnType<typeof cycle>>) => {
    cycleEdits[index] = { ...cycle(index), ...change };
  };
  const cents = (minor: number) => `${minor / 100} USD`;
  const minorOf = (text: string | null) => Math.round(Number.parseFloat(text ?? '0') * 100);
  const day = (days: number) => instantOf(nowMs + days * 86_400_000);
  return {
    status: own('status', ['ACTIVE', 'PAUSED', 'FAILED'] satisfies ContractStatus[]),
    note: own('note', ['a', 'b', null]),
    nextBillingDate: own('nextBillingDate', [day(3), day(4), day(5)]),
    billingPolicy: policy('billingPolicy'),
    deliveryPolicy: policy('deliveryPolicy'),
    deliveryPrice: {
      values: ['1 USD', '2.5 USD', '3 USD'],
      get: () => cents(content.deliveryPriceMinor),
      set: (text) => void Object.assign(content, { deliveryPriceMinor: minorOf(text) }),
    },
    customAttributes: {
      values: ['', 'gift', 'gift, card'],
      get: () => content.customAttributes.map(({ key }) => key).join(', '),
      set: (text) => {
        content.customAttributes = (text === '' ? [] : (text ?? '').split(', ')).map((key) => ({
          key,
          value: 'x',
        }));
      },
    },
    customerPaymentMethod: {
      values: paymentMethods,
      get: () => content.paymentMethodId,
      set: (paymentMethodId) => void Object.assign(content, { paymentMethodId }),
    },
    deliveryMethod: {
      values: ['Way 1', 'Way 2', 'Way 3'],
      get: () => address.address1 ?? null,
      set: (text) => void Object.assign(address, { address1: text }),
      ...{ isBare: true, isForeign: true },
    },
    [`discounts.${DISCOUNT}`]: {
      values: [null, 'Ten off'],
      get: () => content.discounts.find(({ id }) => id === DISCOUNT)?.title ?? null,
      set: (title) => {
        content.discounts = content.discounts.filter(({ id }) => id !== DISCOUNT);
        const value = { percentage: 10 };
        const rest = { lineIds: null, recurringCycleLimit: null, usageCount: 0, redeemCode: null };
        if (title === null) return;
        content.discounts.push({
          ...{ id: DISCOUNT, title, value, ...rest },
          ...{ type: 'MANUAL', targetType: 'LINE_ITEM', rejectionReason: null },
        });
      },
    },
    [`lines.${line.id}.quantity`]: ofLine('quantity', ['1', '2', '3']),
    [`lines.${line.id}.variantId`]: ofLine('variantId', ['501', '502', '503']),
    [`lines.${line.id}.sellingPlanId`]: ofLine('sellingPlanId', ['601', '602', '603']),
    [`lines.${line.id}.currentPrice`]: {
      values: ['4 USD', '5 USD', '6.5 USD'],
      get: () => cents(line.currentPriceMinor),
      set: (text) => void Object.assign(line, { currentPriceMinor: minorOf(text) }),
    },
    [`lines.${ADDED}.quantity`]: {
      values: [null, '1', '2'],
      get: () => content.lines.find(({ id }) => id === ADDED)?.quantity.toString() ?? null,
      set: (text) => {
        content.lines = content.lines.filter(({ id }) => id !== ADDED);
        if (text !== null) content.lines.push({ ...line, id: ADDED, quantity: Number(text) });
      },
    },
    [`billingCycles.${SKIPPED}.skipped`]: {
      values: ['false', 'true'],
      get: () => String(cycle(SKIPPED).skipped),
      set: (text) => edit(SKIPPED, { skipped: text === 'true' }),
    },
    [`billingCycles.${MOVED}.billingAttemptExpectedDate`]: {
      values: [day(20), day(21), day(22)],
      get: () => instantOf(findCycleByIndex(contract, Number(MOVED))?.expectedMs ?? 0),
      set: (billingDate) => edit(MOVED, { billingDate }),
    },
    [`billingCycles.${EDITED}.editedContract`]: {
      values: EDITS,
      get: () => cycle(EDITED).contract?.updatedAt ?? null,
      set: (updatedAt) =>
        edit(EDITED, {
          contract:
            updatedAt === null ? null : { content, createdAt: updatedAt, updatedAt, concatenated: [] },
        }),
      isForeign: true,
    },
  };
}
