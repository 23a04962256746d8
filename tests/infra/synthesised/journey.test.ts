/** Runs the whole journey on the synthesised production template, so that the tested code is the deployed code. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ROUTED_FUNCTION_NAMES,
  SCHEDULED_FUNCTION_NAMES,
} from '../../../infra/definition/function-definitions.ts';
import type { Item } from '../../../lib/storage/table.ts';
import { rightsByTests, usedAtTimes } from '../../rights/rights-by-tests.ts';
import { putSmokeStore, readTable } from './as-operator.ts';
import { matches } from './recording-proxy.ts';
import { hostFunction } from './runtime-host.ts';
import { type RunningTemplate, type Synthesised, startTemplate } from './start-template.ts';
import { synthesiseEnvironment } from './synthesise.ts';
import { uncalledRights } from './uncalled-rights.ts';
import { firstStore, runUseCase, useCases } from './use-cases.ts';

/** The nightly run reads every contract. */
const CONTRACTS = 20;

let synthesised: Synthesised;
let running: RunningTemplate;
beforeAll(async () => {
  synthesised = await synthesiseEnvironment('prod');
  running = await startTemplate(synthesised, '', { contracts: CONTRACTS });
});
afterAll(async () => {
  await running?.close();
  if (synthesised) rmSync(synthesised.dir, { recursive: true });
});

const refused = () => running.calls.filter(({ allowed }) => !allowed);

test('every function answers its first request, from its own folder and with its temporary one alone', () => {
  expect(running.functions.map(({ functionName }) => functionName).sort()).toEqual([
    'subscriptions-prod-admin-graphql',
    'subscriptions-prod-billing',
    'subscriptions-prod-customer-graphql',
    'subscriptions-prod-headless-auth',
    'subscriptions-prod-platform-webhooks',
    'subscriptions-prod-scheduled-work',
    'subscriptions-prod-smoke-test',
    'subscriptions-prod-store-events',
    'subscriptions-prod-webhook-deliveries',
  ]);
  for (const { functionName, initMs } of running.functions) {
    if (process.env.SHOW_COLD_STARTS) console.log(functionName, Math.round(initMs), 'ms');
    expect(initMs).toBeGreaterThan(0);
  }
});

test.each(useCases.map((one) => [one.title, one] as const))('%s', async (_title, one) => {
  await runUseCase(running, one);
});

test('says that it is there, and in which version', async () => {
  const answer = await fetch(`${running.baseUrl}/healthz`);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await answer.json()).toEqual({ status: 'ok', version });
});

test('allows no page of a store that has entered none', async () => {
  const { shop } = firstStore(running);
  for (const path of ['/headless-auth/start', '/api/storefront/unstable/graphql.json']) {
    const headers = { origin: 'https://shop.example.com' };
    const answer = await fetch(`${running.baseUrl}${path}?shop=${shop}`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST']);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  }
});

test('has no page for developers, and answers unknown addresses itself', async () => {
  for (const path of ['/api/admin/unstable/graphiql', '/nothing']) {
    const answer = await fetch(running.baseUrl + path);
    expect([answer.status, await answer.json()]).toEqual([404, { error: expect.any(Object) }]);
  }
});

describe('the smoke test of a deploy', () => {
  const name = (one: string) => `subscriptions-prod-${one}`;
  const answers = (statusCode: number, body: object) => async () => ({
    statusCode,
    body: JSON.stringify(body),
  });
  const event = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' };
  afterEach(() => running.deploy.replaced.clear());

  /** Runs the smoke test, and returns the statuses for CodeDeploy and the output. */
  async function tryVersions() {
    const hook = running.functions.find(({ functionName }) => functionName.endsWith('-smoke-test'));
    const before = hook?.output().length ?? 0;
    const { length } = running.deploy.statuses;
    await running.runHook(event);
    const values = running.deploy.statuses.slice(length);
    expect(values).toMatchObject([{ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1' }]);
    return { status: values[0]?.status, log: hook?.output().slice(before) ?? '' };
  }

  test('passes without a store to try with, and rings', async () => {
    const { status, log } = await tryVersions();
    expect([status, log]).toEqual(['Succeeded', expect.stringContaining('"alarm":"smoke_test_undecided"')]);
  });

  describe('with a store', () => {
    beforeAll(async () => {
      const { shop, adminKey } = firstStore(running);
      await putSmokeStore(running, { shop, adminKey });
    });

    test('lets good versions pass, and tries all that it has', async () => {
      const { status, log } = await tryVersions();
      expect([status, log]).toEqual(['Succeeded', expect.not.stringContaining('"alarm"')]);
      expect(log.match(/smoke_check\.passed/g)).toHaveLength(7);
      expect(log).not.toContain(firstStore(running).adminKey);
    });

    test.each(ROUTED_FUNCTION_NAMES)('stops a version of %s whose bundle cannot be loaded', async (one) => {
      const taskRoot = mkdtempSync(join(tmpdir(), 'broken-'));
      writeFileSync(join(taskRoot, 'index.mjs'), "import 'a-module-that-is-not-there';");
      const version = { taskRoot, arn: name(one), handler: 'index.handler', memoryMb: 256 };
      const options = { ...version, timeoutSeconds: 5, environment: {}, temporaryDir: taskRoot };
      running.deploy.replaced.set(name(one), () => hostFunction(options));
      expect((await tryVersions()).status).toBe('Failed');
      rmSync(taskRoot, { recursive: true });
    });

    test.each<[string, string, () => Promise<unknown>]>([
      ['headless-auth', 'fails', answers(500, { error: { code: 'INTERNAL_ERROR' } })],
      ['headless-auth', 'has lost its routes', answers(404, { error: { code: 'NOT_FOUND' } })],
      ['headless-auth', 'lets anybody in', answers(200, { accessToken: 'SVC' })],
      ['customer-graphql', 'does not look at tokens', answers(200, { data: { __typename: 'QueryRoot' } })],
      [
        'admin-graphql',
        'knows no key',
        answers(401, { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }),
      ],
      ['admin-graphql', 'answers nothing', async () => undefined],
    ])('stops a version of %s that %s', async (one, _what, run) => {
      running.deploy.replaced.set(name(one), run);
      expect((await tryVersions()).status).toBe('Failed');
    });

    test('blames no version for a key that is no good to the live one either, and rings', async () => {
      const { shop } = firstStore(running);
      await putSmokeStore(running, { shop, adminKey: 'SVC_AT_none' });
      const { status, log } = await tryVersions();
      expect([status, log]).toEqual(['Succeeded', expect.stringContaining('"alarm":"smoke_test_undecided"')]);
    });
  });
});

describe('the rights of the functions', () => {
  test('allow all that was called', () => {
    expect(refused()).toEqual([]);
  });

  test('allow nothing that was never called, but for what has a reason', () => {
    const withoutReason = uncalled().filter(
      ({ functionName, action }) =>
        !uncalledRights.some((one) => one.action.test(action) && one.of.test(functionName)),
    );
    // Several tests may use one right.
    const testRights = [...new Set(Object.values(rightsByTests).flat())];
    expect(testRights).toEqual(expect.arrayContaining([...usedAtTimes]));
    const always = (names: readonly string[]) => names.filter((name) => !usedAtTimes.includes(name)).sort();
    const [uncalledNames, testNames] = [always(withoutReason.map(nameOf)), always(testRights)];
    const onlyIn = (names: readonly string[], others: readonly string[]) =>
      names.filter((name) => !others.includes(name));
    expect({
      [UNCALLED]: onlyIn(uncalledNames, testNames),
      [CALLED]: onlyIn(testNames, uncalledNames),
    }).toEqual({
      [UNCALLED]: [],
      [CALLED]: [],
    });
  });

  test('each reason for an uncalled right is needed, and each test that checks rights exists', () => {
    for (const { action, of, reason } of uncalledRights) {
      const needed = uncalled().some((right) => of.test(right.functionName) && action.test(right.action));
      expect([reason, needed]).toEqual([reason, true]);
    }
    for (const file of Object.keys(rightsByTests))
      expect(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')).toMatch(
        /\n(?:if \(!isInterleaved\) )?holdsRights\(\);\n/,
      );
  });

  function uncalled() {
    return running.functions.flatMap(({ functionName, statements }) =>
      statements
        .flatMap(({ actions, resources, leadingKeys = [undefined] }) =>
          actions.flatMap((action) =>
            resources.flatMap((resource) =>
              leadingKeys.map((keys) => ({ functionName, action, resource, keys })),
            ),
          ),
        )
        .filter((right) => !isCalled(right)),
    );
  }

  function isCalled(right: Right): boolean {
    return running.calls.some(
      ({ functionName, action, resource, leadingKeys = [] }) =>
        functionName === right.functionName &&
        action === right.action &&
        matches(right.resource, resource, '') &&
        (right.keys === undefined || leadingKeys.some((key) => matches(right.keys ?? '', key, ''))),
    );
  }
});

/** What to do about rights that the journey and the table of other tests disagree on. A failure shows it. */
const UNCALLED =
  'The journey uses none of these rights. Remove them from infra/definition/rights.ts, or enter each in tests/rights/rights-by-tests.ts under a test file that uses it and calls holdsRights().';
const CALLED = 'The journey uses these rights. Remove them from tests/rights/rights-by-tests.ts.';

/** For example `customer-graphql PutItem COOLDOWN`. */
function nameOf({ functionName, action, resource, keys }: Right): string {
  const resourceName = keys?.replace('#*', '') ?? resource;
  return `${functionName.replace('subscriptions-prod-', '')} ${action.split(':')[1]} ${resourceName}`;
}

/** `keys`: a family of partition keys, as a pattern. */
type Right = {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  readonly keys: string | undefined;
};

test('every item carries the number of its store, by which a purge finds it', async () => {
  const items = await readTable(running);
  const seen = new Set(items.map(({ pk }) => pk.split('#', 1)[0]));
  expect([...seen]).toEqual(expect.arrayContaining(['GRANT', 'KEYS', 'LINK', 'ENDPOINT', 'DELIVERY']));
  const without = items.filter(({ shopId }) => !Number.isInteger(shopId));
  // The progress of the work for all stores.
  const ofAll = ({ pk, sk }: Item) => sk === 'OLDEST' || pk === 'COMPLIANCE#SWEEP';
  expect(without.filter((item) => !ofAll(item)).map(({ pk, sk }) => `${pk} / ${sk}`)).toEqual([]);
});

test('the lines of the log carry metrics of this environment, and no secret', () => {
  for (const { functionName, output } of running.functions) {
    const lines = output()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ message }) => message === 'request');
    for (const { traceId } of requests) expect(traceId).toMatch(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/);
    const counted = lines.filter(({ _aws }) => _aws !== undefined);
    if (!SCHEDULED_FUNCTION_NAMES.some((name) => functionName.endsWith(name)))
      expect(counted.length).toBeGreaterThan(0);
    for (const { _aws } of counted) {
      for (const { Namespace } of _aws.CloudWatchMetrics) expect(Namespace).toBe('subscriptions/prod');
    }
    // The reason of a refusal names the prefix of a token.
    expect(output()).not.toMatch(/SVC_(AT|CT|RT)_[\w-]|shp[a-z]{2}_|"eyJ/);
  }
});
