/** The API's routes, from the list that the local stack reads too. */
import { CfnStage, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/config.ts';
import type { FunctionName } from '../../definition/function-definitions.ts';
import { defaultFunction, routes } from '../../definition/routes.ts';
import type { ServiceFunction } from './function.ts';
import type { ServiceApi } from './http-api.ts';

export type RoutesInput = {
  readonly api: ServiceApi;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
  readonly config: EnvironmentConfig;
};

/**
 * Every path is routed with ANY, and every other request to `$default`: 404, 405, HEAD, OPTIONS and CORS are
 * answered by the functions. Each route has the throttle of its function.
 */
export function addRoutes(scope: Construct, { api, functions, config }: RoutesInput): void {
  const own = new Construct(scope, 'Routes');
  const integrate = integrations(functions);
  const open = routes.filter(({ productionToo }) => productionToo || !config.production);
  const made = open.map(({ path, function: name }) => {
    const routeKey = HttpRouteKey.with(path, HttpMethod.ANY);
    const route = new HttpRoute(own, `ANY ${path.replaceAll('/', ' ').trim()}`, {
      httpApi: api.api,
      routeKey,
      integration: integrate(name),
    });
    const { ratePerSecond, burst } = config.throttling[name];
    const settings = { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst };
    return { route, key: routeKey.key, settings };
  });
  new HttpRoute(own, 'default', {
    httpApi: api.api,
    routeKey: HttpRouteKey.DEFAULT,
    integration: integrate(defaultFunction),
  });
  throttle(api, made);
}

/** A stage takes settings for routes that exist already, so it waits for them. */
function throttle({ stage }: ServiceApi, made: { route: HttpRoute; key: string; settings: object }[]): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new TypeError('The stage has no resource to set throttles on.');
  resource.routeSettings = Object.fromEntries(made.map(({ key, settings }) => [key, settings]));
  for (const { route } of made) stage.node.addDependency(route);
}

/** One integration a function, whatever the number of its routes. Payload format 2.0 is CDK's default. */
function integrations(functions: RoutesInput['functions']) {
  const made = new Map<FunctionName, HttpLambdaIntegration>();
  return (name: FunctionName): HttpLambdaIntegration => {
    const integration = made.get(name) ?? new HttpLambdaIntegration(name, functions[name].target);
    made.set(name, integration);
    return integration;
  };
}
