/** The figures as deployed: what a container costs from its start on, with the read of the session. */
import type { Figure } from './figures.ts';
import { type Container, early } from './run-containers.ts';
import { median } from './run-contenders.ts';
import type { Deployed, Server } from './run-deployed.ts';

type Read = (container: Container) => number;

/** The middle one of the containers. */
export function middle(containers: readonly Container[], read: Read): number {
  return median(containers.map(read));
}

/** CPU of one request after the warm-up, in µs: the middle one of the processes. */
export function warmed({ warm }: Deployed, name: Server): number {
  return median(warm[name].map(median));
}

/** CPU from nothing to the first answer, in µs. */
export function cold({ init, first }: Container): number {
  return init + first;
}

/** All figures, in the order of the report. */
export function deployedFigures(deployed: Deployed): Figure[] {
  const { containers, loadedBytes, changes } = deployed;
  const service = containers['customer-graphql'];
  const forwarder = containers['forwarder-reading'];
  const apollo = containers['apollo-reading'];
  const forwarderSmall = containers['forwarder-small-client'];
  const apolloSmall = containers['apollo-small-client'];
  // By turn, for neighbours in time share what the machine did meanwhile.
  const ratio = (of: readonly Container[], to: readonly Container[], read: Read) =>
    median(of.map((container, turn) => read(container) / read(to[turn] as Container)));
  const gained = (work: 'skip' | 'refresh') =>
    changes === undefined ? Number.NaN : ratio(changes[work].before, changes[work].now, early);
  const compared: Figure[] = [
    {
      name: 'a skip, requests 2–200: before / now',
      value: gained('skip'),
      unit: '',
      must: 1.8,
      aim: 2.5,
      isMore: true,
    },
    {
      name: 'a refresh, requests 2–200: before / now',
      value: gained('refresh'),
      unit: '',
      aim: 1.5,
      isMore: true,
    },
  ];
  return [
    {
      name: 'requests 2–200, this service / forwarder',
      value: ratio(service, forwarder, early),
      unit: '',
      must: 0.6,
      aim: 0.45,
    },
    {
      name: 'requests 2–20, this service / forwarder',
      value: ratio(service, forwarder, ({ to20 }) => to20),
      unit: '',
    },
    {
      name: 'requests 201–1,000, this service / forwarder',
      value: ratio(service, forwarder, ({ to1000 }) => to1000),
      unit: '',
    },
    {
      name: 'requests 2–200, Apollo Server / this service',
      value: ratio(apollo, service, early),
      unit: '',
      must: 2.5,
      aim: 3.5,
      isMore: true,
    },
    {
      name: 'after warm-up, this service / forwarder',
      value: warmed(deployed, 'customer-graphql') / warmed(deployed, 'forwarder-reading'),
      unit: '',
      must: 0.65,
      aim: 0.5,
    },
    {
      name: 'cold start, CPU of import and first answer, this service / Apollo Server',
      value: ratio(service, apollo, cold),
      unit: '',
      must: 0.35,
      aim: 0.22,
    },
    { name: 'the same, this service / forwarder', value: ratio(service, forwarder, cold), unit: '' },
    {
      name: 'first answer after the import, this service / forwarder',
      value: ratio(service, forwarder, ({ first }) => first),
      unit: '',
      must: 0.6,
      aim: 0.35,
    },
    {
      name: 'loaded when the first query is answered, customer-graphql',
      value: loadedBytes / 1000,
      unit: 'KB',
      must: 400,
      aim: 250,
    },
    {
      name: 'all with our AWS client: requests 2–200, this service / forwarder',
      value: ratio(service, forwarderSmall, early),
      unit: '',
    },
    {
      name: 'all with our AWS client: requests 2–200, Apollo Server / this service',
      value: ratio(apolloSmall, service, early),
      unit: '',
    },
    {
      name: 'all with our AWS client: cold start, this service / forwarder',
      value: ratio(service, forwarderSmall, cold),
      unit: '',
    },
    {
      name: 'all with our AWS client: cold start, this service / Apollo Server',
      value: ratio(service, apolloSmall, cold),
      unit: '',
    },
    ...(changes === undefined ? [] : compared),
  ];
}
