/**
 * The parts of a template that the test of the synthesised stack needs, read only from the template, without infra's
 * own lists.
 */
import type { RouteTable } from '../../../sandbox/local/gateway/match-route.ts';
import type { Resources, TemplateResource } from './resolve-intrinsics.ts';

export type Statement = {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Patterns for the partition keys of a call, each of which has to match one; undefined: any call. */
  readonly leadingKeys?: readonly string[];
};
export type DeployedFunction = {
  /** As in the template, `subscriptions-prod-headless-auth`. */
  readonly functionName: string;
  readonly handler: string;
  /** Folder of the bundle below the cloud assembly. */
  readonly assetPath: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The statements of the role. */
  readonly statements: readonly Statement[];
};

export const ofType = (resources: Resources, type: string): [string, TemplateResource][] =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);

export function theOne(resources: Resources, type: string): Readonly<Record<string, unknown>> {
  const [found] = ofType(resources, type);
  if (found === undefined) throw new Error(`The template has no ${type}.`);
  return found[1].Properties;
}

/** Every function by its logical id. */
export function functionsOf(resources: Resources): Map<string, DeployedFunction> {
  return new Map(
    ofType(resources, 'AWS::Lambda::Function').map(([id, { Properties, Metadata = {} }]) => {
      const { Variables } = Properties.Environment as { Variables: Record<string, string> };
      const roleId = String(Properties.Role).replace(/\.Arn$/, '');
      const deployed = {
        functionName: String(Properties.FunctionName),
        handler: String(Properties.Handler),
        assetPath: String(Metadata['aws:asset:path']),
        memoryMb: Number(Properties.MemorySize),
        timeoutSeconds: Number(Properties.Timeout),
        environment: Variables,
        statements: statementsOf(resources, roleId),
      };
      return [id, deployed];
    }),
  );
}

/** Routes as the gateway takes them: each leads over integration and alias to the logical id of a function. */
export function routesOf(resources: Resources): RouteTable {
  const led = ofType(resources, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
    const integrationId = String(Properties.Target).replace('integrations/', '');
    const aliasId = String(resources[integrationId]?.Properties.IntegrationUri);
    return { key: String(Properties.RouteKey), function: functionBehind(resources, aliasId) };
  });
  const fallback = led.find(({ key }) => key === '$default');
  if (fallback === undefined) throw new Error('The template has no route $default.');
  const routes = led
    .filter((route) => route !== fallback)
    .map(({ key, function: name }) => {
      const [method = '', path = ''] = key.split(' ');
      return { method, path, function: name };
    });
  // The gateway does not mind what a function is called.
  return { routes, defaultFunction: fallback.function } as unknown as RouteTable;
}

/** The logical ids of the functions that schedules run. */
export function scheduledFunctionsOf(resources: Resources): string[] {
  return ofType(resources, 'AWS::Scheduler::Schedule').map(([, { Properties }]) =>
    functionBehind(resources, (Properties.Target as { Arn: string }).Arn),
  );
}

/** The logical id of the function that CodeDeploy runs first, whichever alias moves. */
export function hookFunctionOf(resources: Resources): string {
  const hooks = ofType(resources, 'AWS::Lambda::Alias').flatMap(([, { UpdatePolicy }]) => {
    const { BeforeAllowTrafficHook } = UpdatePolicy?.CodeDeployLambdaAliasUpdate ?? {};
    return BeforeAllowTrafficHook ?? [];
  });
  const [name, ...others] = new Set(hooks);
  const found = [...functionsOf(resources)].find(([, { functionName }]) => functionName === name);
  if (found === undefined || others.length > 0) throw new Error('The aliases have not one hook.');
  return found[0];
}

function functionBehind(resources: Resources, aliasId: string): string {
  const name = String(resources[aliasId]?.Properties.FunctionName);
  const found = [...functionsOf(resources)].find(([, { functionName }]) => functionName === name);
  if (found === undefined) throw new Error(`${aliasId} leads to no function.`);
  return found[0];
}

type RawStatement = {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: Conditions;
};
type Conditions = Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;

function statementsOf(resources: Resources, roleId: string): Statement[] {
  return ofType(resources, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => (Properties.Roles as string[]).includes(roleId))
    .flatMap(([, { Properties }]) => (Properties.PolicyDocument as { Statement: RawStatement[] }).Statement)
    .map(({ Effect, Action, Resource, Condition }) => {
      if (Effect !== 'Allow') throw new Error(`A statement with the effect ${Effect}.`);
      return { actions: [Action].flat(), resources: [Resource].flat(), ...conditionsOf(Condition) };
    });
}

const KEYS = 'dynamodb:LeadingKeys';

/** Throws for a condition that this test does not know: it must not accept what it cannot evaluate. */
function conditionsOf(conditions: Conditions = {}): Pick<Statement, 'leadingKeys'> {
  const names = Object.entries(conditions).flatMap(([operator, of]) =>
    Object.keys(of).map((key) => `${operator} ${key}`),
  );
  if (names.join() === 'StringEquals kms:ViaService' || names.length === 0) return {};
  const keys = conditions['ForAllValues:StringLike']?.[KEYS];
  const isWhole = names.length === 2 && conditions.Null?.[KEYS] === 'false';
  if (keys === undefined || !isWhole) throw new Error(`A statement with the conditions ${names}.`);
  return { leadingKeys: [keys].flat() };
}
