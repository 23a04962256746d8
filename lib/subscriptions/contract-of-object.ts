/**
 * Selects a contract that the client selected in a payload, while the platform's payload has only another object,
 * such as a billing cycle. The contract is selected through that object, and the additional level is removed from the
 * response.
 */
import type { PlatformError } from '../platform/admin-api/admin-response.ts';
import type { ClientSelection } from './operation.ts';

/** The name of the object's field in the payload, and the name of the contract's field in that object. */
export type ObjectAndContractFields = { readonly objectField: string; readonly contractField: string };

/**
 * Writes the client's selections of the object and of the contract. `rootField` is the field of the document that
 * returns the object.
 */
export function writeSelectionsThroughObject(
  { payloadFields }: ClientSelection,
  { objectField, contractField }: ObjectAndContractFields,
  rootField = objectField,
): string {
  return payloadFields
    .map(({ key, field, selection }) =>
      field === objectField
        ? `${key}: ${rootField} ${selection}`
        : `${key}: ${rootField} { ${contractField} ${selection} }`,
    )
    .join(' ');
}

type SelectedObjects = {
  readonly selectedFields: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

/**
 * Moves the contract from the object to the level of the payload, where the client selected it: in the data, and in
 * the paths of errors.
 */
export function removeObjectLevel(
  { payloadFields }: ClientSelection,
  { objectField, contractField }: ObjectAndContractFields,
  { selectedFields, errors }: SelectedObjects,
): SelectedObjects {
  const contractKeys = new Set(
    payloadFields.filter(({ field }) => field !== objectField).map(({ key }) => key),
  );
  const payloadObjects = payloadFields.map(({ key }) => {
    const value = selectedFields[key] as Readonly<Record<string, unknown>> | null | undefined;
    return [key, (contractKeys.has(key) ? value?.[contractField] : value) ?? null];
  });
  const relocatedErrors = errors.map((error) => {
    const [key, ...rest] = error.path ?? [];
    const isNested = key !== undefined && contractKeys.has(String(key));
    return { ...error, path: key === undefined ? [] : [key, ...(isNested ? rest.slice(1) : rest)] };
  });
  return { selectedFields: Object.fromEntries(payloadObjects), errors: relocatedErrors };
}
