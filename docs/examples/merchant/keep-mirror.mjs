/** Keeps a mirror of subscriptions. `ask(query, variables)` sends a document to the admin endpoint and returns its `data`. */
const [MONEY, POLICY] = ['{ amount currencyCode }', '{ interval intervalCount }'];
const CONTRACTS = `query ($after: String) { subscriptionContracts(first: 10, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes { id status nextBillingDate currentPause { resumesAt } billingPolicy ${POLICY} deliveryPolicy ${POLICY}
    deliveryPrice ${MONEY} customerPaymentMethod { id } discounts(first: 50) { nodes { id title } }
    lines(first: 100) { nodes { id quantity variantId sellingPlanId currentPrice ${MONEY} } } } } }`;
const EVENTS = `query ($after: String) { subscriptionEvents(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor } nodes { body } } }`;

/** Starts a mirror. The cursor is read before the subscriptions are, so that no event is missed. */
export async function startMirror(ask) {
  const { subscriptionEvents } = await ask('{ subscriptionEvents(last: 1) { pageInfo { endCursor } } }');
  const mirror = { cursor: subscriptionEvents.pageInfo.endCursor, contracts: new Map() };
  for (let after = null, hasNextPage = true; hasNextPage; ) {
    const { nodes, pageInfo } = (await ask(CONTRACTS, { after })).subscriptionContracts;
    for (const node of nodes) mirror.contracts.set(node.id, { position: -1, facts: factsOf(node) });
    ({ hasNextPage, endCursor: after } = pageInfo);
  }
  return mirror;
}

/** Applies the body of an event, from a webhook or from a query. An event that was applied before changes nothing. */
export function applyEvent({ contracts }, { type, data }) {
  const contract = contracts.get(data.contractId) ?? { position: -1, facts: {} };
  if (data.contractId === null || data.position <= contract.position) return;
  contracts.set(data.contractId, contract);
  contract.position = data.position;
  if (type === 'customer.erased') contract.facts = {};
  // These facts begin anew. Query the orders when you need them.
  const isOfOrders = (field) => field.startsWith('billingCycles.');
  if (data.ordersChanged)
    for (const field of Object.keys(contract.facts).filter(isOfOrders)) delete contract.facts[field];
  for (const { field, after } of data.changes) {
    if (after === null) delete contract.facts[field];
    else contract.facts[field] = after;
  }
}

/** Applies what happened since the cursor: all that webhooks would have brought. */
export async function catchUp(ask, mirror) {
  for (let hasNextPage = true; hasNextPage; ) {
    const { nodes, pageInfo } = (await ask(EVENTS, { after: mirror.cursor })).subscriptionEvents;
    for (const { body } of nodes) applyEvent(mirror, body);
    hasNextPage = pageInfo.hasNextPage;
    mirror.cursor = pageInfo.endCursor ?? mirror.cursor;
  }
}

/** The facts of a subscription, under the names that events have for them. Amounts have no zeros at their ends. */
function factsOf({ id: _id, currentPause, customerPaymentMethod, discounts, lines, ...contract }) {
  const facts = {
    ...contract,
    customerPaymentMethod: customerPaymentMethod?.id,
    'currentPause.resumesAt': currentPause?.resumesAt,
  };
  for (const { id, title } of discounts.nodes) facts[`discounts.${tailOf(id)}`] = title;
  for (const { id, ...line } of lines.nodes)
    for (const [name, value] of Object.entries(line)) facts[`lines.${tailOf(id)}.${name}`] = value;
  return Object.fromEntries(
    Object.entries(facts).flatMap(([field, value]) =>
      (value ?? null) === null ? [] : [[field, plain(value)]],
    ),
  );
}

const tailOf = (id) => id.slice(id.lastIndexOf('/') + 1);
const plain = (value) =>
  value.amount === undefined ? value : { ...value, amount: String(Number(value.amount)) };
