import { describe, expect, test } from '@jest/globals';
import type { DeliveryRate } from '../../../../../../sandbox/platform/state/catalogue-records.ts';
import { addLine, commit, decaf, errors, house500, open, update } from '../../draft-steps.ts';
import { type Json, newPlatform, type Platform, weekly } from '../../harness.ts';

describe('policies', () => {
  const policies = (billing: string, delivery: string) =>
    `billingPolicy: { ${billing} }, deliveryPolicy: { ${delivery} }`;

  test.each([
    ['interval: WEEK, intervalCount: 3', 'interval: WEEK, intervalCount: 2', false],
    ['interval: MONTH, intervalCount: 1', 'interval: WEEK, intervalCount: 2', false],
    ['interval: YEAR, intervalCount: 1', 'interval: MONTH, intervalCount: 3', true],
    ['interval: WEEK, intervalCount: 2', 'interval: DAY, intervalCount: 7', true],
  ])('accepts policies billed every %s and delivered every %s: %s', async (billing, delivery, fits) => {
    const platform = newPlatform();
    const draftId = await open(platform);
    expect((await update(platform, draftId, policies(billing, delivery))).userErrors).toEqual([]);
    const codes = (await commit(platform, draftId)).userErrors.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(fits ? [] : ['DELIVERY_MUST_BE_MULTIPLE_OF_BILLING']);
  });

  test.each([
    ['billingPolicy: { interval: WEEK, intervalCount: 0 }', 'GREATER_THAN'],
    ['billingPolicy: { interval: MONTH, intervalCount: 1, anchors: [{ type: WEEKDAY, day: 1 }] }', 'INVALID'],
    ['deliveryPolicy: { interval: DAY, intervalCount: 1, anchors: [{ type: WEEKDAY, day: 1 }] }', 'INVALID'],
    [
      'billingPolicy: { interval: WEEK, intervalCount: 1, minCycles: 5, maxCycles: 5 }',
      'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
    ],
    ['nextBillingDate: "2001-01-01T00:00:00Z"', 'INVALID_BILLING_DATE'],
    ['paymentMethodId: "gid://shopify/CustomerPaymentMethod/none"', 'MISSING_CUSTOMER_PAYMENT_METHOD'],
    [`note: "${'x'.repeat(5001)}"`, 'INVALID_NOTE_LENGTH'],
    ['deliveryPrice: -1', 'GREATER_THAN_OR_EQUAL_TO'],
    ['deliveryMethod: {}', 'INVALID'],
    [
      'deliveryMethod: { localDelivery: { address: { city: "Portland", countryCode: US } } }',
      'MISSING_LOCAL_DELIVERY_OPTIONS',
    ],
    ['deliveryMethod: { pickup: { pickupOption: { locationId: "gid://shopify/Location/1" } } }', 'INVALID'],
  ])('%.60s: %s', async (input, code) => {
    const platform = newPlatform();
    const { userErrors } = await update(platform, await open(platform), input);
    expect(userErrors).toMatchObject([{ code, field: expect.arrayContaining(['input']) }]);
  });

  test("another customer's card is CUSTOMER_MISMATCH", async () => {
    const platform = newPlatform();
    const foreign = [...platform.store().paymentMethods.values()].find(
      ({ customerId }) => customerId === 7001002,
    );
    const { userErrors } = await update(
      platform,
      await open(platform),
      `paymentMethodId: "gid://shopify/CustomerPaymentMethod/${foreign?.id}"`,
    );
    expect(userErrors).toMatchObject([{ code: 'CUSTOMER_MISMATCH', field: ['input', 'paymentMethodId'] }]);
  });

  test('removes cycle limits that are not sent again', async () => {
    const platform = newPlatform();
    const one = await open(platform);
    await update(
      platform,
      one,
      policies(
        'interval: WEEK, intervalCount: 1, minCycles: 2, maxCycles: 40',
        'interval: WEEK, intervalCount: 1',
      ),
    );
    await commit(platform, one);
    const two = await open(platform);
    await update(platform, two, 'billingPolicy: { interval: WEEK, intervalCount: 1 }');
    expect(
      (await commit(platform, two, 'billingPolicy { minCycles maxCycles }')).contract.billingPolicy,
    ).toEqual({ minCycles: null, maxCycles: null });
  });

  describe('a new interval keeps skips by index and loses moved dates', () => {
    const indices = 'billingCyclesIndexRangeSelector: { startIndex: 7, endIndex: 9 }';

    async function cyclesAfter(platform: Platform): Promise<Json> {
      const edit = (index: number, input: string) =>
        platform.run(
          `{ subscriptionBillingCycleScheduleEdit(billingCycleInput: { contractId: "${weekly}", selector: { index: ${index} } }, input: { reason: DEV_INITIATED, ${input} }) { ${errors} } }`,
        );
      await edit(7, 'billingDate: "2026-11-24T00:00:00Z"');
      await edit(8, 'skip: true');
      await edit(9, 'billingDate: "2026-12-08T00:00:00Z"');
      const draftId = await open(platform);
      const fortnight = 'interval: WEEK, intervalCount: 2';
      await update(platform, draftId, policies(fortnight, fortnight));
      await commit(platform, draftId);
      const { subscriptionBillingCycles } = await platform.data(
        `{ subscriptionBillingCycles(contractId: "${weekly}", first: 3, ${indices}) { nodes { cycleIndex skipped billingAttemptExpectedDate } } }`,
      );
      return subscriptionBillingCycles.nodes;
    }

    test('after the running cycle, which stays as it is', async () => {
      expect(await cyclesAfter(newPlatform())).toEqual([
        { cycleIndex: 7, skipped: false, billingAttemptExpectedDate: '2026-11-24T00:00:00Z' },
        { cycleIndex: 8, skipped: true, billingAttemptExpectedDate: '2026-12-09T08:00:00Z' },
        { cycleIndex: 9, skipped: false, billingAttemptExpectedDate: '2026-12-23T08:00:00Z' },
      ]);
    });

    test('starts with the running cycle, which is counted again', async () => {
      const platform = newPlatform();
      platform.store().rescheduling = 'FROM_CURRENT_CYCLE';
      expect(await cyclesAfter(platform)).toEqual([
        { cycleIndex: 7, skipped: false, billingAttemptExpectedDate: '2026-12-02T08:00:00Z' },
        { cycleIndex: 8, skipped: true, billingAttemptExpectedDate: '2026-12-16T08:00:00Z' },
        { cycleIndex: 9, skipped: false, billingAttemptExpectedDate: '2026-12-30T08:00:00Z' },
      ]);
    });
  });

  test('applies status and date in one draft', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    await update(platform, draftId, 'status: PAUSED, nextBillingDate: "2026-12-01T00:00:00Z"');
    expect((await commit(platform, draftId, 'status nextBillingDate')).contract).toEqual({
      status: 'PAUSED',
      nextBillingDate: '2026-12-01T00:00:00Z',
    });
  });
});

describe('delivery options', () => {
  const options = `deliveryOptions(deliveryAddress: $address) { __typename
    ... on SubscriptionDeliveryOptionResultSuccess { deliveryOptions { __typename ... on SubscriptionShippingOption { code title price { amount } } } }
    ... on SubscriptionDeliveryOptionResultFailure { message } }`;
  const ask = async (platform: Platform, id: string, address: Json) =>
    (
      await platform.data(
        `query ($id: ID!, $address: MailingAddressInput) { subscriptionDraft(id: $id) { ${options} } }`,
        { id, address },
      )
    ).subscriptionDraft.deliveryOptions;

  test('are pending at first, for each address, then there', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const bangor = { address1: '1 Main Street', city: 'Bangor', countryCode: 'US', zip: '04401' };
    expect(await ask(platform, draftId, bangor)).toBeNull();
    const { deliveryOptions } = await ask(platform, draftId, bangor);
    expect(deliveryOptions).toMatchObject([
      { code: 'standard', price: { amount: '4.9' } },
      { code: 'express' },
    ]);
    expect(await ask(platform, draftId, null)).toBeNull();
    const own = (await ask(platform, draftId, null)).deliveryOptions.map((option: Json) => option.__typename);
    expect(own).toEqual([
      'SubscriptionShippingOption',
      'SubscriptionShippingOption',
      'SubscriptionLocalDeliveryOption',
      'SubscriptionPickupOption',
    ]);
  });

  describe('at the store’s own rates', () => {
    const bangor = {
      address1: '1 Main Street',
      city: 'Bangor',
      provinceCode: 'ME',
      countryCode: 'US',
      zip: '04401',
    };
    const rate = (priceMinor: number, limits: Partial<DeliveryRate> = {}): DeliveryRate => ({
      kind: 'shipping',
      code: 'standard',
      title: 'Standard',
      description: '',
      priceMinor,
      ...limits,
    });
    const setUp = async (deliveryRates: DeliveryRate[]) => {
      const platform = newPlatform();
      platform.store().deliveryRates = deliveryRates;
      return { platform, draftId: await open(platform) };
    };
    const priceFor = async (platform: Platform, draftId: string, address: Json = bangor) => {
      await ask(platform, draftId, address);
      const { deliveryOptions, message } = await ask(platform, draftId, address);
      return message ?? deliveryOptions.map((option: Json) => [option.code, option.price.amount]);
    };

    test('delivery is free from an amount of goods on, and its options are pending again', async () => {
      const { platform, draftId } = await setUp([rate(0, { fromMinor: 5000 }), rate(490)]);
      expect(await priceFor(platform, draftId)).toEqual([['standard', '4.9']]);
      await addLine(platform, draftId, `productVariantId: "${house500}", quantity: 1, currentPrice: 38.09`);
      expect(await ask(platform, draftId, bangor)).toBeNull();
      expect(await priceFor(platform, draftId)).toEqual([['standard', '4.9']]);
      await addLine(platform, draftId, `productVariantId: "${decaf}", quantity: 1, currentPrice: 0.01`);
      expect(await priceFor(platform, draftId)).toEqual([['standard', '0.0']]);
    });

    test('delivery costs more from a weight on, and is not there from another', async () => {
      const rates = [rate(490, { belowGrams: 1000 }), rate(990, { fromGrams: 1000, belowGrams: 2000 })];
      const { platform, draftId } = await setUp(rates);
      expect(await priceFor(platform, draftId)).toEqual([['standard', '4.9']]);
      await addLine(platform, draftId, `productVariantId: "${decaf}", quantity: 3, currentPrice: 1`);
      expect(await priceFor(platform, draftId)).toEqual([['standard', '9.9']]);
      await addLine(platform, draftId, `productVariantId: "${house500}", quantity: 2, currentPrice: 1`);
      expect(await priceFor(platform, draftId)).toBe('No delivery option for this address.');
    });

    test('delivery costs something else in another region', async () => {
      const rates = [rate(1990, { regions: ['CA', 'US-AK'] }), rate(490, { regions: ['US'] })];
      const { platform, draftId } = await setUp(rates);
      expect(await priceFor(platform, draftId)).toEqual([['standard', '4.9']]);
      const alaska = { ...bangor, city: 'Juneau', provinceCode: 'AK' };
      expect(await priceFor(platform, draftId, alaska)).toEqual([['standard', '19.9']]);
      const canada = { ...bangor, countryCode: 'CA', provinceCode: 'ON' };
      expect(await priceFor(platform, draftId, canada)).toEqual([['standard', '19.9']]);
    });
  });

  test.each([
    ['a name that no address takes', { firstName: '<b>' }, 'First name cannot contain URLs or HTML tags'],
    ['no country', { countryCode: null }, 'Country is invalid'],
  ])('%s is a failure that names it', async (_what, fault, message) => {
    const platform = newPlatform();
    const address = { address1: '1 Main Street', city: 'Bangor', countryCode: 'US', ...fault };
    expect(await ask(platform, await open(platform), address)).toEqual({
      __typename: 'SubscriptionDeliveryOptionResultFailure',
      message,
    });
  });

  test('a country that is not shipped to is a failure', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const address = { address1: '1 rue', city: 'Paris', countryCode: 'FR' };
    await ask(platform, draftId, address);
    expect(await ask(platform, draftId, address)).toMatchObject({
      __typename: 'SubscriptionDeliveryOptionResultFailure',
    });
  });

  test('a method with address, option and price is committed', async () => {
    const platform = newPlatform();
    const draftId = await open(platform);
    const input =
      'deliveryPrice: "9.90", deliveryMethod: { shipping: { address: { firstName: "Ada", address1: "2 New Road", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" }, shippingOption: { code: "express", title: "Express" } } }';
    expect((await update(platform, draftId, input)).userErrors).toEqual([]);
    const { contract } = await commit(
      platform,
      draftId,
      'deliveryPrice { amount } deliveryMethod { ... on SubscriptionDeliveryMethodShipping { address { address1 country countryCodeV2 } shippingOption { title } } }',
    );
    expect(contract).toEqual({
      deliveryPrice: { amount: '9.9' },
      deliveryMethod: {
        address: { address1: '2 New Road', country: 'United States', countryCodeV2: 'US' },
        shippingOption: { title: 'Express' },
      },
    });
  });
});
