/** The operators' policy in front of the emulators: rejects calls without a right, and records the used rights. */
import { listOperatorRights, type OperatorRight } from '../../infra/definition/operator-rights.ts';
import { formatOperatorsLogGroup } from '../../infra/definition/operators-log-group.ts';
import { startRecordingProxy } from '../infra/synthesised/recording-proxy.ts';
import { ACCOUNT, REGION } from '../infra/synthesised/resolve-intrinsics.ts';

type Backends = Readonly<
  Record<'dynamoDbUrl' | 'secretsManagerUrl' | 'logsUrl' | 'tableName' | 'secretsPrefix', string>
>;

/** Starts a proxy for each service except STS, which returns the identity of every caller. */
export async function startRightsProxies(backends: Backends) {
  const { tableName, secretsPrefix } = backends;
  const names = { account: ACCOUNT, region: REGION, tableName, secretsPrefix };
  const rights = listOperatorRights({ ...names, traceGroup: formatOperatorsLogGroup('local') });
  const used = new Set<string>();
  const refused: string[] = [];
  const start = (service: 'dynamodb' | 'secretsmanager' | 'logs', backendUrl: string) =>
    startRecordingProxy({
      ...{ service, backendUrl, statements: rights.filter(isAllowing).map(toStatement) },
      onCall({ action, resource }, allowed) {
        if (allowed) used.add(action);
        else refused.push(`${action} on ${resource}`);
      },
    });
  const proxies = await Promise.all([
    start('dynamodb', backends.dynamoDbUrl),
    start('secretsmanager', backends.secretsManagerUrl),
    start('logs', backends.logsUrl),
  ]);
  const [dynamoDb, secretsManager, logs] = proxies;
  return {
    rights,
    /** Actions that a command has called. */
    used: (): ReadonlySet<string> => used,
    refused: (): readonly string[] => refused,
    urls: { dynamoDbUrl: dynamoDb.url, secretsManagerUrl: secretsManager.url, logsUrl: logs.url },
    close: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
  };
}

const isAllowing = ({ Effect }: OperatorRight) => Effect === 'Allow';

function toStatement({ Action, Resource }: OperatorRight) {
  return { actions: Action, resources: [Resource].flat() };
}
