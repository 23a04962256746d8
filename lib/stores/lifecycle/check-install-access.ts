/** Checks the access of a token before its store is installed. Without required access, requests would fail later. */

import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { checkAccess, type SendProbeQuery } from '../checks/check-access.ts';
import type { StoreToFix } from '../checks/remediations.ts';
import type { StoreFinding } from '../checks/store-finding.ts';

/**
 * Returns the findings to show the operator: missing optional access, and checks that failed.
 * @throws StoreChangeRefused with a list of all missing required access
 */
export async function checkInstallAccess(
  sendProbe: SendProbeQuery,
  store: Omit<StoreToFix, 'isInstalled'>,
  nowMs: number,
): Promise<StoreFinding[]> {
  const accessFindings = await checkAccess(sendProbe, { ...store, isInstalled: false }, nowMs);
  const missingFindings = accessFindings.filter(({ state }) => state === 'missing');
  if (missingFindings.length > 0) {
    const lines = missingFindings.flatMap(({ name, found, fix }) => [
      `  ${name}: ${found}`,
      ...(fix === undefined ? [] : [`    → ${fix}`]),
    ]);
    const head = 'The grant lacks access that the service needs. Nothing was installed.';
    throw new StoreChangeRefused([head, ...lines].join('\n'));
  }
  return accessFindings.filter(({ state }) => state === 'optional' || state === 'unknown');
}
