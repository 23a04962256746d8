/** The table of limits in docs/costs.md: what each is, and how much traffic it takes to reach it. */
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { newTable } from '../../infra/definition/table-definition.ts';
import { type MeasuredWork, measured } from './measured.ts';
import { busyMs } from './request-costs.ts';

export function limitRows(): string[] {
  const { reservedConcurrency, throttling, warmThroughput = newTable } = readEnvironmentConfig('prod').config;
  const { readUnitsPerSecond, writeUnitsPerSecond } = warmThroughput;
  const { customerQuery, customerChange, merchantQuery, charge } = measured;
  const units = (count: number) => count.toLocaleString('en-US');
  const openingPoints = 3 * customerQuery.points;
  const queriesWith = (instances = 0, work: Parameters<typeof busyMs>[0] = customerQuery) =>
    units(Math.floor((1000 * instances) / busyMs(work)));
  /** Whether the throttle of a route is reached before its instances, by requests of one kind. */
  const firstOf = (name: 'customer-graphql' | 'admin-graphql', work: MeasuredWork) => {
    const { ratePerSecond } = throttling[name];
    const byInstances = (1000 * (reservedConcurrency[name] ?? 0)) / busyMs(work);
    return `${ratePerSecond > byInstances ? 'after' : 'before'} the instances for ${work.name}`;
  };
  return [
    [
      "the platform's bucket of one store",
      "100 to 2,000 points a second by the store's plan",
      `${(100 / openingPoints).toFixed(1)} to ${(2000 / openingPoints).toFixed(0)} openings of the app a second: [store-throttled](runbook.md#store-throttled)`,
    ],
    [
      'instances of customer-graphql',
      `${reservedConcurrency['customer-graphql']} reserved`,
      `${queriesWith(reservedConcurrency['customer-graphql'])} queries a second, of all stores together`,
    ],
    [
      'instances of admin-graphql',
      `${reservedConcurrency['admin-graphql']} reserved`,
      `${queriesWith(reservedConcurrency['admin-graphql'], merchantQuery)} queries or ${queriesWith(reservedConcurrency['admin-graphql'], charge)} charges a second`,
    ],
    [
      "throttles of the routes, customers' and merchants'",
      `${units(throttling['customer-graphql'].ratePerSecond)} and ${units(throttling['admin-graphql'].ratePerSecond)} a second`,
      `${firstOf('customer-graphql', customerQuery)}; ${firstOf('admin-graphql', merchantQuery)}; ${firstOf('admin-graphql', charge)}`,
    ],
    ['Lambda, new instances', '1,000 in 10 seconds for each function', 'all reserved ones may start at once'],
    [
      'one key of the table',
      '3,000 read units and 1,000 write units a second',
      "each request reads its store's item: 3,000 requests a second of one store",
    ],
    [
      'the table, before it has grown',
      `${units(readUnitsPerSecond)} read units and ${units(writeUnitsPerSecond)} write units a second in production, doubling every half hour; a new table has ${units(newTable.readUnitsPerSecond)} and ${units(newTable.writeUnitsPerSecond)}`,
      `${units(Math.floor(writeUnitsPerSecond / customerChange.writeUnits))} changes or ${units(Math.floor(writeUnitsPerSecond / charge.writeUnits))} charges a second, of all stores together`,
    ],
    [
      'API Gateway',
      '10,000 requests a second for account and region, 5,000 at once; in smaller regions 2,500 and 1,250',
      'all routes together; no route is allowed more than a smaller region has',
    ],
    [
      'Secrets Manager, reads',
      '10,000 calls a second',
      'a deploy that starts all instances at once reads two or three each: far below',
    ],
    [
      'Secrets Manager, writes',
      '50 calls a second',
      'the scheduled work renews few grants at once, before they are needed ([growth.md](growth.md))',
    ],
  ].map((cells) => `| ${cells.join(' | ')} |`);
}
