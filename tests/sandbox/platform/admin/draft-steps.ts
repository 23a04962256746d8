/** The steps of a draft in tests: open, change, commit. */
import { expect } from '@jest/globals';
import { type Json, type Platform, weekly } from './harness.ts';

export const errors = 'userErrors { field code message }';
export const house500 = 'gid://shopify/ProductVariant/810100102';
export const decaf = 'gid://shopify/ProductVariant/810100201';

export async function open(platform: Platform, contractId = weekly): Promise<string> {
  const { draft, userErrors } = await platform.run(
    `{ subscriptionContractUpdate(contractId: "${contractId}") { draft { id } ${errors} } }`,
  );
  expect(userErrors).toEqual([]);
  return draft.id;
}

export function commit(platform: Platform, draftId: string, fields = 'id'): Promise<Json> {
  return platform.run(
    `{ subscriptionDraftCommit(draftId: "${draftId}") { contract { ${fields} } ${errors} } }`,
  );
}

export async function lineIds(platform: Platform, contractId: string): Promise<string[]> {
  const { subscriptionContract } = await platform.data(
    `{ subscriptionContract(id: "${contractId}") { lines(first: 10) { nodes { id } } } }`,
  );
  return subscriptionContract.lines.nodes.map(({ id }: { id: string }) => id);
}

export function addLine(platform: Platform, draftId: string, input: string): Promise<Json> {
  return platform.run(
    `{ subscriptionDraftLineAdd(draftId: "${draftId}", input: { ${input} }) { lineAdded { id title quantity currentPrice { amount } } draft { id } ${errors} } }`,
  );
}

export function update(platform: Platform, draftId: string, input: string, fields = 'id'): Promise<Json> {
  return platform.run(
    `{ subscriptionDraftUpdate(draftId: "${draftId}", input: { ${input} }) { draft { ${fields} } ${errors} } }`,
  );
}
