/** Changes the delivery of a draft, and finds out which fields of an address the platform rejects. */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { changeDraft } from '../draft/change-draft.ts';
import type { DraftMutation, OpenedDraft } from '../draft/draft-operation.ts';
import type { OperationDeps } from '../operation.ts';
import type { OperationError } from '../operation-error.ts';
import { type DeliveryInput, INPUT_FIELDS_BY_KIND } from './delivery-input.ts';

/** Builds the mutation that sets the requested delivery, and maps its user errors to the client's arguments. */
export function buildDeliveryUpdate(requested: DeliveryInput, input: object): DraftMutation {
  return {
    mutation: 'subscriptionDraftUpdate',
    args: { input: ['SubscriptionDraftInput!', input] },
    toClientField: (path) => toClientPath(requested, path),
  };
}

/** Returns the path of the client's argument for a path of the platform's input. */
function toClientPath({ kind }: DeliveryInput, path: readonly string[]): readonly string[] {
  const pathBelowKind = path.slice(path.indexOf(kind) + 1);
  if (kind === 'pickup' || !path.includes(kind)) return ['deliveryMethod', INPUT_FIELDS_BY_KIND[kind]];
  const [part, name] = pathBelowKind;
  if (part === 'address') return ['deliveryMethod', kind, ...(name === undefined ? [] : [name])];
  if (name === 'phone') return ['deliveryMethod', 'localDeliveryPhone'];
  return name === 'instructions' ? ['deliveryMethod', 'instructions'] : ['deliveryMethod', kind];
}

/**
 * Returns user errors for the fields of a requested address that the platform rejects. When the platform has no
 * options for an address, it does not name the wrong fields; so this function sets the address on the open draft,
 * which is never committed. Returns an empty list when no field is rejected or the platform does not respond.
 */
export async function findRejectedAddressFields(
  deps: OperationDeps,
  requested: Exclude<DeliveryInput, { kind: 'pickup' }>,
  draft: OpenedDraft,
): Promise<readonly OperationError[]> {
  const mutations = [
    buildDeliveryUpdate(requested, { deliveryMethod: buildMethodInputWithoutOption(requested) }),
  ];
  const changeResult = await ignoreServiceError(() => changeDraft(deps, { draft, mutations }));
  return changeResult?.kind === 'refused'
    ? changeResult.userErrors.filter(({ field }) => isAddressFieldError(field))
    : [];
}

/**
 * Builds the draft's `deliveryMethod` for a shipping or a local delivery without an option. The platform refuses a
 * local delivery without a phone number, so that is included.
 */
function buildMethodInputWithoutOption(requested: Exclude<DeliveryInput, { kind: 'pickup' }>) {
  const { address } = requested;
  if (requested.kind === 'shipping') return { shipping: { address } };
  const { phone, instructions } = requested;
  return { localDelivery: { address, localDeliveryOption: { phone, instructions } } };
}

/** Whether the error names a field of the address. Other errors may result from the missing option. */
function isAddressFieldError(field: OperationError['field']): boolean {
  const [, , part] = field ?? [];
  return part !== undefined;
}
