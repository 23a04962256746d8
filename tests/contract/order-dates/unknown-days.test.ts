/** Days that the calendar does not have, in every argument that takes a day. */
import { expect, test } from '@jest/globals';
import { localTimeIn, type TimeZone } from '../../../lib/domain/time-zone.ts';
import { createPostponementWorld, FIRST, ID, postpone } from '../postponement/postponement-world.ts';

const ERRORS = 'userErrors { code field message }';
const MUTATIONS: Readonly<Record<string, readonly [argument: string, call: (day: string) => string]>> = {
  subscriptionOrderPostpone: [
    'to',
    (day) => `subscriptionOrderPostpone(contractId: "${ID}", expectedDate: "${FIRST}", to: ${day})`,
  ],
  subscriptionBillingCycleReschedule: [
    'billingDate',
    (day) =>
      `subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 4, billingDate: ${day})`,
  ],
  subscriptionContractActivate: [
    'nextBillingDate',
    (day) => `subscriptionContractActivate(subscriptionContractId: "${ID}", nextBillingDate: ${day})`,
  ],
  subscriptionContractIntervalUpdate: [
    'nextBillingDate',
    (day) =>
      `subscriptionContractIntervalUpdate(contractId: "${ID}", interval: { interval: MONTH, intervalCount: 2 }, nextBillingDate: ${day})`,
  ],
  subscriptionContractPause: [
    'until',
    (day) => `subscriptionContractPause(subscriptionContractId: "${ID}", until: ${day})`,
  ],
};

test.each(Object.entries(MUTATIONS))(
  '%s says that a day is not in the calendar, and changes nothing',
  async (_name, [field, call]) => {
    const world = createPostponementWorld();
    for (const day of ['2027-02-30', '2027-13-01', '2027-00-10', '2100-02-29']) {
      const { payload, sent } = await world.send(
        'customer',
        `mutation @inContext(language: DE) { ${call(`"${day}"`)} { ${ERRORS} } }`,
      );
      expect([payload.userErrors, sent]).toEqual([
        [
          {
            code: 'INVALID',
            field: [field],
            message: 'Diesen Tag gibt es im Kalender nicht. Wählen Sie einen anderen Tag.',
          },
        ],
        [],
      ]);
    }
  },
);

test.each([
  `subscriptionContractSetNextBillingDate(contractId: "${ID}", date: "2027-02-30")`,
  `subscriptionOrderSendNow(contractId: "${ID}", expectedDate: "2027-02-30")`,
  `subscriptionContractPause(subscriptionContractId: "${ID}", until: "2027-02-30T10:00:00Z")`,
])('a day that is not in the calendar does not match the schema in %s', async (call) => {
  const { code, sent } = await createPostponementWorld().send(
    'store',
    `mutation { ${call} { userErrors { message } } }`,
  );
  expect([code, sent]).toEqual(['GRAPHQL_VALIDATION_FAILED', []]);
});

test('a day on which the order’s time does not exist has the first time after it', async () => {
  const timeZone = 'America/New_York' as TimeZone;
  const world = createPostponementWorld({ timeZone });
  // Two in the morning. The clocks change on 14 March 2027, at two.
  for (const segment of world.contract.schedule) segment.startAt = '2026-08-09T07:00:00Z';
  world.at('2027-02-20T12:00:00Z', [4, 5, 6]);
  const next = '2027-03-09T07:00:00Z';
  const { payload } = await world.send('customer', postpone(next, '2027-03-14'));
  expect(payload.userErrors).toEqual([]);
  const [order] = payload.upcomingOrders;
  expect(localTimeIn(timeZone, Date.parse(order.date))).toEqual({
    day: '2027-03-14',
    secondOfDay: 3 * 3_600,
  });
});
