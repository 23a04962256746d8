/** What a single deploy does otherwise, told on the command line as `-c canary=off`; docs/deploying.md says when. */
import { ConfigError, type NamedEnvironment } from '../../definition/config.ts';

export type DeployOptions = {
  /** Off: the aliases are moved at once, where CodeDeploy would refuse to move them. */
  readonly canary: boolean;
  /** Off: neither stack nor table is protected from deletion, so that a first deploy that fails can be repeated. */
  readonly protection: boolean;
};

/** An environment, and how it is deployed this time; without options as usual. */
export type DeployedEnvironment = NamedEnvironment & { readonly deploy?: DeployOptions };

export const usualDeploy: DeployOptions = { canary: true, protection: true };

/** Reads the options from CDK's context. ConfigError for every word but `off`. */
export function readDeployOptions(contextOf: (name: string) => unknown): DeployOptions {
  const isOn = (name: keyof DeployOptions): boolean => {
    const word = contextOf(name);
    if (word !== undefined && word !== 'off') {
      throw new ConfigError(`There is no ${name}=${word}: leave it out or write -c ${name}=off.`);
    }
    return word === undefined;
  };
  return { canary: isOn('canary'), protection: isOn('protection') };
}

const OPTIONS = ['env', 'canary', 'protection'];

/**
 * ConfigError for a name of the context that is neither an option nor CDK's own: a deploy with a misspelt option
 * would be the usual one. CDK's names have a colon or an @ in them, but for the one in cdk.json.
 */
export function refuseUnknownContext(names: readonly string[]): void {
  const unknown = names.find(
    (name) => !(OPTIONS.includes(name) || /[:@]/.test(name) || name === 'cli-telemetry'),
  );
  if (unknown === undefined) return;
  throw new ConfigError(`There is no option ${JSON.stringify(unknown)}: -c takes ${OPTIONS.join(', ')}.`);
}
