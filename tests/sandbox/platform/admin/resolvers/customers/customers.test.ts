import { describe, expect, test } from '@jest/globals';
import { ada, dan, type Json, newPlatform, type Platform, weekly } from '../../harness.ts';

const unknownCustomer = 'gid://shopify/Customer/1';

describe('finding customers', () => {
  test.each([
    [`{ id: "${ada}" }`, ada],
    ['{ emailAddress: "ADA@example.com" }', ada],
    ['{ emailAddress: "nobody@example.com" }', undefined],
    ['{ phoneNumber: "+15550100" }', undefined],
  ])('by %s', async (identifier, id) => {
    const found = await newPlatform().data(`{ customerByIdentifier(identifier: ${identifier}) { id } }`);
    expect(found.customerByIdentifier?.id).toBe(id);
  });

  test.each([
    ['email:ada@example.com', ['Ada']],
    ['first_name:B*', ['Ben']],
    ['Novak', ['Dan']],
    ['email:nobody@example.com', []],
  ])('finds customers by the query %s', async (query, names) => {
    const { customers, customersCount } = await newPlatform().data(
      'query ($query: String) { customers(first: 10, query: $query) { nodes { firstName } } customersCount(query: $query) { count precision } }',
      { query },
    );
    expect(customers.nodes).toEqual(names.map((firstName) => ({ firstName })));
    expect(customersCount).toEqual({ count: names.length, precision: 'EXACT' });
  });

  test('a count is cut at its limit, and says so', async () => {
    const { customersCount } = await newPlatform({ customers: 6 }).data(
      '{ customersCount(limit: 5) { count precision } }',
    );
    expect(customersCount).toEqual({ count: 5, precision: 'AT_LEAST' });
  });
});

describe('customerUpdate', () => {
  const update = (platform: Platform, input: Json) =>
    platform.run(
      '($input: CustomerInput!) { customerUpdate(input: $input) { customer { displayName defaultEmailAddress { emailAddress } tags note } userErrors { field message } } }',
      { input },
    );

  test.each([
    [{ id: unknownCustomer }, 'id'],
    [{ firstName: 'No id' }, 'id'],
    [{ id: ada, email: 'not an address' }, 'email'],
    [{ id: ada, email: 'ben@example.com' }, 'email'],
  ])('%j is refused', async (input, field) => {
    expect(await update(newPlatform(), input)).toMatchObject({
      customer: null,
      userErrors: [{ field: [field] }],
    });
  });

  test('changes what is named and nothing else', async () => {
    const platform = newPlatform();
    const { customer } = await update(platform, { id: ada, lastName: 'Roaster', tags: ['vip'] });
    expect(customer).toEqual({
      displayName: 'Ada Roaster',
      defaultEmailAddress: { emailAddress: 'ada@example.com' },
      tags: ['vip'],
      note: null,
    });
  });
});

describe('addresses', () => {
  const fields = 'userErrors { field message }';
  const home = 'gid://shopify/MailingAddress/70010011?model_name=CustomerAddress';
  const bens = 'gid://shopify/MailingAddress/70010021?model_name=CustomerAddress';
  const update = (platform: Platform, variables: Json) =>
    platform.run(
      `($customerId: ID!, $addressId: ID!, $address: MailingAddressInput!, $setAsDefault: Boolean) { customerAddressUpdate(customerId: $customerId, addressId: $addressId, address: $address, setAsDefault: $setAsDefault) { address { id address1 city country } ${fields} } }`,
      variables,
    );

  test.each([
    ['an absent customer', { customerId: unknownCustomer, addressId: home, address: {} }, ['customerId']],
    [
      "another customer's address",
      { customerId: ada, addressId: bens, address: { city: 'Bath' } },
      ['addressId'],
    ],
    [
      "a contract's copy",
      {
        customerId: ada,
        addressId: 'gid://shopify/MailingAddress/910000001?model_name=Address',
        address: {},
      },
      ['addressId'],
    ],
    [
      'a field that is too long',
      { customerId: ada, addressId: home, address: { address1: 'x'.repeat(256) } },
      ['address', 'address1'],
    ],
    [
      'a link for a name',
      { customerId: ada, addressId: home, address: { lastName: 'https://spam.example' } },
      ['address', 'lastName'],
    ],
    [
      'a country there is not',
      { customerId: ada, addressId: home, address: { country: 'Atlantis' } },
      ['address', 'country'],
    ],
  ])('%s is refused', async (_name, variables, field) => {
    const platform = newPlatform();
    expect(await update(platform, variables)).toMatchObject({ address: null, userErrors: [{ field }] });
    expect(platform.store().addresses.get(70010011)?.address1).toBe('8 Wharf Street');
  });

  test('an update changes the named fields, and no contract', async () => {
    const platform = newPlatform();
    const { address } = await update(platform, {
      customerId: ada,
      addressId: home,
      address: { address1: '9 Wharf Street', countryCode: 'CA' },
    });
    expect(address).toEqual({ id: home, address1: '9 Wharf Street', city: 'Portland', country: 'Canada' });
    const { subscriptionContract } = await platform.data(
      `{ subscriptionContract(id: "${weekly}") { deliveryMethod { ... on SubscriptionDeliveryMethodShipping { address { address1 } } } } }`,
    );
    expect(subscriptionContract.deliveryMethod.address.address1).toBe('8 Wharf Street');
  });

  test('creates an address, makes it the default, and deletes it', async () => {
    const platform = newPlatform();
    const create = '{ address1: "1 New Road", city: "Bangor", countryCode: US }';
    const { address } = await platform.run(
      `{ customerAddressCreate(customerId: "${ada}", address: ${create}) { address { id } ${fields} } }`,
    );
    expect(address.id).toMatch(/\?model_name=CustomerAddress$/);
    const retry = await platform.run(
      `{ customerAddressCreate(customerId: "${ada}", address: ${create}) { address { id } ${fields} } }`,
    );
    expect(retry).toMatchObject({ address: null, userErrors: [{ field: ['address'] }] });
    const { customer } = await platform.run(
      `{ customerUpdateDefaultAddress(customerId: "${ada}", addressId: "${address.id}") { customer { defaultAddress { id } addressesV2(first: 5) { nodes { id } } } ${fields} } }`,
    );
    expect(customer).toEqual({ defaultAddress: address, addressesV2: { nodes: [{ id: home }, address] } });
    expect(
      (
        await platform.run(
          `{ customerAddressDelete(customerId: "${ada}", addressId: "${address.id}") { deletedAddressId ${fields} } }`,
        )
      ).deletedAddressId,
    ).toBe(address.id);
    expect(
      (await platform.data(`{ customer(id: "${ada}") { defaultAddress { id } } }`)).customer.defaultAddress
        .id,
    ).toBe(home);
  });

  test('the first address is the default one', async () => {
    const platform = newPlatform();
    const { deletedAddressId } = await platform.run(
      `{ customerAddressDelete(customerId: "${dan}", addressId: "gid://shopify/MailingAddress/70010041?model_name=CustomerAddress") { deletedAddressId ${fields} } }`,
    );
    expect(deletedAddressId).toBeTruthy();
    const { address } = await platform.run(
      `{ customerAddressCreate(customerId: "${dan}", address: { city: "Bangor", countryCode: US }) { address { id } ${fields} } }`,
    );
    expect(
      (await platform.data(`{ customer(id: "${dan}") { defaultAddress { id } } }`)).customer.defaultAddress,
    ).toEqual(address);
  });
});
