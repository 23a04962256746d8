/** The operations that only read. Times are epoch seconds, as in every AWS JSON protocol. */

import { AwsError } from '../aws-error.ts';
import { requireVersion, type SecretRecord, type SecretVersion } from './secret-record.ts';
import type { SecretsStore } from './secrets-store.ts';

type SecretsRequestFields = Readonly<Record<string, unknown>>;

export function getSecretValue(store: SecretsStore, request: SecretsRequestFields): object {
  const secret = store.findLive(request.SecretId);
  const version = requireVersion(secret, {
    versionId: parseOptionalText(request.VersionId),
    stage: parseOptionalText(request.VersionStage),
  });
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.versionId,
    VersionStages: version.stages,
    CreatedDate: version.createdAtMs / 1000,
    ...version.content,
  };
}

export function describeSecret(store: SecretsStore, request: SecretsRequestFields): object {
  return describeVersions(store.find(request.SecretId), 'VersionIdsToStages');
}

export function listSecretVersionIds(store: SecretsStore, request: SecretsRequestFields): object {
  const secret = store.find(request.SecretId);
  const isListed = ({ stages }: SecretVersion) => request.IncludeDeprecated === true || stages.length > 0;
  const { page, nextTokenField } = selectPage(secret.versions.filter(isListed), request);
  const versions = page.map(({ versionId, stages, createdAtMs }) => ({
    VersionId: versionId,
    ...(stages.length > 0 && { VersionStages: stages }),
    CreatedDate: createdAtMs / 1000,
  }));
  return { ARN: secret.arn, Name: secret.name, Versions: versions, ...nextTokenField };
}

export function listSecrets(store: SecretsStore, request: SecretsRequestFields): object {
  const filters = parseFilters(request.Filters);
  const foundSecrets = store
    .all()
    .filter(({ deletedAtMs }) => request.IncludePlannedDeletion === true || deletedAtMs === undefined)
    .filter((secret) => filters.every((matches) => matches(secret)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { page, nextTokenField } = selectPage(foundSecrets, request);
  return {
    SecretList: page.map((secret) => describeVersions(secret, 'SecretVersionsToStages')),
    ...nextTokenField,
  };
}

function describeVersions(secret: SecretRecord, versionsField: string): object {
  const labelledVersions = secret.versions.filter(({ stages }) => stages.length > 0);
  return {
    ARN: secret.arn,
    Name: secret.name,
    ...(secret.description !== undefined && { Description: secret.description }),
    CreatedDate: secret.createdAtMs / 1000,
    LastChangedDate: secret.changedAtMs / 1000,
    ...(secret.deletedAtMs !== undefined && { DeletedDate: secret.deletedAtMs / 1000 }),
    ...(labelledVersions.length > 0 && {
      [versionsField]: Object.fromEntries(
        labelledVersions.map(({ versionId, stages }) => [versionId, stages]),
      ),
    }),
  };
}

/** Parses filters by name: a value matches the start of a name, and `!` negates it. Other filters are not emulated. */
function parseFilters(filters: unknown): ((secret: SecretRecord) => boolean)[] {
  if (filters === undefined) return [];
  return (filters as { Key?: unknown; Values?: unknown }[]).map(({ Key: key, Values: filterValues }) => {
    if (key !== 'name' || !Array.isArray(filterValues)) {
      throw new AwsError('InvalidParameterException', 'Here secrets can be filtered by name alone.');
    }
    return ({ name }) =>
      filterValues
        .map(String)
        .some((value) => (value.startsWith('!') ? !name.startsWith(value.slice(1)) : name.startsWith(value)));
  });
}

const MAX_PAGE_SIZE = 100;

/** Returns a page. The token is the index at which the next page starts. */
function selectPage<Item>(
  items: readonly Item[],
  { MaxResults, NextToken }: SecretsRequestFields,
): { page: Item[]; nextTokenField: object } {
  const startIndex = Number(NextToken ?? 0);
  if (!Number.isSafeInteger(startIndex) || startIndex < 0) {
    throw new AwsError('InvalidParameterException', 'Invalid NextToken.');
  }
  const endIndex = startIndex + Math.min(Number(MaxResults ?? MAX_PAGE_SIZE), MAX_PAGE_SIZE);
  return {
    page: items.slice(startIndex, endIndex),
    nextTokenField: endIndex < items.length ? { NextToken: `${endIndex}` } : {},
  };
}

function parseOptionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
