/** What is done about each family of topics. */
import { batchesOf } from '../../domain/batches-of.ts';
import { settleAll } from '../../domain/settle-all.ts';
import type { Mark, MarkFamily } from '../../storage/marks/marks.ts';
import type { ContractNumber } from '../../timeline/event-number.ts';
import { ATTEMPTS_AT_ONCE } from '../charges/read-attempts.ts';
import { type AttemptDeps, tellAttempts } from '../charges/tell-attempts.ts';
import { CONTRACTS_AT_ONCE } from '../contracts/contract-documents.ts';
import { contractsOfMethod } from '../contracts/contracts-of-method.ts';
import type { ReadRun } from '../contracts/look-at-contracts.ts';
import { type ObserveDeps, observeContracts } from '../contracts/observe-contracts.ts';
import { readBaseline } from '../nightly/pass-record.ts';
import { judgeUninstall, type UninstallDeps } from '../store/judge-uninstall.ts';
import { type RereadDeps, rereadStore } from '../store/reread-store.ts';
import type { MarkWork } from './act-on-marks.ts';

export type FamilyDeps = ObserveDeps & AttemptDeps & UninstallDeps & RereadDeps;

/** The work of each family of topics; the object of a mark is the end of its id. */
export function markFamilies(deps: FamilyDeps): Readonly<Partial<Record<MarkFamily, MarkWork>>> {
  const reread: MarkWork = {
    atOnce: 1,
    work: async (run, marks) => {
      await rereadStore(deps, run);
      return marks;
    },
  };
  return {
    contracts: {
      atOnce: CONTRACTS_AT_ONCE,
      work: async (run, marks) => {
        const outcomes = await observe(
          deps,
          run,
          marks.map(({ object }) => object as ContractNumber),
        );
        return marks.filter((_, index) => outcomes[index] !== 'wait');
      },
    },
    attempts: {
      atOnce: ATTEMPTS_AT_ONCE,
      work: async (run, marks) => {
        const outcomes = await tellAttempts(
          deps,
          run,
          marks.map(({ object }) => object),
        );
        return marks.filter((_, index) => outcomes[index] === 'done');
      },
    },
    'payment-methods': {
      atOnce: 1,
      work: async (run, [mark]: readonly Mark[]) =>
        mark !== undefined && (await compareMethod(deps, run, mark.object)) ? [mark] : [],
    },
    app: {
      atOnce: 1,
      isForAll: true,
      work: async (run, marks) => {
        await judgeUninstall(deps, run);
        return marks;
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
  const parts = batchesOf(contracts, CONTRACTS_AT_ONCE);
  const outcomes = await settleAll(parts.map((part) => observe(deps, run, part)));
  return outcomes.flat().every((outcome) => outcome !== 'wait');
}
