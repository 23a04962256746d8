import * as z from 'zod/mini';
import type { Logger } from '../../lib/observability/logger.ts';
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { SmokeStore } from './smoke-checks.ts';

type Deps = {
  readonly secrets: Pick<Secrets, 'read'>;
  readonly secretsPrefix: string;
  readonly logger: Pick<Logger, 'warn'>;
};

const nonEmptyText = z.string().check(z.minLength(1));
const smokeSecretSchema = z.object({ shop: nonEmptyText, adminKey: nonEmptyText });

/**
 * Reads the store that is used for smoke tests from the secret `smoke` (docs/deploying.md).
 * @returns undefined, with an alarm, when the secret is missing or malformed; the checks that need a store are then
 * left out
 */
export async function readSmokeStore({
  secrets,
  secretsPrefix,
  logger,
}: Deps): Promise<SmokeStore | undefined> {
  const secret = await secrets.read(`${secretsPrefix}/smoke`);
  const parseResult = smokeSecretSchema.safeParse(secret?.json);
  if (parseResult.success) return parseResult.data;
  const problem = secret === undefined ? 'there is no secret' : 'the secret has no shop and adminKey';
  logger.warn('smoke_test.store_checks_skipped', { what: problem, alarm: 'smoke_test_undecided' });
  return undefined;
}
