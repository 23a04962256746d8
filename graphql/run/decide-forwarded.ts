/** Decides how a forwarded change is recorded: its intents by the state before it, and its effect by the response. */
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import type { ApplyChangeResult, DecidedChange } from '../../lib/timeline/run-change.ts';
import { readMutationOutcome } from '../compile/outcome-selection.ts';
import type {
  ForwardedChange,
  MutationArguments,
  ObservedContractOwner,
  PriorState,
} from '../plan/forwarded-change.ts';
import type { MutationResponse } from '../plan/mutation-run.ts';

/** The platform's response to a mutation, or the service's refusal, which has its user errors. */
export type ForwardedResponse = AdminResponse & Partial<MutationResponse>;
export type SendForwarded = () => Promise<ForwardedResponse>;

export type ForwardedChangeInput = {
  readonly key: string;
  readonly priorState: PriorState;
  readonly args: MutationArguments;
};

/** Decides the intents of a change by the state that was read. The change is sent even if it changes nothing. */
export function decideForwarded(
  forwarded: ForwardedChange,
  { key, priorState, args }: ForwardedChangeInput,
  send: SendForwarded,
): DecidedChange<ForwardedResponse> {
  const intents = forwarded.intentsOf(priorState, args);
  return {
    intents,
    claim: intents.length === 0 && isPriorStateComplete(forwarded, priorState) ? 'no-op' : 'once',
    async apply(): Promise<ApplyChangeResult<ForwardedResponse>> {
      const platformResponse = await send();
      const { outcome, contractId, attempt, address, response } = readMutationOutcome(platformResponse, key);
      const isAddressUnchangedByMutation =
        outcome === 'done' && address !== undefined && isAddressUnchanged(priorState, args, address);
      const changeEffect = isAddressUnchangedByMutation ? 'unchanged' : outcome;
      // A timeline entry has everything that a retry needs, except the ids of a job and of a new address.
      const { job, address: createdAddressId } = response?.ids ?? {};
      const hasTimelineEntry =
        intents.length > 0 && changeEffect === 'done' && job === undefined && createdAddressId === undefined;
      return {
        result: platformResponse,
        effect: changeEffect,
        contractId,
        attempt,
        retryResponse: hasTimelineEntry ? undefined : response,
      };
    },
  };
}

/**
 * Whether the contract, and the cycle if one is requested, were read. A change without an intent then certainly changes
 * nothing.
 */
function isPriorStateComplete({ reads, cycle }: ForwardedChange, priorState: PriorState): boolean {
  return (
    reads === 'contract' && priorState.subject !== null && (cycle === undefined || priorState.cycle !== null)
  );
}

/**
 * Whether the address and the default address are as they were before the change, in the platform's spelling. Returns
 * false if that cannot be determined.
 */
function isAddressUnchanged(
  { subject, address }: PriorState,
  { setAsDefault }: MutationArguments,
  addressAfter: unknown,
): boolean {
  if (address === null || JSON.stringify(address) !== JSON.stringify(addressAfter)) return false;
  const defaultAddressId = (subject as ObservedContractOwner | null)?.defaultAddress?.id;
  return !setAsDefault || defaultAddressId === (address as { readonly id: string }).id;
}
