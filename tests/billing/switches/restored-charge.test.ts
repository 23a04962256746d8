/** Charges that were made after the moment to which the table is restored: the platform has their attempts, the table none. */
import { expect, test } from '@jest/globals';
import { resumeBilling } from '../../../lib/billing/settings/change-settings.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import type { Answer } from '../oracle/description.ts';
import { at, describeExample } from '../oracle/examples/examples.ts';
import { CALM, type RandomFaults } from '../run/fault-profile.ts';
import { listDoubleCharges } from '../run/list-violations.ts';
import { simulate, type World } from '../run/simulate.ts';
import { copyTable, restoreTable } from './restore-table.ts';

/** The platform would accept a second attempt, also with the same key, an hour later. */
const PERMISSIVE: RandomFaults = {
  ...CALM,
  behaviour: { openAttempts: 'several', paymentsPerOrder: 'several', keysRemembered: 'hour' },
};
const HOURS_2 = 2 * 3600;

/** The run begins at 10:01. The table is restored to 9:50 at 11:45, and an operator resumes billing at 11:50. */
function restoreAfterRun(world: World): void {
  const { agenda, service } = world;
  const changeDeps = { ...service.deps, logChange: () => undefined };
  agenda.add(at('2027-01-05T09:50Z'), async () => {
    const copy = await copyTable(world);
    agenda.add(at('2027-01-05T11:45Z'), () => restoreTable(world, copy));
  });
  agenda.add(at('2027-01-05T11:50Z'), async () => {
    await resumeBilling(changeDeps, service.store(), 'OPERATOR');
  });
}

const PAID: Answer = { outcome: 'PAYS', seconds: 20 };

test.each<[string, readonly Answer[], object]>([
  ['that was paid', [PAID], { state: 'CHARGED', amount: { amount: '20.0', currencyCode: 'USD' } }],
  ['whose attempt was still open', [{ ...PAID, seconds: HOURS_2 }, PAID], { state: 'CHARGED' }],
  [
    'that waits for the customer’s confirmation',
    [{ ...PAID, seconds: HOURS_2, isChallenge: true }, PAID],
    { state: 'CHARGED' },
  ],
  [
    'that was declined, before the day of its next try',
    [{ outcome: 'INSUFFICIENT_FUNDS', seconds: 20 }, PAID],
    { state: 'RETRYING', failedTryCount: 1, nextTryAtMs: at('2027-01-08T10:01Z') },
  ],
])('makes no second attempt of an order %s', async (_name, cardAnswers, charge) => {
  const description = describeExample({ answers: cardAnswers, until: '2027-01-06T09:00Z' });
  const { emulated, service } = await simulate(description, PERMISSIVE, restoreAfterRun);
  const [contract] = emulated.contracts;
  if (contract === undefined) throw new Error('The example has no contract.');
  expect(listDoubleCharges(emulated)).toEqual([]);
  const attempts = emulated.attemptsOfService(contract.record);
  expect(attempts.map(({ createdAt }) => createdAt)).toEqual(['2027-01-05T10:01:00Z']);
  const contractNumber = String(contract.record.id) as ContractNumber;
  const ref = { shopId: service.store().shopId, contractNumber };
  const [restored] = await service.deps.charges.listOfContract(ref);
  expect(restored).toMatchObject(charge);
});

test('records a restored charge in its run, and none of an order that another server has charged', async () => {
  const { contracts, ...store } = describeExample({ until: '2027-01-06T09:00Z' });
  const [contract] = contracts;
  if (contract === undefined) throw new Error('The example has no contract.');
  const job = { kind: 'charge', atMs: at('2027-01-05T09:55Z'), index: 1 } as const;
  const description = { ...store, contracts: [contract, { ...contract, id: 2, events: [job] }] };
  const { emulated, service } = await simulate(description, PERMISSIVE, restoreAfterRun);
  const { shopId } = service.store();
  const charges = await Promise.all(
    emulated.contracts.map(({ record }) =>
      service.deps.charges.listOfContract({ shopId, contractNumber: String(record.id) as ContractNumber }),
    ),
  );
  expect(charges.map((own) => own.map(({ state }) => state))).toEqual([['CHARGED'], []]);
  const run = await service.deps.runs.find(shopId, '2027-01-05');
  expect(run).toMatchObject({ status: 'DONE', countByState: { CHARGED: 1 } });
  expect(run?.totals).toEqual([{ amount: '20.0', currencyCode: 'USD' }]);
});
