/** Reads of apps outside of subscriptions: collections, markets, and the app that contracts belong to. */
import { describe, expect, test } from '@jest/globals';
import { juniper, newPlatform, weekly } from './harness.ts';

describe('collections', () => {
  test('list the products of a type, those that are not for sale, too', async () => {
    const platform = newPlatform();
    const { collections, collectionsCount } = await platform.data(
      '{ collections(first: 10, sortKey: TITLE) { nodes { id title handle productsCount { count } products(first: 9) { nodes { title productType } } } } collectionsCount { count } }',
    );
    expect(collectionsCount.count).toBe(collections.nodes.length);
    expect(collections.nodes.length).toBeGreaterThan(1);
    const listed = collections.nodes.flatMap(
      ({ title, products }: { title: string; products: { nodes: { productType: string }[] } }) =>
        products.nodes.map(({ productType }) => [title, productType]),
    );
    expect(listed.filter(([title, type]: string[]) => title !== type)).toEqual([]);
    expect(listed).toHaveLength(platform.store().products.size);
  });

  test('are found by id and handle, and by their products', async () => {
    const platform = newPlatform();
    const { collections } = await platform.data(
      '{ collections(first: 1) { nodes { id handle products(first: 1) { nodes { id } } } } }',
    );
    const [{ id, handle, products }] = collections.nodes;
    const [product] = products.nodes;
    const found = await platform.data(
      `{ a: collection(id: "${id}") { id hasProduct(id: "${product.id}") } b: collectionByIdentifier(identifier: { handle: "${handle}" }) { id }
        none: collectionByIdentifier(identifier: { handle: "nothing" }) { id }
        product(id: "${product.id}") { collections(first: 5) { nodes { id } } } node(id: "${id}") { id } }`,
    );
    expect(found).toEqual({
      a: { id, hasProduct: true },
      b: { id },
      none: null,
      product: { collections: { nodes: [{ id }] } },
      node: { id },
    });
  });

  test('follow a product whose type changes', async () => {
    const platform = newPlatform();
    const [product] = platform.store().products.values();
    if (product !== undefined) product.productType = 'Sample';
    const { collectionByIdentifier: sample } = await platform.data(
      '{ collectionByIdentifier(identifier: { handle: "sample" }) { productsCount { count } } }',
    );
    expect(sample).toEqual({ productsCount: { count: 1 } });
  });
});

test('a store has the market of its country first, with its currency', async () => {
  const query =
    '{ markets(first: 5, sortKey: ID) { nodes { id name primary currencySettings { baseCurrency { currencyCode } } } } }';
  const [harbors, junipers] = [await newPlatform().data(query), await newPlatform().data(query, {}, juniper)];
  expect([harbors.markets.nodes[0], junipers.markets.nodes[0]]).toMatchObject([
    { name: 'United States', primary: true, currencySettings: { baseCurrency: { currencyCode: 'USD' } } },
    { name: 'United Kingdom', primary: true, currencySettings: { baseCurrency: { currencyCode: 'GBP' } } },
  ]);
  const { id } = harbors.markets.nodes[0];
  expect(await newPlatform().data(`{ market(id: "${id}") { id } }`, {}, juniper)).toEqual({ market: null });
});

test('a contract names the app that it belongs to, and its page', async () => {
  const { subscriptionContract, app, currentAppInstallation } = await newPlatform().data(
    `{ subscriptionContract(id: "${weekly}") { app { id title apiKey } appAdminUrl } app { id title apiKey } currentAppInstallation { app { id } launchUrl } }`,
  );
  expect(subscriptionContract).toEqual({ app, appAdminUrl: currentAppInstallation.launchUrl });
  expect([app.title, currentAppInstallation.app.id]).toEqual(['Subscriptions', app.id]);
});
