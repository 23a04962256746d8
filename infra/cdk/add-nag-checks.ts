/** Holds the stacks against cdk-nag's packs; what is not followed is in acknowledge-findings.ts, with its reason. */
import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { acknowledgeEdgeFindings, acknowledgeFindings } from './acknowledge-findings.ts';

export type NagInput = {
  readonly service: Stack;
  readonly edge: Stack | undefined;
  readonly secretsPrefix: string;
};

/** The app does not synthesise from now on while a finding is not acknowledged. */
export function addNagChecks(app: App, { service, edge, secretsPrefix }: NagInput): void {
  acknowledgeFindings(service, secretsPrefix);
  if (edge !== undefined) acknowledgeEdgeFindings(edge);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
