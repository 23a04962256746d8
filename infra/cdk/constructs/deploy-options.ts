/**
 * The options of a single deploy, given on the command line as `-c canary=off`. docs/deploying.md explains when to use
 * them.
 */
import { ConfigError, type NamedEnvironment } from '../../definition/config.ts';

export type DeployOptions = {
  /**
   * Off: the aliases move to the new version immediately, for a deploy in which CodeDeploy would refuse to move them.
   */
  readonly canary: boolean;
  /** Off: stack and table have no deletion protection, so that a first deploy that failed can be repeated. */
  readonly protection: boolean;
};

/** An environment with the options of this deploy; without `deploy` the defaults apply. */
export type DeployedEnvironment = NamedEnvironment & { readonly deploy?: DeployOptions };

export const DEFAULT_DEPLOY_OPTIONS: DeployOptions = { canary: true, protection: true };

/**
 * Reads the options from CDK's context.
 * @throws ConfigError when an option has a value other than `off`
 */
export function parseDeployOptions(contextOf: (name: string) => unknown): DeployOptions {
  const isOn = (name: keyof DeployOptions): boolean => {
    const optionValue = contextOf(name);
    if (optionValue !== undefined && optionValue !== 'off') {
      throw new ConfigError(`There is no ${name}=${optionValue}: leave it out or write -c ${name}=off.`);
    }
    return optionValue === undefined;
  };
  return { canary: isOn('canary'), protection: isOn('protection') };
}

const CONTEXT_OPTIONS = ['env', 'canary', 'protection'];

/**
 * Rejects unknown names in the context, so that a misspelt option does not deploy with the defaults. CDK's own names
 * contain a colon or an @, except the name in cdk.json.
 * @throws ConfigError when a name is neither an option nor CDK's own
 */
export function rejectUnknownContext(names: readonly string[]): void {
  const unknownName = names.find(
    (name) => !(CONTEXT_OPTIONS.includes(name) || /[:@]/.test(name) || name === 'cli-telemetry'),
  );
  if (unknownName === undefined) return;
  throw new ConfigError(
    `There is no option ${JSON.stringify(unknownName)}: -c takes ${CONTEXT_OPTIONS.join(', ')}.`,
  );
}
