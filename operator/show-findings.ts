/**
 * Formats a finding about a store as lines: its state, its name, what was found, and below it how to fix it, unless its
 * state is `ok`.
 */
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
