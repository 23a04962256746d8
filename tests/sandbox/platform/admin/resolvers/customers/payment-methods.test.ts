import { describe, expect, test } from '@jest/globals';
import { ada, ben, dan, newPlatform, type Platform, weekly } from '../../harness.ts';

describe('payment methods', () => {
  const errors = 'userErrors { field message }';

  async function card(platform: Platform, customer = ada): Promise<string> {
    const found = await platform.data(
      `{ customer(id: "${customer}") { paymentMethods(first: 1) { nodes { id } } } }`,
    );
    return found.customer.paymentMethods.nodes[0].id;
  }

  const absentCard = 'gid://shopify/CustomerPaymentMethod/none';

  test('an absent one is a user error everywhere', async () => {
    const platform = newPlatform();
    expect(await platform.data(`{ customerPaymentMethod(id: "${absentCard}") { id } }`)).toEqual({
      customerPaymentMethod: null,
    });
    for (const mutation of [
      `customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "${absentCard}") { ${errors} }`,
      `customerPaymentMethodRevoke(customerPaymentMethodId: "${absentCard}") { ${errors} }`,
      `customerPaymentMethodGetUpdateUrl(customerPaymentMethodId: "${absentCard}") { ${errors} }`,
      `customerPaymentMethodCreditCardUpdate(id: "${absentCard}", sessionId: "card-visa-1881-09-2031", billingAddress: { countryCode: US }) { ${errors} }`,
    ]) {
      expect((await platform.run(`{ ${mutation} }`)).userErrors).toHaveLength(1);
    }
    expect(platform.holder.state.mails).toEqual([]);
  });

  test('sends the e-mail to the customer, or to the address in the input', async () => {
    const platform = newPlatform();
    const id = await card(platform, ben);
    const send = (email: string) =>
      platform.run(
        `{ customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "${id}" ${email}) { customer { id } ${errors} } }`,
      );
    expect(await send('')).toEqual({ customer: { id: ben }, userErrors: [] });
    await send(', email: { to: "else@example.com", subject: "Hello", bcc: ["boss@example.com"] }');
    expect(platform.holder.state.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['ben@example.com', 'Update your payment method for Harbor Coffee'],
      ['else@example.com', 'Hello'],
      ['boss@example.com', 'Hello'],
    ]);
    expect(platform.holder.state.mails[0]).toMatchObject({
      at: '2026-11-21T08:30:00Z',
      text: expect.stringContaining('https://harbor-coffee.example/account/payment_methods/'),
    });
  });

  test('returns the link of a Shop Pay method in the store’s own name, and none of a card', async () => {
    const platform = newPlatform();
    const id = await card(platform);
    const getUrl = () =>
      platform.run(
        `{ customerPaymentMethodGetUpdateUrl(customerPaymentMethodId: "${id}") { updatePaymentMethodUrl userErrors { code } } }`,
      );
    expect((await getUrl()).userErrors).toEqual([{ code: 'INVALID_INSTRUMENT' }]);
    const method = platform.store().paymentMethods.get(id.split('/').at(-1) ?? '');
    if (method?.instrument.__typename !== 'CustomerCreditCard') throw new Error('no card');
    const { brand: _brand, firstDigits: _digits, ...ofCard } = method.instrument;
    method.instrument = { ...ofCard, __typename: 'CustomerShopPayAgreement', inactive: false };
    expect(new URL((await getUrl()).updatePaymentMethodUrl).host).toBe('harbor-coffee.example');
    const { lastDigits } = ofCard;
    expect(
      await platform.data(
        `{ customerPaymentMethod(id: "${id}") { instrument { ... on CustomerShopPayAgreement { lastDigits expiresSoon maskedNumber } } } }`,
      ),
    ).toEqual({
      customerPaymentMethod: {
        instrument: { lastDigits, expiresSoon: false, maskedNumber: `•••• •••• •••• ${lastDigits}` },
      },
    });
  });

  test('leaves out a revoked one unless it is requested', async () => {
    const platform = newPlatform();
    const id = await card(platform);
    const { revokedCustomerPaymentMethodId } = await platform.run(
      `{ customerPaymentMethodRevoke(customerPaymentMethodId: "${id}") { revokedCustomerPaymentMethodId ${errors} } }`,
    );
    expect(revokedCustomerPaymentMethodId).toBe(id);
    const seen = await platform.data(
      `{ hidden: customerPaymentMethod(id: "${id}") { id } revoked: customerPaymentMethod(id: "${id}", showRevoked: true) { revokedReason } subscriptionContract(id: "${weekly}") { customerPaymentMethod { id } } }`,
    );
    expect(seen).toEqual({
      hidden: null,
      revoked: { revokedReason: 'MANUALLY_REVOKED' },
      subscriptionContract: { customerPaymentMethod: null },
    });
  });

  test('cards of the vault and PayPal agreements are added; other companies are not enabled', async () => {
    const platform = newPlatform();
    const address = 'billingAddress: { city: "Bangor", countryCode: US }';
    const add = (sessionId: string) =>
      platform.run(
        `{ customerPaymentMethodCreditCardCreate(customerId: "${dan}", sessionId: "${sessionId}", ${address}) { customerPaymentMethod { instrument { ... on CustomerCreditCard { brand lastDigits expiryYear expiresSoon } } } ${errors} } }`,
      );
    expect((await add('anything')).userErrors).toMatchObject([{ field: ['sessionId'] }]);
    expect((await add('card-amex-0005-12-2026')).customerPaymentMethod.instrument).toEqual({
      brand: 'amex',
      lastDigits: '0005',
      expiryYear: 2026,
      expiresSoon: true,
    });
    const paypal = await platform.run(
      `{ customerPaymentMethodPaypalBillingAgreementCreate(customerId: "${dan}", billingAgreementId: "B-123", ${address}) { customerPaymentMethod { id instrument { ... on CustomerPaypalBillingAgreement { paypalAccountEmail } } } userErrors { code } } }`,
    );
    expect(paypal.customerPaymentMethod.instrument).toEqual({ paypalAccountEmail: 'dan@example.com' });
    const remote = (reference: string) =>
      platform.run(
        `{ customerPaymentMethodRemoteCreate(customerId: "${dan}", remoteReference: { ${reference} }) { customerPaymentMethod { id } userErrors { code } } }`,
      );
    expect((await remote('')).userErrors).toEqual([{ code: 'EXACTLY_ONE_REMOTE_REFERENCE_REQUIRED' }]);
    expect(
      (await remote('braintreePaymentMethod: { customerId: "a", paymentMethodToken: "b" }')).userErrors,
    ).toEqual([{ code: 'BRAINTREE_NOT_ENABLED_FOR_SUBSCRIPTIONS' }]);
  });
});
