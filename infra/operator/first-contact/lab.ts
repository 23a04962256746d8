/**
 * What a step works with: questions to the platform, changes that are written down before they are made, and the
 * operator's hands. Interrupted, it begins nothing more; what puts things back goes on.
 */

import { ServiceError } from '../../../lib/errors/service-error.ts';
import { type AdminAnswer, isDenied } from '../../../lib/platform/admin-api/admin-answer.ts';
import { deadlineAfter, type SendAdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import {
  type AdminRawAnswer,
  adminAddress,
  type SendAdminRequest,
} from '../../../lib/platform/admin-api/admin-request.ts';
import type { StoreGrants } from '../../../lib/platform/grants/store-grants.ts';
import type { SendSignInRequest } from '../../../lib/platform/sign-in/sign-in-request.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { WouldWrite } from '../dry-run.ts';
import type { Ledger, Undo } from './ledger.ts';
import type { Ask, Changed, Variables } from './platform-answer.ts';
import type { ShopFacts } from './read-shop.ts';
import type { TestContract } from './test-contract.ts';
import { Unmeasurable } from './unmeasurable.ts';

export type LabParts = {
  readonly target: {
    readonly platformOrigin: string;
    readonly platformApiVersion: string;
    readonly platformGidNamespace: string;
  };
  readonly sendAdmin: SendAdminOperation;
  readonly sendAdminRequest: SendAdminRequest;
  readonly grants: Pick<StoreGrants, 'read'>;
  readonly send: SendSignInRequest;
  /** The app's own client; undefined: the grant names none. */
  readonly appClientId: (store: StoreRecord) => Promise<string | undefined>;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number) => Promise<void>;
};

type LabChange = {
  readonly document: string;
  readonly variables: Variables;
  /** A sentence on what is changed, for the report. */
  readonly what: string;
  /** The way back; undefined: it cannot be put back. */
  readonly undo?: Undo;
};
export type Lab = {
  readonly parts: LabParts;
  readonly store: StoreRecord;
  readonly shop: ShopFacts;
  readonly contracts: readonly TestContract[];
  readonly isDryRun: boolean;
  readonly ask: Ask;
  /** Puts back, even after an interruption. It is sent again after a lost answer: only what may run twice. */
  readonly mend: Ask;
  readonly change: (change: LabChange) => Promise<Changed>;
  /** Changes a draft that is open, which is no change yet: sent once. */
  readonly alter: Ask;
  readonly pause: (ms: number) => Promise<void>;
  /** The test query in another version: the answer with its header. */
  readonly askVersion: (version: string) => Promise<AdminRawAnswer>;
  /** What the operator types; undefined: nobody is there. */
  readonly question: ((words: string) => Promise<string>) | undefined;
  /** Puts back at the end of the step what is no change of the platform's Admin API. */
  readonly note: Ledger['note'];
  readonly say: (words: string) => void;
  /** Ends the step of a dry run here: before what is changed without `change`. */
  readonly endDryRun: () => void;
};

export type LabRequest = Pick<Lab, 'store' | 'shop' | 'contracts' | 'isDryRun' | 'question' | 'say'> & {
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
};

const VERSION = '{ shop { id } }';
const TIMEOUT_MS = 10_000;

/** The lab of one step. Everything in it but `mend` rejects with the signal's reason once that is aborted. */
export function createLab(parts: LabParts, { signal, ledger, ...rest }: LabRequest): Lab {
  const { store } = rest;
  const send = (document: string, variables: Variables = {}, mutates = false) =>
    parts.sendAdmin({
      ...{ store, document, variables, mutates, costKey: document },
      deadlineAtMs: deadlineAfter(parts.now()),
    });
  return {
    ...rest,
    parts,
    endDryRun: () => endDryRun(rest),
    note: ledger.note,
    async ask(document, variables) {
      signal.throwIfAborted();
      return send(document, variables);
    },
    mend: (document, variables) => send(document, variables),
    async alter(document, variables) {
      signal.throwIfAborted();
      return send(document, variables, true);
    },
    change: createChange({ ...rest, signal, ledger }, (document, variables) =>
      send(document, variables, true),
    ),
    pause: (ms) => untilAborted(signal, () => parts.wait(ms)),
    askVersion: (version) => untilAborted(signal, () => askVersion(parts, store, version)),
    question: rest.question && ((words) => untilAborted(signal, () => rest.question?.(words) ?? never())),
  };
}

function endDryRun({ isDryRun }: Pick<Lab, 'isDryRun'>): void {
  if (isDryRun) throw new WouldWrite();
}

type Changing = Pick<LabRequest, 'isDryRun' | 'signal' | 'ledger'>;

/** What may have been done is in the ledger before it is sent, and stays there unless it certainly was not. */
function createChange({ isDryRun, signal, ledger }: Changing, send: Ask): Lab['change'] {
  return async ({ document, variables, what, undo }) => {
    signal.throwIfAborted();
    endDryRun({ isDryRun });
    const entry = ledger.note(what, undo);
    try {
      const changed = toChanged(await send(document, variables));
      if (isRefused(changed)) ledger.strike(entry);
      return changed;
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'OUTCOME_UNKNOWN') ledger.strike(entry);
      throw error;
    }
  };
}

function toChanged({ data, errors }: AdminAnswer): Changed {
  return { payloads: (data ?? {}) as Changed['payloads'], errors };
}

/** Certainly nothing was done: every root says no, or the whole was denied. */
function isRefused({ payloads, errors }: Changed): boolean {
  const roots = Object.values(payloads);
  if (roots.length === 0 || roots.every((root) => root === null)) return errors.some(isDenied);
  return roots.every((root) => root !== null && root.userErrors?.length > 0);
}

async function askVersion(
  { grants, sendAdminRequest, target }: LabParts,
  store: StoreRecord,
  version: string,
): Promise<AdminRawAnswer> {
  const { accessToken } = await grants.read(store);
  const body = JSON.stringify({ query: `query FirstContactVersion ${VERSION}` });
  const url = adminAddress(target.platformOrigin, store.domain, version);
  return sendAdminRequest({ url, accessToken, body, timeoutMs: TIMEOUT_MS, freshConnection: true });
}

async function untilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function never(): never {
  throw new Unmeasurable('Nobody is there to be asked.');
}
