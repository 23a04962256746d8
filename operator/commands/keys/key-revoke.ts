import { revokeAdminKey } from '../../../lib/stores/admin-keys/revoke-admin-key.ts';
import { type CommandDefinition, requiredArgument } from '../../command.ts';
import { findStore } from '../../find-store.ts';
import { readKeyId } from './read-key-id.ts';

export const keyRevoke: CommandDefinition = {
  group: 'key',
  usage: 'revoke <store> <keyId>',
  summary: 'Revoke a key. The next request with it is refused.',
  examples: ['key revoke harbor-coffee.myshopify.com key_0123456789ab --env prod'],
  async run(run) {
    const store = await findStore(run.operator, requiredArgument(run, 0));
    const keyId = readKeyId(run);
    await run.confirm(`Servers of ${store.domain} that use ${keyId} will be refused. Revoke it?`);
    return run.change(`Would revoke ${keyId} of ${store.domain}.`, async () => {
      const outcome = await revokeAdminKey(run.operator, { shopId: store.shopId, keyId });
      run.operator.logger.info('key.revoked', { shopId: store.shopId, keyId });
      return {
        json: { keyId, outcome },
        lines: [`${keyId} ${outcome === 'revoked' ? 'is' : 'was already'} revoked.`],
      };
    });
  },
};
