/** Prints the findings of a store: a sign, a name, what was found, and below it how to fix it. */
import type { StoreFinding } from '../lib/stores/checks/store-finding.ts';

const STATE_LABELS = {
  ok: 'ok      ',
  missing: 'MISSING ',
  optional: 'optional',
  unseen: 'unseen  ',
  unknown: 'unknown ',
};

export function formatFinding({ name, state, found, fix }: StoreFinding): string[] {
  return [
    `${STATE_LABELS[state]}  ${name}: ${found}`,
    ...(fix && state !== 'ok' ? [`            → ${fix}`] : []),
  ];
}
