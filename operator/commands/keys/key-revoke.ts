import { revokeAdminKey } from '../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { type CommandDefinition, requireArgument } from '../../command.ts';
import { requireStore } from '../../find-store.ts';
import { parseKeyIdArgument } from './parse-key-id-argument.ts';

export const keyRevokeCommand: CommandDefinition = {
  group: 'key',
  usage: 'revoke <store> <keyId>',
  summary: 'Revoke a key. The next request with it is refused.',
  examples: ['key revoke harbor-coffee.myshopify.com key_0123456789ab --env prod'],
  async run(run) {
    const store = await requireStore(run.operator, requireArgument(run, 0));
    const keyId = parseKeyIdArgument(run);
    await run.confirm(`Servers of ${store.domain} that use ${keyId} will be refused. Revoke it?`);
    return run.change(`Would revoke ${keyId} of ${store.domain}.`, async () => {
      const revocationOutcome = await revokeAdminKey(run.operator, { shopId: store.shopId, keyId });
      run.operator.logger.info('key.revoked', { shopId: store.shopId, keyId });
      return {
        json: { keyId, outcome: revocationOutcome },
        lines: [`${keyId} ${revocationOutcome === 'revoked' ? 'is' : 'was already'} revoked.`],
      };
    });
  },
};
