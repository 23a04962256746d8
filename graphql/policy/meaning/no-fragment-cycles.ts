/** graphql-js's rule against cycles runs by itself and first: the rules after it follow fragments. */
import { getEnterLeaveForKind, Kind, NoFragmentCyclesRule, type ValidationRule } from 'graphql';

/** Refuses fragments that reach themselves. */
export const noFragmentCycles: ValidationRule = (context) => ({
  Document({ definitions }) {
    const visitor = NoFragmentCyclesRule(context);
    const { enter } = getEnterLeaveForKind(visitor, Kind.FRAGMENT_DEFINITION);
    for (const definition of definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      enter?.call(visitor, definition, undefined, undefined, [], []);
    }
  },
});
