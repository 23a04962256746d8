import {
  type ASTNode,
  type ASTVisitFn,
  type ASTVisitor,
  BREAK,
  getEnterLeaveForKind,
  type Kind,
} from 'graphql';

type Look<Fn> = { readonly index: number; readonly visitor: ASTVisitor; readonly fn: Fn };
type Looks = { readonly enter: Look<ASTVisitFn<ASTNode>>[]; readonly leave: Look<ASTVisitFn<ASTNode>>[] };

/**
 * Several visitors in one traversal that changes nothing, each leaving out what it wants to: graphql-js's
 * `visitInParallel`, but a visitor is asked only at the kinds of nodes that it looks at, and these are found out when
 * such a node comes. That is a quarter of a document's first compilation.
 */
export function visitTogether(visitors: readonly ASTVisitor[]): ASTVisitor {
  const byKind = new Map<Kind, Looks>();
  // Of each visitor the node whose inside it leaves out, or BREAK for all that follows.
  const skipping = new Array<unknown>(visitors.length).fill(undefined);
  let skips = 0;

  const looksAt = (kind: Kind): Looks => {
    const known = byKind.get(kind);
    if (known !== undefined) return known;
    const looks: Looks = { enter: [], leave: [] };
    for (const [index, visitor] of visitors.entries()) {
      const { enter, leave } = getEnterLeaveForKind(visitor, kind);
      if (enter) looks.enter.push({ index, visitor, fn: enter });
      if (leave) looks.leave.push({ index, visitor, fn: leave });
    }
    byKind.set(kind, looks);
    return looks;
  };

  return {
    enter(node, ...at) {
      for (const { index, visitor, fn } of looksAt(node.kind).enter) {
        if (skipping[index] !== undefined) continue;
        const result = fn.call(visitor, node, ...at);
        if (result !== false && result !== BREAK) continue;
        skipping[index] = result === false ? node : BREAK;
        skips += 1;
      }
    },
    leave(node, ...at) {
      for (const { index, visitor, fn } of looksAt(node.kind).leave) {
        if (skipping[index] === undefined && fn.call(visitor, node, ...at) === BREAK) skipping[index] = BREAK;
      }
      if (skips === 0) return;
      for (const [index, left] of skipping.entries()) {
        if (left !== node) continue;
        skipping[index] = undefined;
        skips -= 1;
      }
    },
  };
}
