/**
 * A change of an address may change nothing: the platform shows it before and after the change, in its own spelling.
 */
import type { Arguments, ObservedOwner, Seen } from '../plan/forwarded-change.ts';

/** Whether the address is as it was, and what is the default, too. What cannot be told counts as a change. */
export function isAddressUnchanged(
  { subject, address }: Seen,
  { setAsDefault }: Arguments,
  after: unknown,
): boolean {
  if (address === null || JSON.stringify(address) !== JSON.stringify(after)) return false;
  const usual = (subject as ObservedOwner | null)?.defaultAddress?.id;
  return !setAsDefault || usual === (address as { readonly id: string }).id;
}
