/** Builds the response of a root whose value the service computes, in the client's selection. */

import type { ServiceSelection } from '../plan/response-shape.ts';
import type { ResponsePath } from '../plan/result-error.ts';
import type { CompiledRoot, RootResponse, RootResponseRequest } from '../plan/root-handler.ts';
import type { LocatedError } from '../plan/root-response.ts';
import { buildPlatformValueResponse } from '../response/build-response.ts';
import { projectServiceValue } from '../response/project-service-value.ts';
import { createResponseWalk } from '../response/walk-response.ts';

/** The compiled data of such a root: the client's selection of the value. */
export type SelectedServiceValue = { readonly selection: ServiceSelection };

/** The value by field names, a list of such values, or null; and the platform's errors of its reads. */
export type ServiceValueResult = { readonly value: unknown; readonly errors: readonly LocatedError[] };

/** Returns the response of a root with the client's selection of the value. */
export function buildServiceValueResponse(
  request: RootResponseRequest,
  root: CompiledRoot<SelectedServiceValue>,
  { value, errors }: ServiceValueResult,
): RootResponse {
  if ((value ?? null) === null) return buildPlatformValueResponse(request, root, { value, errors });
  const { selection } = root.special;
  const responseWalk = createResponseWalk(request.context, request.variables);
  const projectItem = (item: unknown, path: ResponsePath) =>
    projectServiceValue(responseWalk, item as Readonly<Record<string, unknown>>, { selection, path });
  const projectedValue = Array.isArray(value)
    ? value.map((one, index) => projectItem(one, [root.key, index]))
    : projectItem(value, [root.key]);
  return { value: projectedValue, walked: { walk: responseWalk, platformErrors: errors }, errors: [] };
}
