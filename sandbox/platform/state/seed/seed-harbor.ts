/** The first store's people: Ada with three contracts, Ben whose card was declined, Carla with many, Dan with none. */
import { createOrderTable } from '../add-order.ts';
import { findCycleAt } from '../billing-cycles.ts';
import type { ContractStatus } from '../contract-records.ts';
import { addCalendarUnits, DAY_MS, formatIsoInstant } from '../instant.ts';
import { hashId, takeNextId } from '../opaque-id.ts';
import type { StoreState } from '../state.ts';
import { addContract, type ContractSeed } from './seed-contract.ts';
import { addCard, addCustomer, type CustomerSeed } from './seed-store.ts';

const [ada, ben, carla, dan] = [7001001, 7001002, 7001003, 7001004];
const [weeklyPlanId, fortnightlyPlanId, monthlyPlanId] = [830100101, 830100102, 830100103];
const [house250, house500, decaf250, filters100] = [810100101, 810100102, 810100201, 810100301];

const HARBOR_CUSTOMERS: Omit<CustomerSeed, 'createdAt'>[] = [
  {
    id: ada,
    name: ['Ada', 'Brewer'],
    email: 'ada@example.com',
    home: ['8 Wharf Street', 'Portland', '04101'],
  },
  {
    id: ben,
    name: ['Ben', 'Okafor'],
    email: 'ben@example.com',
    home: ['31 Exchange Street', 'Portland', '04101'],
    card: {
      brand: 'mastercard',
      firstDigits: '555555',
      lastDigits: '4444',
      expiryMonth: 3,
      expiryYear: 2027,
      declines: 'CARD_DECLINED',
    },
  },
  {
    id: carla,
    name: ['Carla', 'Ruiz'],
    email: 'carla@example.com',
    home: ['77 Congress Street', 'Portland', '04103'],
  },
  { id: dan, name: ['Dan', 'Novak'], email: 'dan@example.com', home: ['5 Pine Street', 'Portland', '04102'] },
];

/** Adds the four customers and the contracts of the first two. */
export function seedHarborCustomers(store: StoreState, nowMs: number): void {
  const createdAt = formatIsoInstant(nowMs - 300 * DAY_MS);
  for (const customerSeed of HARBOR_CUSTOMERS) addCustomer(store, { ...customerSeed, createdAt });
  seedAda(store, nowMs);
  seedBen(store, nowMs);
}

/** A few minutes past the hour, so that no cycle starts exactly on one. */
const CREATION_OFFSET_MS = 284_000;

function seedAda(store: StoreState, nowMs: number): void {
  // The monthly contract's current cycle ends at least 10 days ahead, even if a short month moves the day.
  const monthlyStartMs = addCalendarUnits(nowMs + 16 * DAY_MS, 'MONTH', -4);
  const contracts: Omit<ContractSeed, 'customerId'>[] = [
    { id: 9101001, createdMs: nowMs - 45 * DAY_MS, planId: weeklyPlanId, lines: [[house250, 1]] },
    {
      id: 9101002,
      createdMs: monthlyStartMs,
      planId: monthlyPlanId,
      lines: [
        [house500, 2],
        [filters100, 1],
      ],
    },
    {
      id: 9101003,
      createdMs: nowMs - 20 * DAY_MS,
      planId: fortnightlyPlanId,
      lines: [[decaf250, 1]],
      status: 'PAUSED',
    },
  ];
  for (const seed of contracts) {
    const createdMs = seed.createdMs + CREATION_OFFSET_MS;
    addContract(store, { ...seed, customerId: ada, createdMs, checkout: true, history: true }, nowMs);
  }
  // The order belongs to Ben, although it is the origin of Ada's contract: the platform has moved it.
  const originOrder = [...store.orders.values()].find(
    (order) => order.contractId === 9101001 && order.cycleIndex === 3,
  );
  if (originOrder !== undefined) originOrder.customerId = ben;
  // The table groups the orders by their customers when they are added.
  store.orders = createOrderTable(store.orders);
}

function seedBen(store: StoreState, nowMs: number): void {
  const customer = store.customers.get(ben);
  // Charges of the second card succeed, so the customer can fix the declined payment.
  if (customer) addCard(store, customer, { id: hashId(`${store.shop}/second card`), lastDigits: '1881' });
  const createdMs = addCalendarUnits(nowMs - 2 * DAY_MS, 'MONTH', -2) + CREATION_OFFSET_MS;
  const contract = addContract(
    store,
    { id: 9101004, customerId: ben, createdMs, planId: monthlyPlanId, lines: [[house500, 1]], history: true },
    nowMs,
  );
  const dueCycle = findCycleAt(contract, nowMs - 5 * DAY_MS);
  if (dueCycle === null) return;
  // The last charge was declined, so it has no order.
  contract.billedCycles = contract.billedCycles.filter((index) => index !== dueCycle.index);
  for (const order of store.orders.values()) {
    if (order.contractId === contract.id && order.cycleIndex === dueCycle.index)
      store.orders.delete(order.id);
  }
  for (const attempt of store.attempts.values()) {
    if (attempt.contractId !== contract.id || attempt.cycleIndex !== dueCycle.index) continue;
    Object.assign(attempt, {
      orderId: null,
      errorCode: 'CARD_DECLINED',
      errorMessage: 'The card was declined.',
    });
  }
  contract.lastPaymentStatus = 'FAILED';
  contract.lastBillingAttemptErrorType = 'PAYMENT_ERROR';
}

/** Gives Carla contracts in their first cycle: most ACTIVE, some PAUSED or CANCELLED, one in another currency. */
export function seedCarla(store: StoreState, nowMs: number, count: number): void {
  const existingContractCount = [...store.contracts.values()].filter(
    (contract) => contract.content.customerId === carla,
  ).length;
  for (
    let contractNumber = existingContractCount;
    contractNumber < existingContractCount + count;
    contractNumber += 1
  ) {
    const id = contractNumber < 1000 ? 9102000 + contractNumber : takeNextId(store);
    addContract(
      store,
      {
        id,
        customerId: carla,
        createdMs: nowMs - ((contractNumber % 25) + 1) * DAY_MS - contractNumber * 60_000,
        planId: monthlyPlanId,
        status: chooseCarlaStatus(contractNumber),
        currencyCode: contractNumber === 2 ? 'CAD' : store.currencyCode,
        lines: [[contractNumber % 3 === 0 ? house250 : decaf250, (contractNumber % 4) + 1]],
      },
      nowMs,
    );
  }
}

function chooseCarlaStatus(number: number): ContractStatus {
  if (number % 25 === 24) return 'CANCELLED';
  return number % 10 === 9 ? 'PAUSED' : 'ACTIVE';
}
