/** Whether a change of an address changed anything: by what the platform shows before and after it, in its own spelling. */
import { POSTAL_ADDRESS } from '../../lib/timeline/settle/contract-content.ts';
import type { Arguments, Seen, SeenOwner } from '../compile/forwarded-change.ts';

/** Read before the change and in its payload, and never kept. */
export const ADDRESS_CONTENT = `{ id country province ${POSTAL_ADDRESS} }`;

/** Whether the address is as it was, and what is the default, too. What cannot be told counts as a change. */
export function isAddressKept(
  { subject, address }: Seen,
  { setAsDefault }: Arguments,
  after: unknown,
): boolean {
  if (address === null || JSON.stringify(address) !== JSON.stringify(after)) return false;
  const usual = (subject as SeenOwner | null)?.defaultAddress?.id;
  return !setAsDefault || usual === (address as { readonly id: string }).id;
}
