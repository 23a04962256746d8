/** graphql-js's rule against cycles runs separately and first, because later rules follow fragments. */
import { getEnterLeaveForKind, Kind, NoFragmentCyclesRule, type ValidationRule } from 'graphql';

/** Refuses fragments that contain themselves. */
export const noFragmentCyclesRule: ValidationRule = (context) => ({
  Document({ definitions }) {
    const visitor = NoFragmentCyclesRule(context);
    const { enter } = getEnterLeaveForKind(visitor, Kind.FRAGMENT_DEFINITION);
    for (const definition of definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      enter?.call(visitor, definition, undefined, undefined, [], []);
    }
  },
});
