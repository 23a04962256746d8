/**
 * CodeDeploy calls this function before clients' requests reach new versions. The function calls each new version
 * directly, and CodeDeploy continues or rolls back by the result. It reports a result in every case, because CodeDeploy
 * would otherwise wait for an hour.
 */
import { toFailureCause } from '../../lib/errors/to-failure-cause.ts';
import { composeSmokeTest } from '../compose/compose-smoke-test.ts';
import { withRequestContext } from '../compose/with-request-context.ts';
import { createVersionSender } from './create-version-sender.ts';
import { readSmokeStore } from './read-smoke-store.ts';
import { createChecksWithoutStore, createChecksWithStore } from './smoke-checks.ts';
import { type DeploymentVerdict, verifyVersions } from './verify-versions.ts';

type HookEvent = { readonly DeploymentId: string; readonly LifecycleEventHookExecutionId: string };

const deps = composeSmokeTest();

export const handler = withRequestContext(deps, async (event: HookEvent): Promise<DeploymentVerdict> => {
  const deploymentVerdict = await evaluateNewVersion().catch((error: unknown) => {
    deps.logger.error('smoke_test.aborted', { cause: toFailureCause(error) });
    return 'Failed' as const;
  });
  await deps.reportToCodeDeploy({
    deploymentId: event.DeploymentId,
    lifecycleEventHookExecutionId: event.LifecycleEventHookExecutionId,
    status: deploymentVerdict,
  });
  return deploymentVerdict;
});

async function evaluateNewVersion(): Promise<DeploymentVerdict> {
  const store = await readSmokeStore(deps);
  const edgeSecret = await deps.readEdgeSecret();
  const smokeChecks = [
    ...createChecksWithoutStore(deps.shopDomainSuffix),
    ...(store ? createChecksWithStore(store) : []),
  ];
  const createSender = (versionKind: 'new' | 'live') =>
    createVersionSender({ ...deps, edgeSecret, versionKind });
  return verifyVersions({
    checks: smokeChecks,
    sendToNewVersions: createSender('new'),
    sendToLiveVersions: createSender('live'),
    logger: deps.logger,
  });
}
