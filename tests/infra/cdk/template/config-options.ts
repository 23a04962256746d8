/**
 * Every choice that an environment's configuration leaves to the operator, each with a value of an operator's. The
 * type holds the list complete: a new value of infra/definition/environment-schema.ts that may be absent or empty belongs here.
 */
import {
  type NamedEnvironment,
  noReservedConcurrency,
  readEnvironmentConfig,
} from '../../../../infra/definition/config.ts';
import type { EnvironmentConfig } from '../../../../infra/definition/environment-schema.ts';

type MayBeAbsent = {
  [Name in keyof EnvironmentConfig]-?: undefined extends EnvironmentConfig[Name] ? Name : never;
}[keyof EnvironmentConfig];
type Option = MayBeAbsent | 'alarmEmails' | 'allowedOrigins' | 'reservedConcurrency';

const alarmEmails = { page: ['night@example.com'], ticket: ['ops@example.com'] };

const options = {
  // The certificates of the edge that is shipped are of no account, and would be refused; production needs addresses then.
  account: { account: '123456789012', edge: undefined, alarmEmails },
  region: { region: 'eu-south-1', edge: undefined, alarmEmails },
  domain: {
    alarmEmails,
    edge: undefined,
    domain: {
      name: 'api.example.com',
      certificateArn: 'arn:aws:acm:eu-south-1:123456789012:certificate/x',
    },
  },
  restoredTableName: { restoredTableName: 'subscriptions-restored' },
  restoredStreamLabel: {
    restoredTableName: 'subscriptions-restored',
    restoredStreamLabel: '2026-07-01T09:30:00.000',
  },
  alarmEmails: { alarmEmails },
  allowedOrigins: { allowedOrigins: ['https://shop.example.com', 'capacitor://localhost'] },
  warmThroughput: { warmThroughput: { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 10_000 } },
  storesFromBefore: { storesFromBefore: true },
  reservedConcurrency: { reservedConcurrency: noReservedConcurrency, accountConcurrency: 10 },
  edge: {
    domain: undefined,
    alarmEmails,
    edge: {
      viewer: {
        name: 'api.subscriptions.test',
        certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x',
      },
      origin: {
        name: 'origin.subscriptions.test',
        certificateArn: 'arn:aws:acm:eu-south-1:123456789012:certificate/x',
      },
      secret: { sends: 'b', sha256: { a: 'a'.repeat(64), b: 'b'.repeat(64) } },
    },
  },
} satisfies Record<Option, Partial<EnvironmentConfig>>;

export type Combination = { readonly label: string; readonly values: Partial<EnvironmentConfig> };

/** None, each alone, and all at once (an edge in place of a domain). */
export const combinations: readonly Combination[] = [
  { label: 'no option', values: {} },
  ...Object.entries(options).map(([label, values]) => ({ label, values })),
  everyOption(),
];

export function everyOption(): Combination {
  return { label: 'every option', values: Object.assign({}, ...Object.values(options)) };
}

/** A known environment with other values, checked as an operator's are. */
export function withValues(name: string, values: Partial<EnvironmentConfig>): NamedEnvironment {
  const { config } = readEnvironmentConfig(name);
  return readEnvironmentConfig(name, { [name]: { ...config, ...values } });
}
