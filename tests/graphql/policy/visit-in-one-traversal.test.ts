/** Visitors in one traversal visit the same nodes as in graphql-js's own `visitInParallel`, whatever they skip. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ASTNode, type ASTVisitor, BREAK, Kind, parse, print, visit, visitInParallel } from 'graphql';
import { visitInOneTraversal } from '../../../graphql/policy/visit-in-one-traversal.ts';

const document = parse(`query Q($id: ID!, $n: Int = 3) @x {
  a: customer(id: $id) { ...F orders(first: $n, query: "q") { nodes { id name @include(if: true) } } }
}
fragment F on Customer { id ... on Node { id } }`);

const kinds = [
  Kind.DOCUMENT,
  Kind.FIELD,
  Kind.ARGUMENT,
  Kind.SELECTION_SET,
  Kind.VARIABLE,
  Kind.FRAGMENT_SPREAD,
];
const results = fc.constantFrom(undefined, undefined, undefined, false, BREAK);
/** A visitor's behaviour at a kind of node: whether it handles enter and leave, and its result at each call. */
const visitorEvents = fc.dictionary(
  fc.constantFrom(...kinds),
  fc.record({ enter: fc.array(results, { maxLength: 4 }), leave: fc.array(results, { maxLength: 4 }) }),
);

type VisitEvents = { readonly enter: readonly unknown[]; readonly leave: readonly unknown[] };

function visitorOf(name: number, events: Readonly<Record<string, VisitEvents>>, seen: string[]): ASTVisitor {
  const at = (kind: string, way: 'enter' | 'leave', returned: readonly unknown[]) => {
    let calls = 0;
    return (node: ASTNode) => {
      seen.push(`${name} ${way} ${kind} ${print(node)}`);
      return returned[calls++];
    };
  };
  return Object.fromEntries(
    Object.entries(events).map(([kind, { enter, leave }]) => [
      kind,
      {
        ...(enter.length > 0 && { enter: at(kind, 'enter', enter) }),
        ...(leave.length > 0 && { leave: at(kind, 'leave', leave) }),
      },
    ]),
  ) as ASTVisitor;
}

test('random visitors are called as by graphql-js', () => {
  fc.assert(
    fc.property(fc.array(visitorEvents, { minLength: 1, maxLength: 5 }), (all) => {
      const [referenceVisits, actualVisits]: [string[], string[]] = [[], []];
      visit(document, visitInParallel(all.map((events, index) => visitorOf(index, events, referenceVisits))));
      visit(
        document,
        visitInOneTraversal(all.map((events, index) => visitorOf(index, events, actualVisits))),
      );
      expect(actualVisits).toEqual(referenceVisits);
    }),
    { numRuns: 300 },
  );
});
