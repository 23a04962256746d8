/** Converts the platform's response about a contract to a reading: its facts are texts as the recorded state has them. */
import type { PricedContract } from '../../billing/preview/compute-order-amounts.ts';
import { gidTail, parseCustomerGid } from '../../domain/gid.ts';
import type { PlatformError } from '../../platform/admin-api/admin-response.ts';
import type { ContractReading, CycleFacts, PaymentMethodFacts } from '../../timeline/append/observation.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import { hashFactValue, hashUnlessReported } from '../../timeline/facts.ts';
import { type ContractContent, contentFactTexts } from '../../timeline/settle/contract-content.ts';

export type ObservedContract = ContractContent & {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revisionId: string;
  readonly customer: { readonly id: string } | null;
  readonly paymentMethod: {
    readonly id: string;
    readonly revokedAt: string | null;
    readonly instrument: CardExpiry | null;
  } | null;
};
type CardExpiry = { readonly expiryMonth?: number; readonly expiryYear?: number };
export type ContractsPage = {
  /** The fields of `PricedContract` are selected only if the service bills the store. */
  readonly nodes: readonly (ObservedContract & PricedContract)[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
};
export type CyclesPage = {
  readonly nodes: readonly {
    readonly cycleIndex: number;
    readonly cycleStartAt: string;
    readonly cycleEndAt: string;
    readonly billingAttemptExpectedDate: string;
    readonly skipped: boolean;
    readonly status: string;
    readonly editedContract: { readonly updatedAt: string } | null;
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean };
};

type ReturnedContract = {
  readonly contract: ContractNumber;
  readonly response: ObservedContract;
  readonly errors: readonly PlatformError[];
  /** The length of the path to the contract in the response. */
  readonly pathLength: number;
  /** Whether the service bills the store, and so sets the contract's `nextBillingDate`. */
  readonly isBilled?: boolean | undefined;
  /** When the request was sent, epoch milliseconds. */
  readonly startedAtMs: number;
  /** When the response was received, epoch milliseconds. */
  readonly endedAtMs: number;
};

/** Returns the reading of a contract, without its billing cycles. */
export function toContractReading(
  platformGidNamespace: string,
  returnedContract: ReturnedContract,
): ContractReading {
  const { contract, response, errors, pathLength, startedAtMs, endedAtMs, isBilled } = returnedContract;
  const { lines, discounts, customer, deliveryMethod } = response;
  const withheldFields = errors.flatMap(({ path = [] }) => path[pathLength] ?? []).map(String);
  const pageEntries = Object.entries({ lines, discounts });
  const truncatedFields = pageEntries.flatMap(([name, { pageInfo }]) => (pageInfo.hasNextPage ? [name] : []));
  const customerId = customer ? parseCustomerGid(customer.id, platformGidNamespace) : undefined;
  const paymentMethod = toPaymentMethodFacts(response, withheldFields);
  const recordedFacts = Object.entries(contentFactTexts(response)).map(([field, text]) => [
    field,
    hashUnlessReported(contract, field, text),
  ]);
  const addressFact = deliveryMethod ? { deliveryMethod: hashFactValue(contract, deliveryMethod) } : {};
  return {
    contract,
    ...{ startedAtMs, endedAtMs },
    createdAtMs: Date.parse(response.createdAt),
    updatedAtMs: Date.parse(response.updatedAt),
    revisionId: String(response.revisionId),
    ...(customerId !== undefined && { customerId }),
    ...(paymentMethod && { paymentMethod }),
    facts: { ...Object.fromEntries(recordedFacts), ...addressFact },
    withheld: [...new Set([...withheldFields, ...truncatedFields])],
    ...(isBilled === true && { unrecorded: ['nextBillingDate'] }),
    cycles: {},
    cyclesUntil: 0,
  };
}

function toPaymentMethodFacts(
  { paymentMethod }: ObservedContract,
  withheld: readonly string[],
): PaymentMethodFacts | undefined {
  if (!paymentMethod) return undefined;
  const { expiryMonth: month, expiryYear: year } = paymentMethod.instrument ?? {};
  return {
    id: gidTail(paymentMethod.id),
    isRevoked: paymentMethod.revokedAt !== null,
    ...(month && year && { goodUntil: `${year}-${String(month).padStart(2, '0')}` }),
    ...(paymentMethod.instrument &&
      !withheld.includes('paymentMethod') && {
        instrument: hashFactValue('method', paymentMethod.instrument),
      }),
  };
}

/** Returns the billing cycles that are not billed, and the end of the last cycle that was read. */
export function toUnbilledCycles(
  cyclesPage: CyclesPage | null | undefined,
): Pick<ContractReading, 'cycles' | 'cyclesUntil'> {
  const cycleNodes = cyclesPage?.nodes ?? [];
  const unbilledCycles = cycleNodes.filter(({ status }) => status === 'UNBILLED');
  const cycleEntries = unbilledCycles.map((cycle): [string, CycleFacts] => [
    String(cycle.cycleIndex),
    {
      start: toEpochSeconds(cycle.cycleStartAt),
      end: toEpochSeconds(cycle.cycleEndAt),
      date: toEpochSeconds(cycle.billingAttemptExpectedDate),
      isSkipped: cycle.skipped,
      ...(cycle.editedContract && { editedAt: toEpochSeconds(cycle.editedContract.updatedAt) }),
    },
  ]);
  const cyclesUntil = Math.max(0, ...cycleNodes.map(({ cycleEndAt }) => toEpochSeconds(cycleEndAt)));
  return { cycles: Object.fromEntries(cycleEntries), cyclesUntil };
}

function toEpochSeconds(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}
