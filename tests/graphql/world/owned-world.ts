/** A generated store whose objects belong to customers, and may have changed owners. */
import type { GraphQLFieldResolver } from 'graphql';
import { ADA } from './harness.ts';
import { hash, type Making, make, objectOf, seedOf, type TestObject, type World } from './world.ts';

/** In every text of what the acting customer must not see. */
export const FOREIGN_MARK = 'FOREIGN ';
export const BEN = 7001002;
const UNKNOWN_CUSTOMER = 0;

type OwnedObject = TestObject & {
  /** The customer's number, or undefined for an object without a customer. */
  readonly owner?: number | undefined;
  /** Page of a customer's own connection, or an edge of it. */
  readonly isOwnPage?: boolean;
  /** The product of a variant or of an object below it. */
  readonly product?: number | undefined;
};

const STATUSES = ['ACTIVE', 'ARCHIVED', 'DRAFT', 'UNLISTED'];
const statusOf = (product: number) => STATUSES[hash(product, 'status') % STATUSES.length];

/** The product that a thing is, or is of. */
function productOf({ __typename, seed, product }: OwnedObject): number | undefined {
  if (__typename === 'Product') return seed;
  return __typename === 'ProductVariant' ? (product ?? hash(seed, 'product')) : undefined;
}

function isWithdrawn(object: OwnedObject): boolean {
  const product = productOf(object);
  return product !== undefined && !['ACTIVE', 'UNLISTED'].includes(statusOf(product) ?? '');
}

const CHANGE_HANDS = new Set(['CustomerPaymentMethod', 'Order', 'SubscriptionContract', 'SubscriptionDraft']);
const OWN_CONNECTIONS = new Set(['orders', 'paymentMethods', 'subscriptionContracts']);
const ORDER_CONTACT = new Set(['billingAddress', 'displayAddress', 'email', 'phone', 'shippingAddress']);

/** Creates a resolver over such a world. An id names the same object wherever it is requested. */
export function ownedResolver(world: World, namespace: string): GraphQLFieldResolver<OwnedObject, unknown> {
  return (parent, args, _context, { fieldName, returnType, parentType }) => {
    const isRoot = parentType.name === 'QueryRoot';
    const { id, ids, contractId, billingCycleInput } = args as Record<string, unknown>;
    if (isRoot && Array.isArray(ids)) return ids.map(named);
    if (isRoot && typeof id === 'string') return named(id);
    if (fieldName === 'customer' && parent.owner !== undefined && CHANGE_HANDS.has(parent.__typename)) {
      return parent.owner === UNKNOWN_CUSTOMER ? null : customer(parent.owner);
    }
    const product = productOf(parent);
    if (parent.__typename === 'Product' && fieldName === 'status') return statusOf(parent.seed);
    if (parent.__typename === 'ProductVariant' && fieldName === 'product' && product !== undefined) {
      return { __typename: 'Product', seed: product, owner: parent.owner };
    }
    const contract = contractId ?? (billingCycleInput as { contractId?: string } | undefined)?.contractId;
    const owner = isRoot && typeof contract === 'string' ? named(contract)?.owner : parent.owner;
    const hidesContact = parent.__typename === 'Order' && ORDER_CONTACT.has(fieldName);
    const isForeign = owner === UNKNOWN_CUSTOMER ? hidesContact : owner !== undefined && owner !== ADA;
    const isHidden = isForeign || isWithdrawn(parent);
    // A product's selling plans are read for the contracts that contain it.
    const isPlan = !isForeign && fieldName === 'sellingPlanGroups';
    const making: Making = {
      seed: seedOf(world, parent, { name: `${parentType.name}.${fieldName}`, args }),
      parent,
      fieldName,
      namespace,
      isSteady: ['id', 'status', 'type', 'subscriptionBillingCycles', 'subscriptionContract'].includes(
        fieldName,
      ),
      suffix: isHidden ? FOREIGN_MARK : '',
      spawn: (type, seed) =>
        spawn({ ...parent, owner: isHidden && !isPlan ? BEN : owner }, { type, seed, fieldName }),
    };
    return make(returnType, making);
  };
}

function named(id: string): OwnedObject | null {
  const object = objectOf(id);
  if (object === null) return null;
  const { __typename: type, seed } = object;
  if (type === 'Customer') return customer(Number(object.tail));
  return {
    ...object,
    owner: CHANGE_HANDS.has(type) ? drawOwner(type, seed) : ownerOfOther(type, seed),
  };
}

/** Attempts, fulfillments and the like have an owner; products have none. */
function ownerOfOther(type: string, seed: number): number | undefined {
  const isOwned = /^(SubscriptionBillingAttempt|Fulfillment|OrderTransaction|MailingAddress|LineItem)$/.test(
    type,
  );
  return isOwned ? drawOwner('', seed) : undefined;
}

function customer(number: number): OwnedObject {
  return { __typename: 'Customer', seed: hash('Customer', number), tail: `${number}`, owner: number };
}

function drawOwner(type: string, seed: number): number {
  const drawn = hash(seed, 'owner');
  if (type === 'Order' && drawn % 5 === 0) return UNKNOWN_CUSTOMER;
  return drawn % 2 === 0 ? ADA : BEN;
}

/** Fields whose object belongs to the same customer as their parent. */
const SAME_OWNER = new Set([
  'Fulfillment.order',
  'OrderTransaction.order',
  'SubscriptionBillingAttempt.subscriptionContract',
]);

type Spawning = { readonly type: string; readonly seed: number; readonly fieldName: string };

function spawn(parent: OwnedObject, { type, seed, fieldName }: Spawning): OwnedObject {
  const isOwnPage =
    parent.isOwnPage === true || (parent.__typename === 'Customer' && OWN_CONNECTIONS.has(fieldName));
  if (type === 'Customer') return customer(drawOwner('', seed));
  if (!CHANGE_HANDS.has(type)) {
    return {
      __typename: type,
      seed,
      owner: parent.owner,
      product: productOf(parent) ?? parent.product,
      ...(isOwnPage && /(Connection|Edge)$/.test(type) && { isOwnPage }),
    };
  }
  const isSame = isOwnPage || SAME_OWNER.has(`${parent.__typename}.${fieldName}`);
  return { __typename: type, seed, owner: isSame ? parent.owner : drawOwner(type, seed) };
}
