/** Refuses a region that AWS does not have: with a misspelt one a deploy fails with an address that cannot be found. */
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type NamedEnvironment, unusable } from '../definition/config.ts';

/** @throws ConfigError with the regions of the same part of the world, or with all of them */
export function refuseUnknownRegion({ name, config: { region } }: NamedEnvironment): void {
  const all = RegionInfo.regions.map((known) => known.name);
  if (region === undefined || all.includes(region)) return;
  const near = all.filter((known) => known.split('-')[0] === region.split('-')[0]);
  const message =
    `is no region that CDK knows: ${(near.length > 0 ? near : all).join(', ')}. ` +
    'A newer one needs a newer aws-cdk-lib';
  throw unusable(name, [{ path: ['region'], message }]);
}
