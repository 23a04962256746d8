/** The work for each topic group. */
import { batchesOf } from '../../domain/batches-of.ts';
import { settleAll } from '../../domain/settle-all.ts';
import type { InboxItem, TopicGroup } from '../../storage/inbox/inbox.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import { ATTEMPT_CONCURRENCY } from '../charges/read-attempts.ts';
import { type AttemptDeps, recordAttempts } from '../charges/record-attempts.ts';
import { CONTRACTS_PER_DOCUMENT } from '../contracts/contract-documents.ts';
import { contractsOfMethod } from '../contracts/contracts-of-method.ts';
import { type ObserveDeps, observeContracts } from '../contracts/observe-contracts.ts';
import type { ReadRun } from '../contracts/read-changed-contracts.ts';
import { readBaseline } from '../reconciliation/pass-record.ts';
import { type RereadDeps, rereadStore } from '../store/reread-store.ts';
import { type UninstallDeps, verifyUninstall } from '../store/verify-uninstall.ts';
import type { MarkWork } from './process-inbox.ts';

export type FamilyDeps = ObserveDeps & AttemptDeps & UninstallDeps & RereadDeps;

/** The work of each family of topics; the object of a mark is the end of its id. */
export function topicGroups(deps: FamilyDeps): Readonly<Partial<Record<TopicGroup, MarkWork>>> {
  const reread: MarkWork = {
    concurrency: 1,
    work: async (run, items) => {
      await rereadStore(deps, run);
      return items;
    },
  };
  return {
    contracts: {
      concurrency: CONTRACTS_PER_DOCUMENT,
      work: async (run, items) => {
        const outcomes = await observe(
          deps,
          run,
          items.map(({ object }) => object as ContractNumber),
        );
        return items.filter((_, index) => outcomes[index] !== 'wait');
      },
    },
    attempts: {
      concurrency: ATTEMPT_CONCURRENCY,
      work: async (run, items) => {
        const outcomes = await recordAttempts(
          deps,
          run,
          items.map(({ object }) => object),
        );
        return items.filter((_, index) => outcomes[index] === 'done');
      },
    },
    'payment-methods': {
      concurrency: 1,
      work: async (run, [item]: readonly InboxItem[]) =>
        item !== undefined && (await compareMethod(deps, run, item.object)) ? [item] : [],
    },
    app: {
      concurrency: 1,
      isForAll: true,
      work: async (run, items) => {
        await verifyUninstall(deps, run);
        return items;
      },
    },
    scopes: reread,
    shop: reread,
  };
}

async function observe(deps: FamilyDeps, run: ReadRun, contracts: readonly ContractNumber[]) {
  const baselineAtMs = await readBaseline(deps, run.store.shopId);
  return observeContracts(deps, { ...run, baselineAtMs }, contracts);
}

/** Whether nothing waits. */
async function compareMethod(deps: FamilyDeps, run: ReadRun, method: string): Promise<boolean> {
  const contracts = await contractsOfMethod(deps, run, method);
  const parts = batchesOf(contracts, CONTRACTS_PER_DOCUMENT);
  const outcomes = await settleAll(parts.map((part) => observe(deps, run, part)));
  return outcomes.flat().every((outcome) => outcome !== 'wait');
}
