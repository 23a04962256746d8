/** Finds a region that AWS does not have: with a misspelt one a deploy fails with an address that cannot be found. */
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { ConfigError, type EnvironmentCheck, type NamedEnvironment } from '../definition/config.ts';

/** Checks the region of an environment together with its other values. */
export const findRegionProblems: EnvironmentCheck = ({ region }) => {
  const message = typeof region === 'string' ? findUnknownRegionMessage(region) : undefined;
  return message === undefined ? [] : [{ path: ['region'], message }];
};

/**
 * @param defaultRegion the region of AWS_REGION or of the profile, which is used if the environment names none
 * @throws ConfigError if that region does not exist
 */
export function rejectUnknownRegion(
  { config: { region } }: Pick<NamedEnvironment, 'config'>,
  defaultRegion: string | undefined,
): void {
  const message = region === undefined && defaultRegion ? findUnknownRegionMessage(defaultRegion) : undefined;
  if (message)
    throw new ConfigError(`The region ${defaultRegion}, which AWS_REGION or your profile sets, ${message}.`);
}

/** @returns undefined if CDK knows the region; else the regions of the same part of the world, or all of them */
function findUnknownRegionMessage(region: string): string | undefined {
  const knownRegions = RegionInfo.regions.map((known) => known.name);
  if (knownRegions.includes(region)) return undefined;
  const regionsOfSamePart = knownRegions.filter((known) => known.split('-')[0] === region.split('-')[0]);
  return (
    `is no region that CDK knows: ${(regionsOfSamePart.length > 0 ? regionsOfSamePart : knownRegions).join(', ')}. ` +
    'A newer one needs a newer aws-cdk-lib'
  );
}
