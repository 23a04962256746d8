/** Rotates the ring of token keys while customers refresh, as the operator's command does. */
import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseRingEntries } from '../../lib/credentials/key-ring.ts';
import {
  chooseRotationStep,
  RotationRefused,
  readTokenKeys,
  rotateTokenKeys,
} from '../../lib/credentials/rotate-token-keys.ts';
import { createSdkSecretsClient } from '../../lib/storage/sdk-client/sdk-secrets.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import type { SoakWorld } from './soak-world.ts';

export type RingRotation = { step(): Promise<void>; close(): void };

export function createRingRotation(world: SoakWorld): RingRotation {
  const { stack, ledger, secrets: seen, now } = world;
  const client = new SecretsManagerClient(emulatorClientSettings(stack.secretsManagerUrl));
  const secrets = createSdkSecretsClient({ client });
  const refuseKeys = async () => undefined;
  const deps = { secrets, secretsPrefix: stack.secretsPrefix, now, random: randomBytes, refuseKeys };
  return {
    /** The next step, if the clock allows it. */
    async step() {
      const step = chooseRotationStep(await readTokenKeys(deps), now());
      try {
        await rotateTokenKeys(deps, step);
        ledger.count(`ring: ${step}`);
      } catch (error) {
        if (!(error instanceof RotationRefused)) throw error;
      }
      const ring = await secrets.read(`${stack.secretsPrefix}/token-keys`);
      if (ring === undefined) throw new Error('The ring of token keys is gone.');
      const { seed = '' } = ring.json as { seed?: string };
      seen.add(...parseRingEntries(ring.json).map((entry) => entry.secret), seed);
    },
    close: () => client.destroy(),
  };
}
