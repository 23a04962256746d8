/** How often instances read secrets: each reads a store's grant once a version, and the ring every few minutes. */
import type { SimulatedMonth } from './simulate-month.ts';

export type SecretReads = { readonly inMonth: number; readonly mostInAnHour: number };

/**
 * Expected reads. A grant has a version for each renewal; requests fall on the instances by chance. The
 * server's function reads the store's admin keys beside the grant: as often at most.
 */
export function countSecretReads({ month, minutes, hourly }: SimulatedMonth): SecretReads {
  const customers = instancesByHour(minutes.customerBusy);
  const admins = instancesByHour(minutes.adminBusy);
  const auths = instancesByHour(minutes.authBusy);
  const versions = 60 / month.renewMinutes;
  const ringReads = 60 / month.ringMinutes;
  let inMonth = 0;
  let mostInAnHour = 0;
  for (let hour = 0; hour < customers.length; hour++) {
    let reads = ringReads * ((customers[hour] ?? 0) + (auths[hour] ?? 0));
    for (const store of hourly) {
      reads += versions * distinct(customers[hour] ?? 1, store.customer[hour] ?? 0);
      reads += 2 * versions * distinct(admins[hour] ?? 1, store.admin[hour] ?? 0);
    }
    inMonth += reads;
    mostInAnHour = Math.max(mostInAnHour, reads);
  }
  return { inMonth, mostInAnHour };
}

/** How many of `instances` see at least one of `requests` that fall on them by chance. */
function distinct(instances: number, requests: number): number {
  return instances * (1 - (1 - 1 / instances) ** requests);
}

/** The reads of the busiest minute of each hour, with what chance adds; at least one. */
function instancesByHour(busy: Float64Array): number[] {
  return Array.from({ length: Math.ceil(busy.length / 60) }, (_, hour) => {
    const mean = Math.max(...busy.subarray(hour * 60, hour * 60 + 60));
    return Math.max(1, Math.ceil(mean + 4 * Math.sqrt(mean)));
  });
}
