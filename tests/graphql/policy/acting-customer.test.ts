import { describe, expect, test } from '@jest/globals';
import { decideActingRoot, isOpenWhileActing } from '../../../graphql/policy/acting-customer.ts';

describe('roots while a customer is acting', () => {
  test.each([
    ['QueryRoot.customers', { kind: 'closed' }],
    ['QueryRoot.events', { kind: 'closed' }],
    ['QueryRoot.nothing', { kind: 'closed' }],
    ['Customer.orders.x', { kind: 'closed' }],
    ['Mutation.sellingPlanGroupDelete', { kind: 'closed' }],
    ['Mutation.subscriptionBillingCycleBulkCharge', { kind: 'closed' }],
    ['QueryRoot.customer', { kind: 'owned' }],
    ['QueryRoot.subscriptionBillingCycle', { kind: 'owned' }],
    ['QueryRoot.nodes', { kind: 'owned' }],
    ['Mutation.customerUpdate', { kind: 'owned' }],
    ['Mutation.metafieldsSet', { kind: 'owned' }],
    ['Mutation.subscriptionBillingCycleContractDraftConcatenate', { kind: 'owned' }],
    ['QueryRoot.orders', { kind: 'narrowed', to: 'customer.orders' }],
    ['QueryRoot.subscriptionContracts', { kind: 'narrowed', to: 'customer.subscriptionContracts' }],
    ['QueryRoot.shop', { kind: 'catalogue' }],
    ['QueryRoot.product', { kind: 'catalogue' }],
  ])('%s', (coordinate, decision) => {
    expect(decideActingRoot(coordinate)).toEqual(decision);
  });
});

describe('fields while a customer is acting', () => {
  test.each([
    'Metafield.owner',
    'Metafield.reference',
    'Metafield.references',
    'MetafieldDefinition.metafields',
    'BasicEvent.subject',
    'HasEvents.events',
    'Product.events',
    'Job.query',
    'Product.nothing',
    'Nothing.id',
  ])('%s is closed', (coordinate) => {
    const [type = '', field = ''] = coordinate.split('.');
    expect(isOpenWhileActing(type, field)).toBe(false);
  });

  test.each([
    'Customer.orders',
    'Order.customer',
    'OrderConnection.nodes',
    'OrderEdge.node',
    'OrderConnection.pageInfo',
    'Product.metafields',
    'Product.title',
    'SubscriptionContract.events',
    'SubscriptionBillingAttemptSuccessState.order',
    'SubscriptionEventActor.customer',
    'Product.__typename',
  ])('%s is open', (coordinate) => {
    const [type = '', field = ''] = coordinate.split('.');
    expect(isOpenWhileActing(type, field)).toBe(true);
  });
});
