/** Keeps a mirror of subscriptions. `ask(query, variables)` sends a document to the admin endpoint and returns its `data`. */
const [MONEY, POLICY] = ['{ amount currencyCode }', '{ interval intervalCount }'];
const CONTRACTS = `query ($after: String) { subscriptionContracts(first: 10, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes { id status nextBillingDate currentPause { resumesAt } billingPolicy ${POLICY} deliveryPolicy ${POLICY}
    deliveryPrice ${MONEY} customerPaymentMethod { id } discounts(first: 50) { nodes { id title } }
    lines(first: 100) { nodes { id quantity variantId sellingPlanId currentPrice ${MONEY} } } } } }`;
const EVENTS = `query ($after: String) { subscriptionEvents(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor } nodes { body } } }`;
const LAST_EVENT = '{ subscriptionEvents(last: 1) { nodes { body } pageInfo { endCursor } } }';

/** Starts a mirror. The cursor is read before the subscriptions are, so that no event is missed. */
export async function startMirror(ask) {
  const { subscriptionEvents } = await ask(LAST_EVENT);
  const mirror = { cursor: subscriptionEvents.pageInfo.endCursor, contracts: new Map() };
  const position = subscriptionEvents.nodes[0]?.body.data.position ?? -1;
  for (let after = null, hasNextPage = true; hasNextPage; ) {
    const { nodes, pageInfo } = (await ask(CONTRACTS, { after })).subscriptionContracts;
    for (const node of nodes) mirror.contracts.set(node.id, startAt(position, factsOf(node)));
    ({ hasNextPage, endCursor: after } = pageInfo);
  }
  return mirror;
}

/** Applies the body of an event, from a webhook or from a query: in any order, and any number of times. */
export function applyEvent({ contracts }, { type, data: { contractId, position, changes, ordersChanged } }) {
  const contract = contracts.get(contractId) ?? startAt(-1, {});
  if (contractId === null || position <= contract.from) return;
  contracts.set(contractId, type === 'customer.erased' ? startAt(position, {}) : contract);
  const { facts, positions } = contract;
  // The facts of all orders start again. Query the orders when you need them.
  if (ordersChanged) contract.ordersFrom = Math.max(contract.ordersFrom, position);
  const isGone = (field, at) => field.startsWith('billingCycles.') && at < contract.ordersFrom;
  for (const field of Object.keys(facts)) if (isGone(field, positions[field])) delete facts[field];
  for (const { field, after } of changes) {
    if (positions[field] >= position || isGone(field, position)) continue;
    positions[field] = position;
    if (after === null) delete facts[field];
    else facts[field] = after;
  }
}

/** `from`: events up to this position are included already; `positions`: the position of each fact's last event. */
function startAt(from, facts) {
  return { from, facts, positions: {}, ordersFrom: -1 };
}

/** Applies all events since the cursor, the same events that webhooks would have sent. */
export async function catchUp(ask, mirror) {
  for (let hasNextPage = true; hasNextPage; ) {
    const { nodes, pageInfo } = (await ask(EVENTS, { after: mirror.cursor })).subscriptionEvents;
    for (const { body } of nodes) applyEvent(mirror, body);
    hasNextPage = pageInfo.hasNextPage;
    mirror.cursor = pageInfo.endCursor ?? mirror.cursor;
  }
}

/** The facts of a subscription that was read as in CONTRACTS, under the names that events have for them. */
export function factsOf({ id: _id, currentPause, customerPaymentMethod, discounts, lines, ...contract }) {
  const facts = {
    ...contract,
    customerPaymentMethod: customerPaymentMethod?.id,
    'currentPause.resumesAt': currentPause?.resumesAt,
  };
  for (const { id, title } of discounts.nodes) facts[`discounts.${tailOf(id)}`] = title;
  for (const { id, ...line } of lines.nodes)
    for (const [name, value] of Object.entries(line)) facts[`lines.${tailOf(id)}.${name}`] = value;
  return Object.fromEntries(
    Object.entries(facts).flatMap(([field, value]) => ((value ?? null) === null ? [] : [[field, value]])),
  );
}

const tailOf = (id) => id.slice(id.lastIndexOf('/') + 1);
