import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseKeyRing } from '../../../lib/credentials/key-ring.ts';
import {
  chooseRotationStep,
  readTokenKeys,
  rotateTokenKeys,
} from '../../../lib/credentials/rotate-token-keys.ts';
import { crashEverywhere } from '../stores/world/faults.ts';
import { createWorld, type World } from '../stores/world/world.ts';

const DAY = 24 * 3600_000;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A ring as the stack makes it, under a prefix of its own. */
async function ring() {
  const refused: string[] = [];
  const refuseKeys = async (kids: readonly string[]) => void refused.push(...kids, await signing());
  const secretsPrefix = `test/${randomBytes(4).toString('hex')}`;
  const deps = { ...world.container(), secretsPrefix, refuseKeys };
  const name = `${deps.secretsPrefix}/token-keys`;
  await deps.secrets.addPending(name, { seed: 'made once by the stack, never again' });
  const signing = async () => parseKeyRing((await deps.secrets.read(name))?.json).signingKey.kid;
  return { deps, name, signing, refused };
}

describe('the ring of token keys', () => {
  test('publish, sign and retire, each no sooner than is safe', async () => {
    const { deps, signing } = await ring();
    expect(await signing()).toBe('0');
    await expect(rotateTokenKeys(deps, 'sign')).rejects.toThrow('the first step is publish');
    const [, published] = await rotateTokenKeys(deps, 'publish');
    await expect(rotateTokenKeys(deps, 'publish')).rejects.toThrow('the next step is sign');
    world.advance(14 * 60_000);
    await expect(rotateTokenKeys(deps, 'sign')).rejects.toThrow('It may sign from');
    expect(await signing()).toBe('0');
    world.advance(60_000);
    await rotateTokenKeys(deps, 'sign');
    expect(await signing()).toBe(published?.kid);
    await expect(rotateTokenKeys(deps, 'retire')).rejects.toThrow('may be retired from');
    world.advance(366 * DAY);
    expect(chooseRotationStep(await readTokenKeys(deps), world.now())).toBe('retire');
    expect(await rotateTokenKeys(deps, 'retire')).toEqual([expect.objectContaining({ kid: published?.kid })]);
    await expect(rotateTokenKeys(deps, 'retire')).rejects.toThrow('nothing to retire');
  });

  test('a leaked key is replaced at once, and nothing of the old ring stays', async () => {
    const { deps, refused } = await ring();
    const [, published] = await rotateTokenKeys(deps, 'publish');
    expect(refused).toEqual([]);
    const keys = await rotateTokenKeys(deps, 'leaked');
    expect(keys).toEqual([expect.objectContaining({ use: 'sign' })]);
    expect(keys[0]?.kid).not.toBe('0');
    // All of them were refused while the ring still signed with the old one.
    expect(refused).toEqual(['0', published?.kid, '0']);
  });

  test('refuses one of two concurrent operators, and publishes one key', async () => {
    const { deps } = await ring();
    const both = await Promise.allSettled([
      rotateTokenKeys(deps, 'publish'),
      rotateTokenKeys(deps, 'publish'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await readTokenKeys(deps)).toHaveLength(2);
  });

  test('a crash at any step leaves a ring that signs, and the step can be made again', async () => {
    let current: Awaited<ReturnType<typeof ring>>;
    const points = await crashEverywhere(
      async (plan) => {
        current = await ring();
        const dying = world.container();
        dying.faults.plan = plan;
        return rotateTokenKeys(
          { ...current.deps, ...dying, secretsPrefix: current.deps.secretsPrefix },
          'publish',
        );
      },
      async () => {
        expect(await current.signing()).toBe('0');
        await rotateTokenKeys(current.deps, 'publish').catch(() => undefined);
        expect(await readTokenKeys(current.deps)).toHaveLength(2);
      },
    );
    expect(points).toBeGreaterThan(4);
  });

  test('returns no secret of the ring', async () => {
    const { deps } = await ring();
    expect(JSON.stringify(await rotateTokenKeys(deps, 'publish'))).not.toContain('secret');
  });
});
