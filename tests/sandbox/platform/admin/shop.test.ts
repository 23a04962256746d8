import { describe, expect, test } from '@jest/globals';
import { createDefaultBehaviour } from '../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { ada, juniper, newPlatform } from './harness.ts';

test('each store answers as itself', async () => {
  const platform = newPlatform();
  const query =
    '{ shop { id name myshopifyDomain currencyCode ianaTimezone timezoneOffset primaryDomain { url } } location { name } }';
  expect(await platform.data(query)).toEqual({
    shop: {
      id: 'gid://shopify/Shop/81234567001',
      name: 'Harbor Coffee',
      myshopifyDomain: 'harbor-coffee.myshopify.com',
      currencyCode: 'USD',
      ianaTimezone: 'America/New_York',
      timezoneOffset: '-0500',
      primaryDomain: { url: 'https://harbor-coffee.example' },
    },
    location: { name: 'Harbor Coffee roastery' },
  });
  expect((await platform.data(query, {}, juniper)).shop).toMatchObject({
    name: 'Juniper Tea',
    currencyCode: 'GBP',
    timezoneOffset: '+0000',
  });
});

describe('storefront access tokens', () => {
  const create = (title: string) =>
    `{ storefrontAccessTokenCreate(input: { title: "${title}" }) { shop { name } storefrontAccessToken { id title accessToken } userErrors { field message } } }`;

  test('are made, listed and deleted', async () => {
    const platform = newPlatform();
    const { storefrontAccessToken } = await platform.run(create('app'));
    expect(storefrontAccessToken.accessToken).toMatch(/^[0-9a-f]{32}$/);
    const { shop } = await platform.data(
      '{ shop { storefrontAccessTokens(first: 5) { nodes { id title accessToken } } } }',
    );
    expect(shop.storefrontAccessTokens.nodes).toEqual([storefrontAccessToken]);
    const remove = `{ storefrontAccessTokenDelete(input: { id: "${storefrontAccessToken.id}" }) { deletedStorefrontAccessTokenId userErrors { field } } }`;
    expect((await platform.run(remove)).deletedStorefrontAccessTokenId).toBe(storefrontAccessToken.id);
    expect((await platform.run(remove)).userErrors).toEqual([{ field: ['input', 'id'] }]);
  });

  test('are denied, despite the scope, to an app without access to the Storefront API', async () => {
    const platform = newPlatform();
    platform.store().unpublished = { ...createDefaultBehaviour(), storefrontTokens: 'denied' };
    const { data, errors } = await platform.ask(`mutation ${create('app')}`);
    expect([data.storefrontAccessTokenCreate, platform.store().storefrontTokens.size]).toEqual([null, 0]);
    const path = ['storefrontAccessTokenCreate'];
    expect(errors).toMatchObject([{ path, extensions: { code: 'ACCESS_DENIED' } }]);
  });

  test('limits tokens to 100, and rejects one without a title', async () => {
    const platform = newPlatform();
    expect(await platform.run(create(' '))).toMatchObject({
      storefrontAccessToken: null,
      userErrors: [{ field: ['input', 'title'] }],
    });
    platform.store().throttle = { maximumAvailable: 100_000, restoreRate: 100 };
    for (let count = 0; count < 100; count += 1)
      expect((await platform.run(create('app'))).userErrors).toEqual([]);
    expect(await platform.run(create('app'))).toMatchObject({
      storefrontAccessToken: null,
      shop: { name: 'Harbor Coffee' },
      userErrors: [{}],
    });
  });
});

describe('metafields and tags', () => {
  const set = (input: string) =>
    `{ metafieldsSet(metafields: [${input}]) { metafields { id namespace key value type compareDigest } userErrors { field code elementIndex } } }`;
  const good = `{ ownerId: "${ada}", namespace: "care", key: "roast", type: "single_line_text_field", value: "dark" }`;

  test.each([
    [`{ ownerId: "gid://shopify/Customer/1", key: "k", type: "json", value: "1" }`, 'INVALID', 'ownerId'],
    [`{ ownerId: "${ada}", key: "k", type: "json", value: "" }`, 'BLANK', 'value'],
    [`{ ownerId: "${ada}", key: "k", value: "1" }`, 'BLANK', 'type'],
    [
      `{ ownerId: "${ada}", key: "k", type: "json", value: "1", compareDigest: "old" }`,
      'STALE_OBJECT',
      'compareDigest',
    ],
  ])('returns %s: %s, and does not set the good one with it', async (bad, code, field) => {
    const platform = newPlatform();
    const { metafields, userErrors } = await platform.run(set(`${good}, ${bad}`));
    expect(metafields).toBeNull();
    expect(userErrors).toEqual([{ field: ['metafields', '1', field], code, elementIndex: 1 }]);
    expect(platform.store().metafields.size).toBe(0);
  });

  test('sets, reads, changes with a digest and deletes a metafield', async () => {
    const platform = newPlatform();
    const [made] = (await platform.run(set(good))).metafields;
    const read = `{ customer(id: "${ada}") { metafield(namespace: "care", key: "roast") { id value owner { ... on Customer { id } } ownerType } metafields(first: 5) { nodes { key } } } }`;
    expect((await platform.data(read)).customer).toEqual({
      metafield: { id: made.id, value: 'dark', owner: { id: ada }, ownerType: 'CUSTOMER' },
      metafields: { nodes: [{ key: 'roast' }] },
    });
    const changed = await platform.run(
      set(
        `{ ownerId: "${ada}", namespace: "care", key: "roast", value: "light", compareDigest: "${made.compareDigest}" }`,
      ),
    );
    expect(changed.metafields).toMatchObject([
      { id: made.id, value: 'light', type: 'single_line_text_field' },
    ]);
    const { deletedMetafields } = await platform.run(
      `{ metafieldsDelete(metafields: [{ ownerId: "${ada}", namespace: "care", key: "roast" }, { ownerId: "${ada}", namespace: "care", key: "none" }]) { deletedMetafields { key } userErrors { message } } }`,
    );
    expect(deletedMetafields).toEqual([{ key: 'roast' }, null]);
    expect((await platform.data(read)).customer.metafield).toBeNull();
  });

  test('tags are added once, and removed', async () => {
    const platform = newPlatform();
    const change = (name: string, tags: string) =>
      platform.run(
        `{ ${name}(id: "${ada}", tags: [${tags}]) { node { ... on Customer { tags } } userErrors { field } } }`,
      );
    await change('tagsAdd', '"vip", "coffee"');
    expect((await change('tagsAdd', '"vip"')).node.tags).toEqual(['vip', 'coffee']);
    expect((await change('tagsRemove', '"coffee"')).node.tags).toEqual(['vip']);
    const absent = await platform.run(
      '{ tagsAdd(id: "gid://shopify/Customer/1", tags: ["x"]) { node { id } userErrors { field } } }',
    );
    expect(absent).toEqual({ node: null, userErrors: [{ field: ['id'] }] });
  });
});
