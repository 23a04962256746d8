import { type AdminKeyRecord, keyNetworksOf, keyScopesOf } from '../../../lib/storage/admin-key-record.ts';
import { listAdminKeys } from '../../../lib/stores/admin-keys/list-admin-keys.ts';
import {
  OVERLAP_SECONDS,
  type RotateKeyRequest,
  rotateAdminKey,
} from '../../../lib/stores/admin-keys/rotate-admin-key.ts';
import {
  type CommandDefinition,
  type Options,
  type Run,
  requiredArgument,
  textOption,
} from '../../command.ts';
import { findStore } from '../../find-store.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Outcome } from '../../outcome.ts';
import { describeIssuedKey, requireBaseUrl } from './issued-lines.ts';
import { readCreatorName } from './key-issue.ts';
import { type KeyLimits, limitOptions, limitText, readLimits } from './key-limits.ts';
import { readKeyId } from './read-key-id.ts';

const AS_BEFORE_TEXTS = { scopes: "the old key's", networks: "the old key's", end: "the old key's" };

export const keyRotate: CommandDefinition = {
  group: 'key',
  usage: 'rotate <store> <keyId>',
  summary: 'Issue the successor of a key. The old key works for a while after the new one is claimed.',
  options: {
    '--overlap <time>':
      'how long the old key works once the new one is claimed: 0, 1h, 24h or 7d (default: 24h)',
    '--leaked': 'the key has leaked: revoke it immediately',
    '--by <name>': 'who issues the key; the merchant sees this name (default: your user name)',
    ...limitOptions(AS_BEFORE_TEXTS),
    '--base-url <url>': "the service's address, if the environment has no domain",
  },
  examples: [
    'key rotate harbor-coffee.myshopify.com key_0123456789ab --env prod --overlap 7d',
    'key rotate harbor-coffee.myshopify.com key_0123456789ab --env prod --leaked',
  ],
  run: rotateKey,
};

async function rotateKey(run: Run): Promise<Outcome> {
  const { operator, options } = run;
  const store = await findStore(operator, requiredArgument(run, 0));
  const keyId = readKeyId(run);
  const baseUrl = requireBaseUrl(run);
  const overlap = readOverlap(options);
  const isLeaked = overlap === 'leaked';
  if (isLeaked) await run.confirm(`${keyId} will be refused from the next request on. Replace it as leaked?`);
  const limits = readLimits(run);
  const request: RotateKeyRequest = {
    shopId: store.shopId,
    keyId,
    createdBy: readCreatorName(options),
    overlap,
    ...limits,
  };
  const how = isLeaked ? 'revoking it immediately' : `overlap ${overlap}`;
  const before = limitsBefore((await listAdminKeys(operator, store.shopId)).keys, keyId);
  const message = `Would replace ${keyId} of ${store.domain}, ${how}. ${limitText({ ...before, ...limits }, AS_BEFORE_TEXTS)}`;
  return run.change(message, async () => {
    const issued = await rotateAdminKey(operator, request);
    const fields = { shopId: store.shopId, keyId, successor: issued.keyId };
    operator.logger.info(isLeaked ? 'key.leaked' : 'key.rotated', fields);
    const note = isLeaked
      ? `${keyId} is refused from now on.`
      : `${keyId} works until ${overlap === '0' ? 'the moment' : `${overlap} after`} the new key is claimed.`;
    return describeIssuedKey(baseUrl, issued, ['', note]);
  });
}

/** Returns the limits that the successor inherits, or none for an unknown key, which rotating refuses. */
function limitsBefore(keys: readonly AdminKeyRecord[], keyId: string): KeyLimits {
  const old = keys.find(({ id }) => id === keyId);
  if (old === undefined) return {};
  return { scopes: keyScopesOf(old), networks: keyNetworksOf(old) ?? [], notAfter: old.notAfter ?? 'never' };
}

function readOverlap(options: Options): RotateKeyRequest['overlap'] {
  const text = textOption(options, 'overlap');
  if (options.leaked === true) {
    if (text === undefined) return 'leaked';
    throw new OperatorError('A leaked key is revoked immediately. Use --leaked without --overlap.', 2);
  }
  if (text === undefined) return '24h';
  if (Object.hasOwn(OVERLAP_SECONDS, text)) return text as keyof typeof OVERLAP_SECONDS;
  throw new OperatorError(`--overlap must be one of ${Object.keys(OVERLAP_SECONDS).join(', ')}.`, 2);
}
