/** The change of a draft's delivery, and what the platform says of an address that it has no options for. */
import { ifAnswered } from '../../errors/if-answered.ts';
import { changeDraft } from '../draft/change-draft.ts';
import type { DraftMutation, OpenedDraft } from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import type { OperationError } from '../operation-error.ts';
import { type DeliveryInput, KIND_FIELDS } from './delivery-input.ts';

/** The mutation with an input for the requested delivery; what it refuses is told at the client's argument. */
export function deliveryUpdate(requested: DeliveryInput, input: object): DraftMutation {
  return {
    mutation: 'subscriptionDraftUpdate',
    args: { input: ['SubscriptionDraftInput!', input] },
    blame: (path) => blame(requested, path),
  };
}

/** The client's argument for a path of the platform's input. */
function blame({ kind }: DeliveryInput, path: readonly string[]): readonly string[] {
  const below = path.slice(path.indexOf(kind) + 1);
  if (kind === 'pickup' || !path.includes(kind)) return ['deliveryMethod', KIND_FIELDS[kind]];
  const [part, name] = below;
  if (part === 'address') return ['deliveryMethod', kind, ...(name === undefined ? [] : [name])];
  if (name === 'phone') return ['deliveryMethod', 'localDeliveryPhone'];
  return name === 'instructions' ? ['deliveryMethod', 'instructions'] : ['deliveryMethod', kind];
}

/**
 * The parts of a requested address that the platform does not take. It names none where it has no options, so the open draft,
 * which nobody will commit, is asked to take the address. None: the address is well-formed, or nobody answers.
 */
export async function refusedParts(
  deps: OperationDeps,
  requested: Exclude<DeliveryInput, { kind: 'pickup' }>,
  draft: OpenedDraft,
): Promise<readonly OperationError[]> {
  const mutations = [deliveryUpdate(requested, { deliveryMethod: addressAlone(requested) })];
  const made = await ifAnswered(() => changeDraft(deps, { draft, mutations }));
  return made?.kind === 'refused' ? made.userErrors.filter(({ field }) => isPart(field)) : [];
}

/** The platform takes no local delivery without a phone number. */
function addressAlone(requested: Exclude<DeliveryInput, { kind: 'pickup' }>) {
  const { address } = requested;
  if (requested.kind === 'shipping') return { shipping: { address } };
  const { phone, instructions } = requested;
  return { localDelivery: { address, localDeliveryOption: { phone, instructions } } };
}

/** Other refusals may come of what is not sent yet. */
function isPart(field: OperationError['field']): boolean {
  const [, , part] = field ?? [];
  return part !== undefined;
}
