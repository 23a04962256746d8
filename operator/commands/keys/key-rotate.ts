import {
  type AdminKeyRecord,
  adminKeyNetworks,
  adminKeyScopes,
} from '../../../lib/storage/admin-key-record.ts';
import { listAdminKeys } from '../../../lib/stores/admin-keys/list-admin-keys.ts';
import {
  OVERLAP_SECONDS_BY_OPTION,
  type RotateKeyRequest,
  rotateAdminKey,
} from '../../../lib/stores/admin-keys/rotate-admin-key.ts';
import {
  type CommandDefinition,
  type CommandOptions,
  type CommandRun,
  findTextOption,
  requireArgument,
} from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { describeIssuedKey, requireBaseUrl } from './describe-issued-key.ts';
import { parseCreatorName } from './key-issue.ts';
import { createLimitOptions, formatLimits, type KeyLimits, parseKeyLimits } from './key-limits.ts';
import { parseKeyIdArgument } from './parse-key-id-argument.ts';

const OLD_KEY_LIMIT_TEXTS = { scopes: "the old key's", networks: "the old key's", expiry: "the old key's" };

export const keyRotateCommand: CommandDefinition = {
  group: 'key',
  usage: 'rotate <store> <keyId>',
  summary: 'Issue the successor of a key. The old key works for a while after the new one is claimed.',
  options: {
    '--overlap <time>':
      'how long the old key works once the new one is claimed: 0, 1h, 24h or 7d (default: 24h)',
    '--leaked': 'the key has leaked: revoke it immediately',
    '--by <name>': 'who issues the key; the merchant sees this name (default: your user name)',
    ...createLimitOptions(OLD_KEY_LIMIT_TEXTS),
    '--base-url <url>': "the service's address, if the environment has no domain",
  },
  examples: [
    'key rotate harbor-coffee.myshopify.com key_0123456789ab --env prod --overlap 7d',
    'key rotate harbor-coffee.myshopify.com key_0123456789ab --env prod --leaked',
  ],
  run: runRotateAdminKey,
};

async function runRotateAdminKey(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  const keyId = parseKeyIdArgument(run);
  const baseUrl = requireBaseUrl(run);
  const requestedOverlap = parseOverlap(options);
  const isLeaked = requestedOverlap === 'leaked';
  if (isLeaked) await run.confirm(`${keyId} will be refused from the next request on. Replace it as leaked?`);
  const keyLimits = parseKeyLimits(run);
  const request: RotateKeyRequest = {
    shopId: store.shopId,
    keyId,
    createdBy: parseCreatorName(options),
    overlap: requestedOverlap,
    ...keyLimits,
  };
  const overlapText = isLeaked ? 'revoking it immediately' : `overlap ${requestedOverlap}`;
  const oldKeyLimits = limitsOfOldKey((await listAdminKeys(operator, store.shopId)).keys, keyId);
  const message = `Would replace ${keyId} of ${store.domain}, ${overlapText}. ${formatLimits({ ...oldKeyLimits, ...keyLimits }, OLD_KEY_LIMIT_TEXTS)}`;
  return run.change(message, async () => {
    const issuedKey = await rotateAdminKey(operator, request);
    const logFields = { shopId: store.shopId, keyId, successor: issuedKey.keyId };
    operator.logger.info(isLeaked ? 'key.leaked' : 'key.rotated', logFields);
    const note = isLeaked
      ? `${keyId} is refused from now on.`
      : `${keyId} works until ${requestedOverlap === '0' ? 'the moment' : `${requestedOverlap} after`} the new key is claimed.`;
    return describeIssuedKey(baseUrl, issuedKey, ['', note]);
  });
}

/** Returns the limits that the successor inherits, or none for an unknown key, which rotating refuses. */
function limitsOfOldKey(keys: readonly AdminKeyRecord[], keyId: string): KeyLimits {
  const rotatedKey = keys.find(({ id }) => id === keyId);
  if (rotatedKey === undefined) return {};
  return {
    scopes: adminKeyScopes(rotatedKey),
    networks: adminKeyNetworks(rotatedKey) ?? [],
    notAfter: rotatedKey.notAfter ?? 'never',
  };
}

function parseOverlap(options: CommandOptions): RotateKeyRequest['overlap'] {
  const overlapOption = findTextOption(options, 'overlap');
  if (options.leaked === true) {
    if (overlapOption === undefined) return 'leaked';
    throw new OperatorError('A leaked key is revoked immediately. Use --leaked without --overlap.', 2);
  }
  if (overlapOption === undefined) return '24h';
  if (Object.hasOwn(OVERLAP_SECONDS_BY_OPTION, overlapOption))
    return overlapOption as keyof typeof OVERLAP_SECONDS_BY_OPTION;
  throw new OperatorError(
    `--overlap must be one of ${Object.keys(OVERLAP_SECONDS_BY_OPTION).join(', ')}.`,
    2,
  );
}
