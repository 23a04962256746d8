/** Reads a synthesised template the way AWS would resolve it: references become readable text. */
import type { Template } from 'aws-cdk-lib/assertions';

export type Values = Readonly<Record<string, unknown>>;
export type Resource = { readonly id: string; readonly properties: Values; readonly resource: Values };
export type Statement = {
  readonly actions: string[];
  readonly resources: string[];
  readonly conditions: unknown;
};

/** The resources of a kind, such as `AWS::Lambda::Function`, with every reference as `{LogicalId.Attribute}`. */
export function resourcesOf(template: Template, type: string): Resource[] {
  return Object.entries(template.findResources(type)).map(([id, raw]) => {
    const resource = readable(raw) as Values;
    return { id, properties: (resource.Properties ?? {}) as Values, resource };
  });
}

/** The one resource of a kind. */
export function theOne(template: Template, type: string): Resource {
  const [found, ...others] = resourcesOf(template, type);
  if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} resources of ${type}`);
  return found;
}

/** Every deletion policy that a resource has; undefined is one. */
export function deletionPoliciesOf(template: Template): Set<unknown> {
  const resources = Object.values(template.toJSON().Resources as Record<string, Values>);
  return new Set(resources.map((one) => one.DeletionPolicy));
}

/** A function of the service by its name in the code. */
export function functionOf(template: Template, name: string): Resource {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(({ properties }) =>
    String(properties.FunctionName).endsWith(`-${name}`),
  );
  if (found === undefined) throw new Error(`The template has no function ${name}.`);
  return found;
}

/** A function's environment variables. */
export function variablesOf(template: Template, name: string): Record<string, string> {
  const { Variables } = functionOf(template, name).properties.Environment as Record<string, never>;
  return Variables as unknown as Record<string, string>;
}

/** Returns the rights of a function's role: every statement of its policies. */
export function rightsOf(template: Template, name: string): Statement[] {
  const role = String(functionOf(template, name).properties.Role).replace('.Arn', '');
  const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(({ properties }) =>
    (properties.Roles as string[]).includes(role),
  );
  return policies.flatMap(statementsOf);
}

/** The statements of a policy. */
export function statementsOf({ properties }: Resource): Statement[] {
  const { Statement: statements } = properties.PolicyDocument as { Statement: Values[] };
  return statements.map(({ Effect, Action, Resource: resource, Condition, ...others }) => {
    if (Effect !== 'Allow' || 'NotAction' in others || 'NotResource' in others) {
      throw new Error(`A statement of another form: ${JSON.stringify(others)}`);
    }
    return { actions: listOf(Action), resources: listOf(resource), conditions: Condition };
  });
}

function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(String).sort();
}

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) {
    const [key, argument] = first;
    if (key === 'Ref') return `{${argument}}`;
    if (key === 'Fn::GetAtt') return `{${argument.join('.')}}`;
    if (key === 'Fn::Join') return (readable(argument[1]) as string[]).join(argument[0]);
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, readable(item)]));
}
