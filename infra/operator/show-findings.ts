/** Findings of a store for people: a sign, a name, what was found, and below it how to mend it. */
import type { StoreFinding } from '../../lib/stores/checks/store-finding.ts';

const SIGNS = {
  ok: 'ok      ',
  missing: 'MISSING ',
  optional: 'optional',
  unseen: 'unseen  ',
  unknown: 'unknown ',
};

export function findingLines({ name, state, found, mend: fix }: StoreFinding): string[] {
  return [`${SIGNS[state]}  ${name}: ${found}`, ...(fix && state !== 'ok' ? [`            → ${fix}`] : [])];
}
