/** Refuses a region that AWS does not have: with a misspelt one a deploy fails with an address that cannot be found. */
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { ConfigError, type NamedEnvironment, unusable } from '../definition/config.ts';

/**
 * @param surrounding the region of AWS_REGION or of the profile, which counts where the environment names none
 * @throws ConfigError with the regions of the same part of the world, or with all of them
 */
export function refuseUnknownRegion(
  { name, config: { region } }: NamedEnvironment,
  surrounding?: string,
): void {
  const all = RegionInfo.regions.map((known) => known.name);
  const used = region ?? surrounding;
  if (!used || all.includes(used)) return;
  const near = all.filter((known) => known.split('-')[0] === used.split('-')[0]);
  const message =
    `is no region that CDK knows: ${(near.length > 0 ? near : all).join(', ')}. ` +
    'A newer one needs a newer aws-cdk-lib';
  if (region !== undefined) throw unusable(name, [{ path: ['region'], message }]);
  throw new ConfigError(`The region ${used}, which AWS_REGION or your profile sets, ${message}.`);
}
