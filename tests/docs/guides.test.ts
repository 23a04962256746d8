/** Runs the guides' instructions on one stack: starting a stack takes longer than most instructions. */
import '../e2e/demo.suite.ts';
import './readme.suite.ts';
import './mobile.suite.ts';
import '../clients/typescript/package.suite.ts';
import '../clients/typescript/proofs.suite.ts';
import '../clients/typescript/types/error-types.suite.ts';
import '../clients/typescript/types/hover.suite.ts';
import '../clients/typescript/code-generation.suite.ts';
// Towards the end: it ends sign-ins, and takes a store away.
import './operators.suite.ts';
import './stopped.suite.ts';
