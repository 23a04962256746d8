/**
 * Decides by the checks whether new versions are good. If a failure may have a cause outside the service (the platform
 * is down, the key was revoked), the same check runs on the live versions. If they fail, too, the new versions are not
 * the cause and may be deployed, so that a rollback stays possible during an outage of the platform.
 */
import type { Logger } from '../../lib/observability/logger.ts';
import { type SendToVersions, type SmokeCheck, SmokeCheckError } from './smoke-checks.ts';

export type DeploymentVerdict = 'Succeeded' | 'Failed';
export type VerifyDeps = {
  readonly checks: readonly SmokeCheck[];
  readonly sendToNewVersions: SendToVersions;
  readonly sendToLiveVersions: SendToVersions;
  readonly logger: Pick<Logger, 'info' | 'error' | 'warn'>;
};

/** Returns `Failed` at the first check that fails because of the new versions, else `Succeeded`. */
export async function verifyVersions(deps: VerifyDeps): Promise<DeploymentVerdict> {
  for (const check of deps.checks) {
    if (!(await passesInNewVersion(deps, check))) return 'Failed';
  }
  return 'Succeeded';
}

async function passesInNewVersion(
  { sendToNewVersions, sendToLiveVersions, logger }: VerifyDeps,
  check: SmokeCheck,
): Promise<boolean> {
  const checkFailure = await findCheckFailure(check, sendToNewVersions);
  const logFields = { check: check.name, what: checkFailure?.message };
  if (checkFailure === undefined) {
    logger.info('smoke_check.passed', logFields);
    return true;
  }
  if (!checkFailure.isServiceFault && (await findCheckFailure(check, sendToLiveVersions)) !== undefined) {
    logger.warn('smoke_check.live_version_failed', { ...logFields, alarm: 'smoke_test_undecided' });
    return true;
  }
  logger.error('smoke_check.new_version_failed', logFields);
  return false;
}

async function findCheckFailure(
  { run }: SmokeCheck,
  send: SendToVersions,
): Promise<SmokeCheckError | undefined> {
  try {
    await run(send);
    return undefined;
  } catch (error) {
    if (error instanceof SmokeCheckError) return error;
    throw error;
  }
}
