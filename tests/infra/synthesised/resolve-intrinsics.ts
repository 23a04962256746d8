/** A synthesised template as CloudFormation would see it after the deploy: every reference is a value. */

type Json = unknown;
export type TemplateResource = {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, Json>>;
  readonly Metadata?: Readonly<Record<string, string>>;
  readonly UpdatePolicy?: { readonly CodeDeployLambdaAliasUpdate?: Readonly<Record<string, string>> };
};
export type Resources = Readonly<Record<string, TemplateResource>>;

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};
/** By type: the value of `Ref`, if CloudFormation returns a name, and the form of the ARN. */
const NAMES: Readonly<Record<string, { readonly name: string; readonly arn: string }>> = {
  'AWS::DynamoDB::Table': { name: 'TableName', arn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/` },
  'AWS::Lambda::Function': { name: 'FunctionName', arn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:` },
  'AWS::Logs::LogGroup': { name: 'LogGroupName', arn: `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:` },
};

/** The resources with every intrinsic resolved. `apiEndpoint` is where the API of the template answers. */
export function resolveTemplate(resources: Resources, apiEndpoint: string): Resources {
  const refer = (id: string, attribute?: string): string => {
    const { Type, Properties } = resources[id] ?? { Type: '', Properties: {} };
    if (attribute === 'ApiEndpoint') return apiEndpoint;
    // A version's reference is its ARN.
    if (Type === 'AWS::Lambda::Version' && attribute === undefined)
      return `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${resolve(Properties.FunctionName)}:2`;
    const known = NAMES[Type];
    if (known === undefined) return attribute === undefined ? id : `${id}.${attribute}`;
    const name = String(resolve(Properties[known.name]));
    return attribute === 'Arn' ? known.arn + name : name;
  };
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [[key, argument] = ['', undefined], ...others] = Object.entries(value) as [string, Json][];
    if (others.length === 0) {
      if (key === 'Ref') return PSEUDO[String(argument)] ?? refer(String(argument));
      if (key === 'Fn::GetAtt') return refer(...(argument as [string, string]));
      if (key === 'Fn::Join') {
        const [separator, parts] = argument as [string, Json[]];
        return parts.map(resolve).join(separator);
      }
      if (key === 'Fn::Sub') {
        return String(argument).replaceAll(/\$\{([^}]+)\}/g, (_, name) => PSEUDO[name] ?? refer(name));
      }
      if (key.startsWith('Fn::'))
        throw new Error(`The template uses ${key}, which this test cannot resolve.`);
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item)]));
  };
  return resolve(resources) as Resources;
}
