/**
 * An undocumented claim about the platform: the request that measures it at a real store, and the meaning of the
 * response.
 */
import type { JsonObject } from '../../lib/domain/json-object.ts';
import { redactSecrets } from '../../lib/observability/redact-secrets.ts';
import type { AdminResponse, PlatformError } from '../../lib/platform/admin-api/admin-response.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Frequencies } from '../../lib/subscriptions/selling-plans/frequency.ts';
import type { Operator } from '../operator.ts';

export type MeasurementFinding = {
  readonly verdict: 'so' | 'not so' | 'not measured';
  /** A sentence that says what is true instead, or why the claim could not be measured. */
  readonly message: string;
  /** The measured ids, times, codes and numbers. */
  readonly observed: readonly string[];
  /** True when the claim is false and the service relies on it. */
  readonly differs: boolean;
};

export type PlatformMeasurement = {
  /** The name for `--only`. */
  readonly name: string;
  /** A statement that the measurement confirms or refutes. */
  readonly claim: string;
  /** How the service relies on the claim, with the files. */
  readonly reliance: string;
  /** Sends read-only requests to the platform. Rejects when the platform fails. */
  readonly measure: (context: MeasurementContext) => Promise<MeasurementFinding>;
};

type UsedOperatorDeps = 'grants' | 'now' | 'postForm' | 'send' | 'sendAdminRequest' | 'target';
export type MeasurementContext = Pick<Operator, UsedOperatorDeps> & {
  readonly store: StoreRecord;
  /** The contracts that the operator named. */
  readonly contracts: readonly TestContract[];
  readonly sendQuery: (document: string, variables?: JsonObject) => Promise<AdminResponse>;
  /** Reads the app's client id. Resolves with undefined when the store was installed with only a token. */
  readonly readAppClientId: () => Promise<string | undefined>;
};

type TestMoney = { readonly amount: string };
type CycleDiscount = {
  readonly adjustmentType: string;
  readonly computedPrice: TestMoney;
  readonly adjustmentValue: Partial<TestMoney>;
};
type TestLine = {
  readonly currentPrice: TestMoney;
  readonly pricingPolicy: { readonly cycleDiscounts: readonly CycleDiscount[] } | null;
};
export type TestContract = Frequencies & {
  readonly id: string;
  readonly createdAt: string;
  readonly lines: { readonly nodes: readonly TestLine[] };
};

/** Creates the finding for a claim that the service relies on. */
export function createFinding(
  isConfirmed: boolean,
  message: string,
  observed: readonly string[] = [],
): MeasurementFinding {
  return { verdict: isConfirmed ? 'so' : 'not so', message, observed, differs: !isConfirmed };
}

/** Creates the finding for a claim that is not true, in a case that the service also supports. */
export function createSupportedFinding(message: string, observed: readonly string[]): MeasurementFinding {
  return { verdict: 'not so', message, observed, differs: false };
}

export function createNotMeasuredFinding(
  message: string,
  observed: readonly string[] = [],
): MeasurementFinding {
  return { verdict: 'not measured', message, observed, differs: false };
}

/** Returns the first error's code and message. */
export function formatFirstError([firstError]: readonly PlatformError[]): string {
  return firstError
    ? `${firstError.extensions?.code ?? 'no code'}, ${quoteForReport(firstError.message)}.`
    : 'It gives no reason.';
}

/** Quotes a text of the platform in the report: one short line, without e-mail addresses and secrets. */
export function quoteForReport(text: unknown): string {
  const line = `${text}`.replace(/\s+/g, ' ').replace(/\S+@\S+\.\S+/g, '[e-mail]');
  return `“${`${redactSecrets({ line }).line}`.slice(0, 160)}”`;
}
