/** The real state of a contract and of its billing cycles settles an intent that was left open. */
import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import { CONTRACT_CONTENT, type ContractContent, contentText } from './contract-content.ts';

export type RealState = {
  /** When the contract was last changed, by the platform's clock. */
  readonly updatedAtMs: number;
  /** A fact as it is now, null if there is none; undefined: this cannot be told. */
  readonly textOf: (field: string) => string | null | undefined;
};

/** The end of a pause is kept by this service, not by the platform. */
export const PAUSE_END = 'currentPause.resumesAt';
const CYCLE = /^billingCycles\.(\d{1,9})\.(skipped|billingAttemptExpectedDate|status)$/;
const CYCLE_FIELDS = 'skipped billingAttemptExpectedDate status';

/** The document that reads a contract, and the billing cycles that these fields name. Variable: `id`. */
export function realStateDocument(fields: Iterable<string>): string {
  const named = [...fields];
  const indices = new Set(named.flatMap((field) => CYCLE.exec(field)?.[1] ?? []));
  const cycles = [...indices].sort().map(
    (index) => `cycle${index}: subscriptionBillingCycle(billingCycleInput: { contractId: $id,
      selector: { index: ${index} } }) { ${CYCLE_FIELDS} }`,
  );
  const contract = `contract: subscriptionContract(id: $id) { id updatedAt ${CONTRACT_CONTENT} }`;
  return `query($id: ID!) { ${contract} ${cycles.join(' ')} }`;
}

type Data = Readonly<Record<string, unknown>>;

type Answer = {
  readonly data: Data;
  /** Errors beside the data: what they name cannot be told, though null stands there. */
  readonly errors?: readonly PlatformError[];
  /** When the contract's pause ends by itself. */
  readonly pauseEnd?: string | null;
};

/** The state in the answer to `realStateDocument`; undefined: there is no such contract. */
export function toRealState({ data, errors = [], pauseEnd = null }: Answer): RealState | undefined {
  const contract = (data.contract ?? undefined) as (ContractContent & { updatedAt: string }) | undefined;
  if (contract === undefined) return undefined;
  const unknownFields = new Set(errors.flatMap(({ path = [] }) => (path[0] === 'contract' ? [path[1]] : [])));
  return {
    updatedAtMs: Date.parse(contract.updatedAt),
    textOf(field) {
      if (field === PAUSE_END) return pauseEnd;
      const cycle = CYCLE.exec(field);
      if (cycle === null) return unknownFields.has(partOf(field)) ? undefined : contentText(contract, field);
      return cycleText(data[`cycle${cycle[1]}`], cycle[2]);
    },
  };
}

/** The field of the contract that a fact is read from. */
function partOf(field: string): string | undefined {
  return field.split('.')[0];
}

function cycleText(cycle: unknown, name: string | undefined): string | undefined {
  const value = (cycle as Data | null | undefined)?.[name ?? ''];
  return value === undefined || value === null ? undefined : String(value);
}
