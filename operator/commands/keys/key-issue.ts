import { userInfo } from 'node:os';
import { TooManyLiveKeys } from '../../../lib/stores/admin-keys/check-live-key-limit.ts';
import {
  type IssuedAdminKey,
  type IssueKeyRequest,
  issueAdminKey,
} from '../../../lib/stores/admin-keys/issue-admin-key.ts';
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
import { createLimitOptions, formatLimits, parseKeyLimits } from './key-limits.ts';

const DEFAULT_LIMIT_TEXTS = { scopes: 'READ,WRITE', networks: 'any', expiry: 'never' };

export const keyIssueCommand: CommandDefinition = {
  group: 'key',
  usage: 'issue <store>',
  summary:
    'Issue an admin key and print the one-time link to it. Without limits the key reads, changes and charges the whole store.',
  options: {
    '--label <label>': 'short name: logs and the timeline show it',
    '--use <words>': 'purpose of the key, for people',
    '--by <name>': 'who issues the key; the merchant sees this name (default: your user name)',
    ...createLimitOptions(DEFAULT_LIMIT_TEXTS),
    '--void-unclaimed': 'first revoke the unclaimed keys',
    '--base-url <url>': "the service's address, if the environment has no domain",
  },
  examples: [
    'key issue harbor-coffee.myshopify.com --env dev --label "Back office" --use "nightly sync"',
    'key issue 81234567001 --env prod --label Helpdesk --use "agents read subscriptions" --scopes READ --networks 203.0.113.0/24 --expires-in-days 365',
  ],
  run: issueKey,
};

async function issueKey(run: CommandRun): Promise<CommandOutcome> {
  const { operator, options } = run;
  const store = await requireStore(operator, requireArgument(run, 0));
  const baseUrl = requireBaseUrl(run);
  const keyLabel = findTextOption(options, 'label');
  const intendedUse = findTextOption(options, 'use');
  if (keyLabel === undefined || intendedUse === undefined)
    throw new OperatorError('Add --label and --use, which identify the key later.', 2);
  const keyLimits = parseKeyLimits(run);
  const { notAfter } = keyLimits;
  const keyFacts = {
    shopId: store.shopId,
    label: keyLabel,
    intendedUse,
    createdBy: parseCreatorName(options),
    ...keyLimits,
    notAfter: notAfter === 'never' ? undefined : notAfter,
  };
  const message = `Would issue a key “${keyLabel}” for ${store.domain}. ${formatLimits(keyLimits, DEFAULT_LIMIT_TEXTS)}`;
  return run.change(message, async () => {
    const issuedKey = await issueKeyOrOfferRevocation(run, {
      ...keyFacts,
      revokesUnclaimedKeys: options.voidUnclaimed === true,
    });
    operator.logger.info('key.issued', {
      shopId: store.shopId,
      keyId: issuedKey.keyId,
      by: keyFacts.createdBy,
    });
    return describeIssuedKey(baseUrl, issuedKey, []);
  });
}

/** Issues the key. If the store has too many live keys, offers to revoke the unclaimed keys first. */
function issueKeyOrOfferRevocation(run: CommandRun, request: IssueKeyRequest): Promise<IssuedAdminKey> {
  return issueAdminKey(run.operator, request).catch(async (error: unknown) => {
    if (!(error instanceof TooManyLiveKeys) || error.unclaimedKeys.length === 0) throw error;
    if (run.isDryRun || !run.terminal.isInteractive)
      throw new OperatorError(`${error.message} (--void-unclaimed)`);
    const unclaimedNames = error.unclaimedKeys.map((key) => `“${key.label}”`).join(', ');
    await run.confirm(`The store has five live keys. Revoke the unclaimed ones: ${unclaimedNames}?`);
    return issueAdminKey(run.operator, { ...request, revokesUnclaimedKeys: true });
  });
}

/** Returns the name of the person who issued the key; the merchant sees it. */
export function parseCreatorName(options: CommandOptions): string {
  return findTextOption(options, 'by') ?? userInfo().username;
}
