/** One claim about the platform that no page documents: what a step asks a real store, and what the answer shows. */
import type { JsonObject } from '../../lib/domain/json-object.ts';
import { redact } from '../../lib/observability/redact.ts';
import type { AdminAnswer, PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import type { Frequencies } from '../../lib/subscriptions/selling-plans/frequency.ts';
import type { Operator } from '../operator.ts';

export type Finding = {
  readonly verdict: 'so' | 'not so' | 'not measured';
  /** A sentence: what is so instead, or why it could not be measured. */
  readonly words: string;
  /** The measured ids, times, codes and numbers. */
  readonly observed: readonly string[];
  /** The service takes for granted what is not so. */
  readonly differs: boolean;
};

export type Step = {
  /** The name that `--only` takes. */
  readonly name: string;
  /** A sentence that is found true or not. */
  readonly claim: string;
  /** How the service relies on the claim, and the files that do. */
  readonly taken: string;
  /** Asks the platform, and changes nothing there. Rejects when the platform fails. */
  readonly measure: (context: StepContext) => Promise<Finding>;
};

type Parts = 'grants' | 'now' | 'postForm' | 'send' | 'sendAdminRequest' | 'target';
export type StepContext = Pick<Operator, Parts> & {
  readonly store: StoreRecord;
  /** The contracts that the operator named. */
  readonly contracts: readonly TestContract[];
  readonly ask: (document: string, variables?: JsonObject) => Promise<AdminAnswer>;
  /** The client id of the app; undefined: the store was installed with a token alone. */
  readonly readAppClientId: () => Promise<string | undefined>;
};

type Money = { readonly amount: string };
type CycleDiscount = {
  readonly adjustmentType: string;
  readonly computedPrice: Money;
  readonly adjustmentValue: Partial<Money>;
};
type TestLine = {
  readonly currentPrice: Money;
  readonly pricingPolicy: { readonly cycleDiscounts: readonly CycleDiscount[] } | null;
};
export type TestContract = Frequencies & {
  readonly id: string;
  readonly createdAt: string;
  readonly lines: { readonly nodes: readonly TestLine[] };
};

/** The claim is true, or the service relies on something that is not so. */
export function finding(isConfirmed: boolean, message: string, observed: readonly string[] = []): Finding {
  return { verdict: isConfirmed ? 'so' : 'not so', words: message, observed, differs: !isConfirmed };
}

/** The claim is not true, and the service works in that case, too. */
export function builtFor(message: string, observed: readonly string[]): Finding {
  return { verdict: 'not so', words: message, observed, differs: false };
}

export function notMeasured(message: string, observed: readonly string[] = []): Finding {
  return { verdict: 'not measured', words: message, observed, differs: false };
}

/** The first error's code and message. */
export function errorText([first]: readonly PlatformError[]): string {
  return first ? `${first.extensions?.code ?? 'no code'}, ${quoted(first.message)}.` : 'It gives no reason.';
}

/** A text of the platform for a report that others read: one short line, without addresses and secrets. */
export function quoted(text: unknown): string {
  const line = `${text}`.replace(/\s+/g, ' ').replace(/\S+@\S+\.\S+/g, '[e-mail]');
  return `“${`${redact({ line }).line}`.slice(0, 160)}”`;
}
