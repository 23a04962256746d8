/** A store with many orders on one day. */
import type { Answer, Description } from '../oracle/description.ts';
import { answers, describeExample } from '../oracle/examples/examples.ts';

/** The run of the store begins in this minute of its hour. */
export const RUN_STARTS_MS = Date.parse('2027-01-05T10:01:00Z');

/** Describes the store: so many contracts, each with these answers of its bank. */
export function describeBusyDay(
  contractCount: number,
  createAnswers: () => readonly Answer[] = () => answers('PAYS'),
): Description {
  const example = describeExample({ until: '2027-01-06T00:00Z' });
  const [contract] = example.contracts;
  if (contract === undefined) throw new Error('The example has no contract.');
  const contracts = Array.from({ length: contractCount }, (_, at) => ({
    ...{ ...contract, id: at + 1, card: { answers: createAnswers() } },
  }));
  const fromMs = Date.parse('2027-01-03T12:00:00Z');
  const settings = { enabled: true, startsOn: '2027-01-05' };
  const store = { ...example.store, changes: [{ kind: 'settings', atMs: fromMs, settings } as const] };
  return { ...example, fromMs, contracts, store };
}
