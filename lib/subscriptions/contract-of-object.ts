/**
 * The client's selection of a contract whose payload at the platform has only another object: the contract is selected
 * through that object, and the level between is removed from the response.
 */
import type { PlatformError } from '../platform/admin-api/admin-response.ts';
import type { ClientSelection } from './operation.ts';

/** A payload's object, and its field that is the contract. */
export type ObjectWithContract = { readonly object: string; readonly contract: string };

/** Writes the client's selections of the object and of the contract. `root`: the object's field in the document. */
export function writeSelectionsThroughObject(
  { payloadFields }: ClientSelection,
  { object, contract }: ObjectWithContract,
  root = object,
): string {
  return payloadFields
    .map(({ key, field, selection }) =>
      field === object ? `${key}: ${root} ${selection}` : `${key}: ${root} { ${contract} ${selection} }`,
    )
    .join(' ');
}

type SelectedObjects = {
  readonly selectedFields: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

/**
 * Removes the level between payload and contract, from the data and from the paths of errors: the client selected the
 * contract directly in the payload.
 */
export function removeObjectLevel(
  { payloadFields }: ClientSelection,
  { object, contract }: ObjectWithContract,
  { selectedFields, errors }: SelectedObjects,
): SelectedObjects {
  const contracts = new Set(payloadFields.filter(({ field }) => field !== object).map(({ key }) => key));
  const payloadObjects = payloadFields.map(({ key }) => {
    const value = selectedFields[key] as Readonly<Record<string, unknown>> | null | undefined;
    return [key, (contracts.has(key) ? value?.[contract] : value) ?? null];
  });
  const relocatedErrors = errors.map((error) => {
    const [key, ...rest] = error.path ?? [];
    const isNested = key !== undefined && contracts.has(String(key));
    return { ...error, path: key === undefined ? [] : [key, ...(isNested ? rest.slice(1) : rest)] };
  });
  return { selectedFields: Object.fromEntries(payloadObjects), errors: relocatedErrors };
}
