/**
 * Checks a grant before its store is installed: one that lacks what the service cannot do without would only fail
 * later.
 */

import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { type AskDocument, checkAccess } from '../checks/check-access.ts';
import type { GrantedStore } from '../checks/remedies.ts';
import type { StoreFinding } from '../checks/store-finding.ts';

/**
 * The findings that the operator should hear: what is optional and missing, and what could not be told.
 * StoreChangeRefused with every required access that is missing.
 */
export async function checkInstallAccess(
  ask: AskDocument,
  store: Omit<GrantedStore, 'isInstalled'>,
  nowMs: number,
): Promise<StoreFinding[]> {
  const findings = await checkAccess(ask, { ...store, isInstalled: false }, nowMs);
  const missing = findings.filter(({ state }) => state === 'missing');
  if (missing.length > 0) {
    const lines = missing.flatMap(({ name, found, mend }) => [
      `  ${name}: ${found}`,
      ...(mend === undefined ? [] : [`    → ${mend}`]),
    ]);
    const head = 'The grant lacks access that the service cannot do without. Nothing was installed.';
    throw new StoreChangeRefused([head, ...lines].join('\n'));
  }
  return findings.filter(({ state }) => state === 'optional' || state === 'unknown');
}
