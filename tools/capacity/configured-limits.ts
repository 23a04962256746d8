/** The table of limits in docs/costs.md: those that depend on the configuration. docs/growth.md has the load of each. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import { type MeasuredWork, measured } from './measured.ts';
import { count } from './page-tables.ts';
import { busyMs } from './request-costs.ts';

const { config } = readEnvironmentConfig('prod');

/** The limits that depend on the configuration, and how much traffic reaches each. */
export function configuredLimitCells(): [limit: string, value: string, reached: string][] {
  const { reservedConcurrency, throttling } = config;
  const { readUnitsPerSecond, writeUnitsPerSecond } = config.warmThroughput ?? newTable;
  const { customerQuery, customerChange, merchantQuery, charge } = measured;
  const openings = (points: number) => points / (3 * customerQuery.points);
  const instancesOf = ({ function: name }: MeasuredWork) => reservedConcurrency[name] ?? 0;
  const perSecond = (work: MeasuredWork) => (1000 * instancesOf(work)) / busyMs(work);
  const whole = (value: number) => count(Math.floor(value));
  /** Whether requests of one kind reach the throttle or the instances first. */
  const order = (name: 'customer-graphql' | 'admin-graphql', work: MeasuredWork) =>
    `${throttling[name].ratePerSecond > perSecond(work) ? 'after' : 'before'} the instances for ${work.name}`;
  const { 'customer-graphql': customers, 'admin-graphql': admins } = throttling;
  const ofNew = `${count(newTable.readUnitsPerSecond)} and ${count(newTable.writeUnitsPerSecond)}`;
  return [
    [
      "the platform's bucket of one store",
      "100 to 2,000 points a second by the store's plan",
      `${openings(100).toFixed(1)} to ${openings(2000).toFixed(0)} openings of the app a second: [store-throttled](runbook.md#store-throttled)`,
    ],
    [
      'instances of customer-graphql',
      `${instancesOf(customerQuery)} reserved`,
      `${whole(perSecond(customerQuery))} queries a second, of all stores together`,
    ],
    [
      'instances of admin-graphql',
      `${instancesOf(charge)} reserved`,
      `${whole(perSecond(merchantQuery))} queries or ${whole(perSecond(charge))} charges a second`,
    ],
    [
      "throttles of the routes, customers' and merchants'",
      `${count(customers.ratePerSecond)} and ${count(admins.ratePerSecond)} a second`,
      `${order('customer-graphql', customerQuery)}; ${order('admin-graphql', merchantQuery)}; ${order('admin-graphql', charge)}`,
    ],
    [
      'the table, before it has grown',
      `${count(readUnitsPerSecond)} read units and ${count(writeUnitsPerSecond)} write units a second in production, doubling every half hour; a new table has ${ofNew}`,
      `${whole(writeUnitsPerSecond / customerChange.writeUnits)} changes or ${whole(writeUnitsPerSecond / charge.writeUnits)} charges a second, of all stores together`,
    ],
  ];
}
