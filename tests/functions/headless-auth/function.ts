/** The sign-in function as Lambda would call it, in this process, with its environment set. */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import type { ParsedBody } from '../../../lib/http/parse-json.ts';
import { buildLambdaEnvironment } from '../../../sandbox/aws/build-lambda-environment.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { createStackSecrets } from '../../../sandbox/local/create-stack-secrets.ts';
import { context, httpEvent } from '../../http-event.ts';

export const SECRETS_PREFIX = 'subscriptions/test';

type Options = { dynamoDbUrl: string; tableName: string; platformOrigin: string };
type Body = Record<string, unknown>;

/** Once a test file: the module reads its environment when it is loaded. */
export async function loadFunction({ dynamoDbUrl, tableName, platformOrigin }: Options) {
  const secretsServer = await startSecretsManagerEmulator({ path: undefined, now: Date.now });
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(secretsServer.url));
  await createStackSecrets(secretsManager, SECRETS_PREFIX);
  Object.assign(process.env, {
    ...buildLambdaEnvironment({ name: 'headless-auth', memoryMb: 512 }),
    TABLE_NAME: tableName,
    SECRETS_PREFIX,
    PLATFORM_ORIGIN: platformOrigin,
    ALLOWED_ORIGINS: 'https://app.example',
    LOG_LEVEL: 'ERROR',
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsServer.url,
  });
  const { handler } = await import('../../../functions/headless-auth/handler.ts');
  const invoke = handler as unknown as (
    event: HttpEvent<ParsedBody>,
    context: unknown,
  ) => Promise<HttpResult>;

  async function call(step: string, body: unknown, more: Parameters<typeof httpEvent>[0] = {}) {
    const event = httpEvent({
      method: step === 'revoke' ? 'DELETE' : 'POST',
      path: `/headless-auth/${step}`,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...more,
    });
    const { statusCode, headers, body: text } = await invoke(event as HttpEvent<ParsedBody>, context);
    const json = text ? (JSON.parse(text) as Body) : {};
    return {
      status: statusCode,
      headers: headers ?? {},
      json,
      code: (json.error as { code?: string })?.code,
    };
  }

  return {
    call,
    secretsManager,
    close: async () => {
      secretsManager.destroy();
      await secretsServer.close();
    },
  };
}
