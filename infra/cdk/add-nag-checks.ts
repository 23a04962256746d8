/** Holds the stack against cdk-nag's packs; what is not followed is in nag-acknowledgements.ts, with its reason. */
import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { acknowledgeFindings } from './acknowledge-findings.ts';

/** The app does not synthesise from now on while a finding is not acknowledged. */
export function addNagChecks(app: App, stack: Stack, secretsPrefix: string): void {
  acknowledgeFindings(stack, secretsPrefix);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
