/** Each mutation of the service's own has a record, and adding one touches few files. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findMutation } from '../../../graphql/mutations/mutations.ts';
import { maxExpectedPoints } from '../../../graphql/plan/mutation-record.ts';
import { findFieldPolicy } from '../../../graphql/schema/field-policy.ts';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';
import { listFiles } from '../../architecture/source-tree.ts';

/** Its schema, its record, its operation, its action in the timeline, and the client's operation. */
const MAX_FILES = 5;
/** Programs on one machine use mutations as any client does, and generators of documents name them in texts. */
const USERS = /^(?:tests|docs|sandbox|infra\/(?:local|emulators)|(?:infra\/)?tools\/generate)\//;
const WRITTEN = /\.(?:ts|js|graphql)$/;
const GENERATED = /\/generated\/|^graphql\/schema\/platform\//;

const names = Object.keys(getAdminSchema().getMutationType()?.getFields() ?? {});
const recorded = names.filter((name) => findMutation(name) !== undefined);

describe('the records of mutations', () => {
  it('has one for each mutation of the service and none for another field of the same kind', () => {
    const isService = (name: string) => findFieldPolicy('Mutation', name)?.isService === true;
    const kindOf = (name: string) => findMutation(name)?.kind;
    expect(names.filter((name) => kindOf(name) === 'service')).toEqual(names.filter(isService));
    expect(recorded.length).toBeGreaterThan(35);
  });

  it('returns undefined for a mutation that is only forwarded, and for a name that is none', () => {
    expect(['tagsAdd', 'toString', '__proto__'].map(findMutation)).toEqual([undefined, undefined, undefined]);
  });

  it('expects the points of the most expensive mutation of a document', () => {
    const points = (...of: string[]) => maxExpectedPoints(findMutation, of);
    expect(points('tagsAdd')).toBe(90);
    expect(points('subscriptionBillingCycleSkip')).toBe(90);
    expect(points('subscriptionContractIntervalUpdate', 'tagsAdd')).toBe(300);
  });

  it(`names each mutation in at most ${MAX_FILES} files that people write`, () => {
    const files = listFiles(process.cwd()).filter(
      (file) => WRITTEN.test(file) && !USERS.test(file) && !GENERATED.test(file),
    );
    const message = files.map((file) => [file, new Set(readFileSync(file, 'utf8').match(/\w+/g))] as const);
    const places = recorded.map((name) => [
      name,
      message.filter(([, set]) => set.has(name)).map(([file]) => file),
    ]);
    expect(places.filter(([, of]) => (of?.length ?? 0) > MAX_FILES || (of?.length ?? 0) < 2)).toEqual([]);
  });
});
