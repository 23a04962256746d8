/** The API's routes, from the list that the local stack reads too. */
import { CfnStage, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import type { FunctionName } from '../../definition/function-definitions.ts';
import { DEFAULT_FUNCTION, formatRouteKey, listEnvironmentRoutes } from '../../definition/routes.ts';
import type { ServiceFunction } from './function.ts';
import type { ServiceApi } from './http-api.ts';

export type RoutesInput = {
  readonly api: ServiceApi;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
  readonly config: EnvironmentConfig;
};

/**
 * Adds the routes, each with its own throttle. All other requests use `$default`, whose function responds with 404 and
 * 405, and to HEAD, OPTIONS and preflights.
 */
export function addRoutes(scope: Construct, { api, functions, config }: RoutesInput): void {
  const routesScope = new Construct(scope, 'Routes');
  const integrationOf = createIntegrations(functions);
  const createdRoutes = listEnvironmentRoutes(config).map(
    ({ method, path, function: functionName, throttle: throttleName }) => {
      const routeKey = HttpRouteKey.with(path, HttpMethod[method]);
      const route = new HttpRoute(routesScope, `${method} ${path.replaceAll('/', ' ').trim()}`, {
        httpApi: api.api,
        routeKey,
        integration: integrationOf(functionName),
      });
      const { ratePerSecond, burst } = config.throttling[throttleName];
      const settings = { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst };
      return { route, key: formatRouteKey({ method, path }), settings };
    },
  );
  new HttpRoute(routesScope, 'default', {
    httpApi: api.api,
    routeKey: HttpRouteKey.DEFAULT,
    integration: integrationOf(DEFAULT_FUNCTION),
  });
  addThrottles(api, createdRoutes);
}

/**
 * Sets the throttles at the stage, which depends on the routes, because it accepts settings for existing routes only.
 */
function addThrottles(
  { stage }: ServiceApi,
  createdRoutes: { route: HttpRoute; key: string; settings: object }[],
): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new TypeError('The stage has no resource to set throttles on.');
  resource.routeSettings = Object.fromEntries(createdRoutes.map(({ key, settings }) => [key, settings]));
  for (const { route } of createdRoutes) stage.node.addDependency(route);
}

/** Creates one integration for each function, which all its routes share. Payload format 2.0 is CDK's default. */
function createIntegrations(functions: RoutesInput['functions']) {
  const integrationByFunction = new Map<FunctionName, HttpLambdaIntegration>();
  return (name: FunctionName): HttpLambdaIntegration => {
    const integration =
      integrationByFunction.get(name) ?? new HttpLambdaIntegration(name, functions[name].target);
    integrationByFunction.set(name, integration);
    return integration;
  };
}
